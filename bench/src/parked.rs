//! Ten thousand TPPs wait for events, each on its own connection. The benchmark compares the memory of a held poll with that of a bare held
//! request on the same stack, and measures the latency of an event to its TPP.
//!
//! The latency of a wake-up is the time from the request to raise the event, on the ops listener, to the last byte of the poll's response.
//! It includes the durable commit, the signature, and the work of both programs.

use crate::figure::{Aim, Figure};
use crate::fill;
use crate::floor::Floor;
use crate::load::PreparedRequest;
use crate::ops::Ops;
use crate::process::{Lombard, Process};
use crate::queues::{self, Poller};
use crate::result::BenchResult;
use crate::robot::Robot;
use bytes::Bytes;
use hdrhistogram::Histogram;
use http::{HeaderValue, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use lombard_tpp::{Protocol, tls_config};
use rustls::client::Resumption;
use rustls_pki_types::ServerName;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use url::Url;

const POLLS: usize = 10_000;
/// The number of polls that warm up a server before its memory is measured.
const WARM_UP: usize = 200;
/// The number of connections that are opened concurrently.
const OPENED_AT_ONCE: usize = 64;
const MEMORY_MAX: f64 = 1.6;
const WAKE_MILLIS_MAX: f64 = 5.0;
/// The time after which an undelivered event counts as lost. Polls are repeated much more often.
const LOST_AFTER: Duration = Duration::from_secs(120);

/// An open connection.
pub(crate) type Connection = SendRequest<Full<Bytes>>;

pub(crate) async fn run(program: &Path) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let store = fill::first_start(program, data.path()).await?.server;
    let folder = lombard_tpp::TppFolder::read_folder(&data.path().join("tpps/robot"))?;
    let certificate = folder.identity.chain.first().ok_or("the robot has no certificate")?;
    let digest = lombard_jose::sha256(certificate);
    let pollers = queues::tpps(&store, &folder.details.client_id, digest, u32::try_from(POLLS)?).await?;
    drop(store);

    let bare = bare(data.path(), &pollers).await?;
    let (ours, wakes) = ours(program, data.path(), &pollers).await?;
    let millis = |quantile: f64| Duration::from_micros(wakes.value_at_quantile(quantile)).as_secs_f64() * 1e3;
    println!("parked: {POLLS} polls held, one event each, {} woken", wakes.len());
    for (side, weight) in [("bare held request", bare), ("lombard", ours)] {
        let whole = weight.held / 1e3;
        let idle = weight.idle / 1e3;
        println!("  {side:<28} {whole:>8.1} KB a poll, {idle:>5.1} KB of it the connection");
    }
    println!(
        "  {:<28} p50 {:>6.2} ms   p99 {:>6.2} ms   max {:>6.2} ms",
        "wake-up",
        millis(0.5),
        millis(0.99),
        millis(1.0)
    );
    let lost = f64::from(u32::try_from(POLLS)?) - f64::from(u32::try_from(wakes.len())?);
    Ok(vec![
        Figure::of_sides("parked/memory", ours.held / 1e3, bare.held / 1e3, "KB a poll", Aim::AtMost(MEMORY_MAX)),
        Figure::of_sides("parked/wake", millis(0.99), WAKE_MILLIS_MAX, "ms p99", Aim::AtMost(1.0)),
        Figure::of_ratio("parked/lost", lost, Aim::AtMost(0.0)),
    ])
}

/// Measures the memory of a held request on the bare stack.
async fn bare(data: &Path, pollers: &[Poller]) -> BenchResult<MemoryPerConnection> {
    let work = tempfile::tempdir()?;
    let floor = Floor::hold(data, work.path()).await?;
    let url = format!("{}/open-banking/v3.1/events", floor.base);
    let load = PollConnections::new(data, &floor.base)?;
    drop(load.open(WARM_UP).await?);
    let before = floor.process.usage()?.resident_bytes;
    let connections = load.open(POLLS).await?;
    let idle = share(&floor.process, before)?;
    let (told, _nobody_tells) = mpsc::unbounded_channel();
    let mut held = load.poll_all(connections, &url, pollers, &told)?;
    let mut counting = load.open(1).await?.pop().ok_or("no connection")?;
    let count = PreparedRequest::get(&url, "none")?;
    loop {
        counting.ready().await?;
        let answer = counting.send_request(count.request(&load.host)?).await?.into_body().collect().await?.to_bytes();
        if answer == POLLS.to_string().as_bytes() {
            break;
        }
        ended_early(&mut held).await?;
    }
    Ok(MemoryPerConnection { idle, held: share(&floor.process, before)? })
}

/// Measures the memory of a poll that Lombard holds, and the wake-up latencies in microseconds.
async fn ours(program: &Path, data: &Path, pollers: &[Poller]) -> BenchResult<(MemoryPerConnection, Histogram<u64>)> {
    let settings = [
        ("SERVER__CONNECTIONS_MAX", "20000"),
        // All connections have the same address and client certificate; the limits for clients and for addresses must allow that.
        ("SERVER__ADDRESS_SHARE_MAX", "100"),
        ("EVENTS__MAX_HELD", "20000"),
        ("EVENTS__LONG_POLL_S", "55"),
    ];
    let settings = settings.map(|(name, value)| (name, value.to_owned()));
    let lombard = Lombard::start_with(program, data, &settings).await?;
    let load = PollConnections::new(data, &lombard.endpoints.mtls)?;
    let url = format!("{}/v3.1/events", lombard.endpoints.resource_base);
    for (mut connection, poller) in load.open(WARM_UP).await?.into_iter().zip(pollers) {
        let shot = PreparedRequest::json(&url, &poller.token, r#"{"returnImmediately":true}"#.to_owned())?;
        load.ask(&mut connection, &shot, StatusCode::OK).await?;
    }
    let before = lombard.process.usage()?.resident_bytes;
    let connections = load.open(POLLS).await?;
    let idle = share(&lombard.process, before)?;
    let (told, mut hear) = mpsc::unbounded_channel();
    let mut held = load.poll_all(connections, &url, pollers, &told)?;
    let mut ops = Ops::connect(&lombard.endpoints.ops, data).await?;
    while ops.held_polls().await? < u64::try_from(POLLS)? {
        ended_early(&mut held).await?;
    }
    let weight = MemoryPerConnection { idle, held: share(&lombard.process, before)? };

    let mut wakes = Histogram::new(3)?;
    for (number, poller) in pollers.iter().enumerate() {
        let began = Instant::now();
        let raised = ops.raise(&poller.client, 1).await?;
        let Ok(Some(woken)) = tokio::time::timeout(LOST_AFTER, hear.recv()).await else { continue };
        if woken.number != number || !raised.iter().all(|jti| woken.answer.contains(jti)) {
            return Err("somebody was told of another's event".into());
        }
        wakes.record(u64::try_from(woken.at.duration_since(began).as_micros())?)?;
    }
    drop(held);
    lombard.process.stop().await?;
    Ok((weight, wakes))
}

/// The bytes of memory per connection, before any request and with a held request.
#[derive(Debug, Clone, Copy)]
struct MemoryPerConnection {
    idle: f64,
    held: f64,
}

/// The memory that each connection has added.
fn share(process: &Process, before: f64) -> BenchResult<f64> {
    Ok((process.usage()?.resident_bytes - before) / f64::from(u32::try_from(POLLS)?))
}

/// A poll that returned events.
struct Woken {
    number: usize,
    at: Instant,
    answer: String,
}

/// Opens connections as ten thousand TPPs would: no connection resumes the session of another.
pub(crate) struct PollConnections {
    tls: TlsConnector,
    address: String,
    host: HeaderValue,
}

impl PollConnections {
    pub(crate) fn new(data: &Path, base: &str) -> BenchResult<Self> {
        let (anchors, identity) = Robot::credentials(data)?;
        let mut tls = tls_config(&anchors, Some(&identity), Protocol::Http1)?;
        tls.resumption = Resumption::disabled();
        let url = Url::parse(base)?;
        let address = format!("127.0.0.1:{}", url.port_or_known_default().ok_or("the address has no port")?);
        let host = HeaderValue::try_from(url.authority())?;
        Ok(Self { tls: TlsConnector::from(Arc::new(tls)), address, host })
    }

    pub(crate) async fn open(&self, count: usize) -> BenchResult<Vec<Connection>> {
        let mut opening = JoinSet::new();
        let mut open = Vec::with_capacity(count);
        for number in 0..count {
            if number >= OPENED_AT_ONCE
                && let Some(opened) = opening.join_next().await
            {
                open.push(opened??);
            }
            opening.spawn(one(self.tls.clone(), self.address.clone()));
        }
        while let Some(opened) = opening.join_next().await {
            open.push(opened??);
        }
        Ok(open)
    }

    /// Sends a request on a connection and reads the response, which must have this status.
    pub(crate) async fn ask(
        &self,
        connection: &mut Connection,
        request: &PreparedRequest,
        status: StatusCode,
    ) -> BenchResult<()> {
        connection.ready().await?;
        let answer = connection.send_request(request.request(&self.host)?).await?;
        if answer.status() != status {
            return Err(format!("a request was answered {}", answer.status()).into());
        }
        answer.into_body().collect().await?;
        Ok(())
    }

    /// Lets every poller poll on its own connection until it receives an event.
    fn poll_all(
        &self,
        connections: Vec<Connection>,
        url: &str,
        pollers: &[Poller],
        told: &UnboundedSender<Woken>,
    ) -> BenchResult<JoinSet<BenchResult<Connection>>> {
        let mut held = JoinSet::new();
        for (number, (connection, poller)) in connections.into_iter().zip(pollers).enumerate() {
            let shot = PreparedRequest::json(url, &poller.token, "{}".to_owned())?;
            held.spawn(until_told(connection, shot, self.host.clone(), number, told.clone()));
        }
        Ok(held)
    }
}

async fn one(tls: TlsConnector, address: String) -> BenchResult<Connection> {
    let stream = TcpStream::connect(&address)
        .await
        .map_err(|error| format!("a connection was refused; each needs a file descriptor (ulimit -n): {error}"))?;
    stream.set_nodelay(true)?;
    let stream = tls.connect(ServerName::try_from("localhost")?, stream).await?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    drop(tokio::spawn(connection));
    Ok(sender)
}

async fn until_told(
    mut connection: Connection,
    shot: PreparedRequest,
    host: HeaderValue,
    number: usize,
    told: UnboundedSender<Woken>,
) -> BenchResult<Connection> {
    loop {
        connection.ready().await?;
        let response = connection.send_request(shot.request(&host)?).await?;
        let status = response.status();
        let answer = response.into_body().collect().await?.to_bytes();
        let at = Instant::now();
        if status != StatusCode::OK {
            return Err(format!("a poll was answered {status}").into());
        }
        if !answer.starts_with(br#"{"sets":{}"#) {
            told.send(Woken { number, at, answer: String::from_utf8(answer.to_vec())? })?;
            return Ok(connection);
        }
    }
}

/// Fails if a held request has ended.
async fn ended_early(held: &mut JoinSet<BenchResult<Connection>>) -> BenchResult<()> {
    match tokio::time::timeout(Duration::from_millis(20), held.join_next()).await {
        Ok(Some(ended)) => Err(format!("a request that was to be held ended: {:?}", ended?.err()).into()),
        Ok(None) | Err(_) => Ok(()),
    }
}
