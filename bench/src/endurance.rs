//! Millions of mixed requests without reads of `/metrics`: memory must depend on stored data, not on the number of requests
//! answered.
//!
//! The requests come in five parts. Resident memory after the last part, at rest, is compared with that after the first.

use crate::figure::{Aim, Figure};
use crate::fill;
use crate::load::{CONNECTIONS, PreparedRequest, Target};
use crate::payments;
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::tokens;
use indicatif::ProgressBar;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

const PARTS: u64 = 5;
const ENTRIES: u32 = 1_000;
/// Of each connection in a block.
const READS: usize = 150;
const POLLS: usize = 3;
/// Connections that order a payment in a block; each asks for a token too.
const PAYERS: usize = 5;
/// How long the server rests before it is measured: it looks after its memory in between.
const REST: Duration = Duration::from_secs(5);
const MEMORY_MAX: f64 = 1.05;

pub(crate) async fn run(program: &Path, requests: u64) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    fill::account(&fill::first_start(program, data.path()).await?.bank, "endurance", ENTRIES).await?;
    let lombard = Lombard::start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let mut target = robot.connect(&lombard.endpoints.mtls).await?;
    let mut resident = Vec::new();
    println!("endurance");
    for part in 1..=PARTS {
        let sent = one_part(&robot, &mut target, requests / PARTS).await?;
        tokio::time::sleep(REST).await;
        let bytes = lombard.process.usage()?.resident_bytes;
        println!("  after part {part}: {sent} requests more, {:.1} MB resident", bytes / 1e6);
        resident.push(bytes);
    }
    lombard.process.stop().await?;
    let (Some(first), Some(last)) = (resident.first(), resident.last()) else {
        return Err("nothing was measured".into());
    };
    Ok(vec![Figure::of_sides("endurance", last / 1e6, first / 1e6, "MB", Aim::AtMost(MEMORY_MAX))])
}

/// Block after block until so many requests were answered.
async fn one_part(robot: &Robot, target: &mut Target, requests: u64) -> BenchResult<u64> {
    // A token lives for an hour, a part for some minutes.
    let token = robot.token().await?;
    let account = robot.account(&token, "endurance").await?;
    let url = |case: &str| robot.tpp.resource_url(&format!("aisp/accounts/{account}/{case}"));
    let reads = [PreparedRequest::get(&url("balances"), &token)?, PreparedRequest::get(&url("transactions"), &token)?];
    let order = json!({"maxEvents": 10, "returnImmediately": true}).to_string();
    let poll = PreparedRequest::json(&robot.tpp.resource_url("events"), &robot.own_token().await?, order)?;
    let progress = ProgressBar::new(requests);
    let mut sent = 0;
    while sent < requests {
        let rare = rare(robot).await?;
        let shots = (0..CONNECTIONS).map(|connection| {
            let reads = reads.iter().cycle().take(READS);
            let more = rare.get(connection).into_iter().flatten();
            reads.chain(std::iter::repeat_n(&poll, POLLS)).chain(more).cloned().collect()
        });
        let answered = target.fire(shots.collect(), 1).await?.requests;
        sent += answered;
        progress.inc(answered);
    }
    progress.finish_and_clear();
    Ok(sent)
}

/// A token asked for and a payment ordered, for the first connections of a block.
async fn rare(robot: &Robot) -> BenchResult<Vec<Vec<PreparedRequest>>> {
    let own = robot.tpp.client_credentials("payments").await?.access_token;
    let mut rare = Vec::with_capacity(PAYERS);
    for _ in 0..PAYERS {
        rare.push(vec![tokens::shot(robot).await?, payments::shot(&robot.tpp, &own, payments::PAID).await?]);
    }
    Ok(rare)
}
