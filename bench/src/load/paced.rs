//! Sends requests at a fixed rate, independent of the response times, so that slow responses do not lower the load. Tokio's timer has a
//! resolution of 1 ms, so a measured latency may be up to 1 ms too long.

use super::{PreparedRequest, Target};
use crate::result::BenchResult;
use bytes::Bytes;
use hdrhistogram::Histogram;
use http::HeaderValue;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::SendRequest;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// A request that is this late is not sent, and its lateness counts as its latency. This limits the duration of a round whose load the
/// server cannot serve.
const LATE_MAX: Duration = Duration::from_secs(5);

/// A request of a schedule.
#[derive(Debug)]
pub(crate) struct DueRequest {
    /// When the request is due, counted from [`Schedule::began`].
    pub(crate) due: Duration,
    /// The index of the histogram for the request's latency.
    pub(crate) group: usize,
    pub(crate) request: Arc<PreparedRequest>,
}

/// Requests in the order of their due times.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) began: Instant,
    pub(crate) requests: Vec<DueRequest>,
    /// The number of groups.
    pub(crate) groups: usize,
}

/// The measurements of a schedule.
#[derive(Debug)]
pub(crate) struct PacedRound {
    /// The number of requests that were sent and answered.
    pub(crate) requests: u64,
    /// The number of requests that were too late to be sent.
    pub(crate) unsent: u64,
    /// The number of responses with a status other than 2xx. A request without a response ends the run.
    pub(crate) errors: u64,
    /// The latencies of each group in microseconds, from the due time of a request until its response was read.
    pub(crate) latencies: Vec<Histogram<u64>>,
}

impl PacedRound {
    pub(crate) fn new(groups: usize) -> BenchResult<Self> {
        let latencies = (0..groups).map(|_| Histogram::new(3)).collect::<Result<_, _>>()?;
        Ok(Self { requests: 0, unsent: 0, errors: 0, latencies })
    }

    pub(crate) fn add(&mut self, other: Self) -> BenchResult<()> {
        self.requests += other.requests;
        self.unsent += other.unsent;
        self.errors += other.errors;
        for (own, more) in self.latencies.iter_mut().zip(other.latencies) {
            own.add(more)?;
        }
        Ok(())
    }

    /// Merges the latencies of all groups.
    pub(crate) fn all(&self) -> BenchResult<Histogram<u64>> {
        let mut all = Histogram::new(3)?;
        for group in &self.latencies {
            all.add(group)?;
        }
        Ok(all)
    }
}

impl Target {
    /// Sends each request when it is due, on any free connection. If no connection is free, the request waits, and its latency includes the
    /// wait.
    pub(crate) async fn pace(&mut self, schedule: Schedule) -> BenchResult<PacedRound> {
        let mut whole = PacedRound::new(schedule.groups)?;
        let schedule = Arc::new(schedule);
        let next = Arc::new(AtomicUsize::new(0));
        let mut running = JoinSet::new();
        for connection in self.connections.drain(..) {
            let schedule = Arc::clone(&schedule);
            let next = Arc::clone(&next);
            let host = self.host.clone();
            running.spawn(one_connection(connection, schedule, next, host));
        }
        while let Some(ended) = running.join_next().await {
            let (connection, round) = ended??;
            whole.add(round)?;
            self.connections.push(connection);
        }
        Ok(whole)
    }
}

async fn one_connection(
    mut connection: SendRequest<Full<Bytes>>,
    schedule: Arc<Schedule>,
    turn: Arc<AtomicUsize>,
    host: HeaderValue,
) -> BenchResult<(SendRequest<Full<Bytes>>, PacedRound)> {
    let mut round = PacedRound::new(schedule.groups)?;
    loop {
        let number = turn.fetch_add(1, Ordering::Relaxed);
        let Some(next) = schedule.requests.get(number) else { return Ok((connection, round)) };
        let due = schedule.began + next.due;
        tokio::time::sleep_until(due).await;
        let latencies = round.latencies.get_mut(next.group).ok_or("a request of no group")?;
        if due.elapsed() > LATE_MAX {
            round.unsent += 1;
            latencies.record(u64::try_from(due.elapsed().as_micros())?)?;
            continue;
        }
        connection.ready().await?;
        let response = connection.send_request(next.request.request(&host)?).await?;
        let status = response.status();
        let mut body = response.into_body();
        while let Some(frame) = body.frame().await {
            frame?;
        }
        round.requests += 1;
        if !status.is_success() {
            round.errors += 1;
        }
        latencies.record(u64::try_from(due.elapsed().as_micros())?)?;
    }
}
