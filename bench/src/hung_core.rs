//! Tokens and discovery while every call of the bank's core hangs: what needs no core is answered as soon as ever.

use crate::core_reads::TwoProcesses;
use crate::figure::{Aim, Figure};
use crate::load::{DueRequest, PacedRound, PreparedRequest, Schedule};
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::tokens;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The bound on the 99th percentile of each, milliseconds.
const P99_MAX: f64 = 50.0;
const TIME: Duration = Duration::from_secs(30);
/// Reads that need the core, tokens, and discovery documents, a second of each.
const EACH_PER_SEC: u32 = 50;
/// Connections of each kind of request. A read keeps its own as long as the core is waited for.
const CONNECTIONS: usize = 64;
/// How soon a balance is read again once the core goes on.
const RECOVERED_SECS_MAX: u64 = 60;

pub(crate) async fn run(program: &Path) -> BenchResult<Vec<Figure>> {
    let TwoProcesses { bank, lombard, data, bank_data: _bank_data } = TwoProcesses::start(program).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let read = PreparedRequest::get(&robot.tpp.resource_url("aisp/balances"), &token)?;
    let discovery = format!("{}/.well-known/openid-configuration", lombard.endpoints.public);
    let discovery = PreparedRequest::get(&discovery, &token)?;
    let count = usize::try_from(TIME.as_secs())? * usize::try_from(EACH_PER_SEC)?;
    let mut tokens = Vec::with_capacity(count);
    for _ in 0..count {
        tokens.push(Arc::new(tokens::shot(&robot).await?));
    }
    let base = [&lombard.endpoints.mtls, &lombard.endpoints.mtls, &lombard.endpoints.public];
    let mut reading = robot.connect_few(base[0], CONNECTIONS).await?;
    let mut asking = robot.connect_few(base[1], CONNECTIONS).await?;
    let mut looking = robot.connect_few(base[2], CONNECTIONS).await?;
    reading.ask(&read).await?;

    bank.hang().await?;
    let (reads, tokens, discoveries) = tokio::join!(
        reading.pace(evenly(std::iter::repeat_n(Arc::new(read.clone()), count))),
        asking.pace(evenly(tokens)),
        looking.pace(evenly(std::iter::repeat_n(Arc::new(discovery), count))),
    );
    let (reads, tokens, discoveries) = (reads?, tokens?, discoveries?);
    bank.resume().await?;
    let resumed = Instant::now();
    while reading.ask(&read).await.is_err() {
        if resumed.elapsed().as_secs() > RECOVERED_SECS_MAX {
            return Err("the core goes on, and balances are not read again".into());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let recovered = resumed.elapsed();
    lombard.process.stop().await?;
    bank.stop().await?;

    println!(
        "core/hung: {EACH_PER_SEC} reads, tokens and discovery documents each a second while the core answers nothing"
    );
    println!(
        "  {} of {} reads refused; a balance is read {recovered:.1?} after the core goes on",
        reads.errors, reads.requests
    );
    if reads.errors != reads.requests {
        return Err("a balance was read from a core that answers nothing".into());
    }
    let mut figures = Vec::new();
    for (name, round) in [("reads refused", &reads), ("tokens", &tokens), ("discovery", &discoveries)] {
        let latencies = round.all()?;
        let millis = |quantile| Duration::from_micros(latencies.value_at_quantile(quantile)).as_secs_f64() * 1e3;
        println!("  {name:<14} {:>6}   p50 {:>8.2} ms   p99 {:>8.2} ms", latencies.len(), millis(0.5), millis(0.99));
    }
    for (name, round) in [("core/hung-tokens", &tokens), ("core/hung-discovery", &discoveries)] {
        let PacedRound { errors: 0, unsent: 0, .. } = round else {
            return Err(format!("{name}: not all were answered").into());
        };
        let p99 = Duration::from_micros(round.all()?.value_at_quantile(0.99)).as_secs_f64() * 1e3;
        figures.push(Figure::of_sides(name, p99, P99_MAX, "ms p99", Aim::AtMost(1.0)));
    }
    Ok(figures)
}

/// Requests that are due one after another, evenly.
fn evenly(requests: impl IntoIterator<Item = Arc<PreparedRequest>>) -> Schedule {
    let every = Duration::from_secs(1) / EACH_PER_SEC;
    let due = |(number, request)| DueRequest { due: every * number, group: 0, request };
    let requests = (0..).zip(requests).map(due).collect();
    Schedule { began: tokio::time::Instant::now(), requests, groups: 1 }
}
