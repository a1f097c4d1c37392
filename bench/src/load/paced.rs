//! Requests at a fixed rate, however long the answers take: a slow answer does not lower the load. Tokio's timer has a resolution
//! of 1 ms, so a latency may be up to 1 ms too long.

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

/// A request that is this late is not sent: its lateness counts as its latency. It bounds how long a round lasts when the
/// load is more than can be served.
const LATE_MAX: Duration = Duration::from_secs(5);

/// A request of a schedule.
#[derive(Debug)]
pub(crate) struct DueRequest {
    /// When it is due, counted from [`Schedule::began`].
    pub(crate) due: Duration,
    /// Which histogram its latency is counted in.
    pub(crate) group: usize,
    pub(crate) request: Arc<PreparedRequest>,
}

/// Requests in the order in which they become due.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) began: Instant,
    pub(crate) requests: Vec<DueRequest>,
    /// How many groups there are.
    pub(crate) groups: usize,
}

/// The result of a schedule.
#[derive(Debug)]
pub(crate) struct PacedRound {
    /// Requests that were sent and answered.
    pub(crate) requests: u64,
    /// Requests that were too late to be sent.
    pub(crate) unsent: u64,
    /// Answers with a status other than 2xx. A request without an answer ends the run.
    pub(crate) errors: u64,
    /// By group: from the moment the request was due until its answer was read, microseconds.
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

    /// The latencies of all groups together.
    pub(crate) fn all(&self) -> BenchResult<Histogram<u64>> {
        let mut all = Histogram::new(3)?;
        for group in &self.latencies {
            all.add(group)?;
        }
        Ok(all)
    }
}

impl Target {
    /// Sends each request when it is due, on whichever connection is free. A request that finds none free waits for one,
    /// and its latency counts the wait.
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
