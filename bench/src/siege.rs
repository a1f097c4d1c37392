//! Slow anonymous request bodies, unread responses and useless uploads at the same time: their effect on another TPP's calls,
//! on memory and on the disk.
//!
//! Before the siege the server has served what the siege consists of once: an upload, an order of its payments, their details
//! read to the end, and the other TPP's calls. For some seconds before those both have read large answers to their end on many
//! connections: the page caches of the database's connections are bounded and fill with any use, so a server that has just
//! started has less memory than one at work, and the difference is nothing that attackers cost. Memory and folder are
//! compared with those of that moment.
//!
//! The attackers have the lowest priority on this machine: elsewhere they would have processors of their own, and what is
//! measured is what they cost the server.

use crate::attack::{ListenerAddress, Statuses, folder_bytes, leave_unread, most_resident};
use crate::figure::{Aim, Figure};
use crate::files::Uploader;
use crate::load::PreparedRequest;
use crate::ops::Ops;
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::unread::large_answers;
use hdrhistogram::Histogram;
use lombard_tpp::Protocol;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinSet;

/// Payments of the file whose details are asked for.
const LINES: usize = 20_000;
/// Payments of the files that are sent for consents nobody decides on.
const UPLOADED_LINES: usize = 5_000;
const SLOW_BODIES: usize = 400;
const UNREAD_CONNECTIONS: usize = 4;
const UNREAD_EVERY: Duration = Duration::from_secs(10);
const UPLOADERS: usize = 4;
/// How often each of them sends a file.
const UPLOAD_EVERY: Duration = Duration::from_secs(4);
/// The other TPP: so many connections, each with a call every so often. The attackers act by whole seconds; calls come at
/// every moment between those.
const CALLERS: usize = 4;
const CALL_EVERY: Duration = Duration::from_millis(41);
/// What it reads before that: so many connections, each with a large answer every so often, which stays within its rate.
const READERS: usize = 16;
const READ_EVERY: Duration = Duration::from_millis(125);
const READS: Duration = Duration::from_secs(10);
/// How the details are read to the end before that: on as many connections as one client may download on.
const DETAILS_READERS: usize = 4;
const DETAILS_EVERY: Duration = Duration::from_secs(1);
/// How long it calls alone.
const ALONE: Duration = Duration::from_secs(30);
/// The defaults of the rates that the siege meets.
const RATES: [(&str, &str); 4] = [
    ("RATES__TOKEN_PER_S", "50"),
    ("RATES__ACCOUNTS_PER_S", "200"),
    ("RATES__PAYMENTS_PER_S", "100"),
    ("RATES__FILES_PER_S", "20"),
];
const LATENCY_MAX: f64 = 2.0;
const MEMORY_MAX: f64 = 1.2;
/// What a client may store for consents that nobody has decided on, bytes: so little that the siege comes to it.
const QUOTA_BYTES: u32 = 64 << 20;
/// The largest file there may be, bytes: a third of the quota is the most that a file can be and be taken.
const FILE_BYTES_MAX: u32 = 16 << 20;
const MB: f64 = 1e6;
const OTHER: &str = "bystander";

/// What is sent against the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Attack {
    /// Bodies of a byte a second.
    SlowBodies,
    /// Answers that are not read.
    UnreadAnswers,
    /// Files for consents that nobody decides on.
    Uploads,
}

/// With every attack, or with one alone.
pub(crate) async fn run(program: &Path, minutes: u64, only: Option<Attack>) -> BenchResult<Vec<Figure>> {
    let has = move |attack| only.is_none_or(|only| only == attack);
    let data = tempfile::tempdir()?;
    let database = format!("sqlite://{}", data.path().join("lombard.db").display());
    let (quota, largest) = (QUOTA_BYTES.to_string(), FILE_BYTES_MAX.to_string());
    let settings =
        [("DATABASE__URL", database), ("LIMITS__UNUSED_FILE_BYTES_MAX", quota), ("LIMITS__FILE_BYTES_MAX", largest)]
            .into_iter();
    // Rates are in force, as they usually are.
    let usual = RATES.map(|(name, per_second)| (name, per_second.to_owned()));
    let settings: Vec<_> = settings.chain(usual).collect();
    let lombard = Lombard::start_with(program, data.path(), &settings).await?;
    let large = large_answers(data.path(), LINES).await?;
    Ops::connect(&lombard.endpoints.ops).await?.create_tpp(OTHER, "amelia").await?;
    let other = Arc::new(Bystander::prepare(data.path(), &lombard.endpoints.mtls).await?);
    call_evenly((&other.robot, &other.base), &other.transactions, (READERS, READ_EVERY), READS).await?;
    let details = large.first().ok_or("no large answer")?;
    let attacker = Robot::open(data.path())?;
    call_evenly((&attacker, &other.base), details, (DETAILS_READERS, DETAILS_EVERY), READS).await?;
    // Made ready before the siege: once the answers of their TPP wait unread, it gets no tokens.
    let mut uploaders = Vec::new();
    for _ in 0..if has(Attack::Uploads) { UPLOADERS } else { 0 } {
        uploaders.push(Uploader::open(Robot::open(data.path())?, UPLOADED_LINES).await?);
    }
    let alone = Arc::clone(&other).call_apart(ALONE).await?;
    let memory = lombard.process.usage()?.resident_bytes;
    let disk = folder_bytes(data.path())?;

    let time = Duration::from_secs(minutes.saturating_mul(60));
    let (anchors, identity) = Robot::credentials(data.path())?;
    let way = ListenerAddress::to(&lombard.endpoints.mtls, &anchors, Some(&identity), Protocol::Any)?;
    let anonymous = ListenerAddress::to(&lombard.endpoints.public, &anchors, None, Protocol::Http1)?;
    let attackers = Attackers::start()?;
    attackers.0.spawn(async move {
        let slow = anonymous.trickle_many(if has(Attack::SlowBodies) { SLOW_BODIES } else { 0 });
        tokio::time::sleep(time).await;
        drop(slow);
    });
    let unanswered = if has(Attack::UnreadAnswers) { large } else { Vec::new() };
    let unread =
        attackers.0.spawn(async move { leave_unread(&way, &unanswered, UNREAD_CONNECTIONS, UNREAD_EVERY, time).await });
    let uploads = attackers.0.spawn(async move { upload(uploaders, time).await });
    let (unread, uploads, most, besieged) =
        tokio::join!(unread, uploads, most_resident(&lombard.process, time), other.call_apart(time));
    let (unread, uploads, most, besieged) = (unread??, uploads??, most?, besieged?);
    drop(attackers);
    let grown = folder_bytes(data.path())?.saturating_sub(disk);
    lombard.process.stop().await?;

    let millis =
        |calls: &Histogram<u64>, quantile| Duration::from_micros(calls.value_at_quantile(quantile)).as_secs_f64() * 1e3;
    let grown = f64::from(u32::try_from(grown / 1000)?) * 1e3;
    println!("siege: {minutes} minutes, {SLOW_BODIES} slow bodies, {UPLOADERS} senders of files, unread answers");
    for (side, calls) in [("alone", &alone), ("besieged", &besieged)] {
        let (p50, p99) = (millis(calls, 0.5), millis(calls, 0.99));
        println!("  {side:<9} {:>7} calls   p50 {p50:>6.2} ms   p99 {p99:>6.2} ms", calls.len());
    }
    println!(
        "  memory {:.1} MB before, at most {:.1} MB; the folder grew by {:.1} MB",
        memory / MB,
        most / MB,
        grown / MB
    );
    println!("  unread answers: {}; files: {}", unread.words(), uploads.words());
    let (slow, usual) = (millis(&besieged, 0.99), millis(&alone, 0.99));
    Ok(vec![
        Figure::of_sides("siege/latency", slow, usual, "ms p99", Aim::AtMost(LATENCY_MAX)),
        Figure::of_sides("siege/memory", most / MB, memory / MB, "MB", Aim::AtMost(MEMORY_MAX)),
        Figure::of_sides("siege/disk", grown / MB, f64::from(QUOTA_BYTES) / MB, "MB", Aim::AtMost(1.0)),
    ])
}

/// Threads of the lowest priority.
struct Attackers(Handle, Option<Runtime>);

impl Attackers {
    fn start() -> BenchResult<Self> {
        let lowest = || {
            // On Linux alone, no process named means the calling thread.
            if let Err(error) = rustix::process::setpriority_process(None, 19) {
                println!("  the attackers keep their priority: {error}");
            }
        };
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().on_thread_start(lowest).build()?;
        Ok(Self(runtime.handle().clone(), Some(runtime)))
    }
}

impl Drop for Attackers {
    fn drop(&mut self) {
        if let Some(runtime) = self.1.take() {
            runtime.shutdown_background();
        }
    }
}

/// Another TPP, which only wants its customer's balances.
struct Bystander {
    robot: Robot,
    base: String,
    balances: PreparedRequest,
    transactions: PreparedRequest,
}

impl Bystander {
    async fn prepare(data: &Path, base: &str) -> BenchResult<Self> {
        let robot = Robot::open_named(data, OTHER)?;
        let token = robot.token().await?;
        let [balances, transactions] = ["balances", "transactions"]
            .map(|list| PreparedRequest::get(&robot.tpp.resource_url(&format!("aisp/{list}")), &token));
        Ok(Self { robot, base: base.to_owned(), balances: balances?, transactions: transactions? })
    }

    /// The same on a thread of its own: what is measured is the server, not how busy the attackers keep their own threads.
    async fn call_apart(self: Arc<Self>, time: Duration) -> BenchResult<Histogram<u64>> {
        let call = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(call_evenly((&self.robot, &self.base), &self.balances, (CALLERS, CALL_EVERY), time))
        };
        tokio::task::spawn_blocking(call).await?
    }
}

/// Calls for so long on so many connections, on each every so often; gives how long each call took, microseconds.
async fn call_evenly(
    (robot, base): (&Robot, &str),
    shot: &PreparedRequest,
    (connections, every): (usize, Duration),
    time: Duration,
) -> BenchResult<Histogram<u64>> {
    let mut callers = JoinSet::new();
    for number in 0..connections {
        let later = every / u32::try_from(connections)? * u32::try_from(number)?;
        let (mut target, shot) = (robot.connect_few(base, 1).await?, shot.clone());
        callers.spawn(async move {
            let (began, mut calls) = (Instant::now(), Histogram::<u64>::new(3)?);
            let mut next = tokio::time::interval_at(tokio::time::Instant::now() + later, every);
            next.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            while began.elapsed() < time {
                next.tick().await;
                let sent = Instant::now();
                target.ask(&shot).await?;
                calls.record(u64::try_from(sent.elapsed().as_micros())?)?;
            }
            BenchResult::Ok(calls)
        });
    }
    let mut all = Histogram::new(3)?;
    while let Some(calls) = callers.join_next().await {
        all.add(calls??)?;
    }
    Ok(all)
}

/// Sends files for consents that nobody decides on; gives how they were answered.
async fn upload(uploaders: Vec<Uploader>, time: Duration) -> BenchResult<Statuses> {
    let mut senders = JoinSet::new();
    for uploader in uploaders {
        senders.spawn(async move {
            let (began, mut seen) = (Instant::now(), Statuses::default());
            let mut next = tokio::time::interval(UPLOAD_EVERY);
            while began.elapsed() < time {
                next.tick().await;
                seen.note(uploader.send().await?);
            }
            BenchResult::Ok(seen)
        });
    }
    let mut seen = Statuses::default();
    while let Some(sender) = senders.join_next().await {
        seen.add(&sender??);
    }
    Ok(seen)
}
