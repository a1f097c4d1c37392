//! Unread responses: resident memory while and after a TPP requests large responses on streams without flow-control window.

use crate::attack::{ListenerAddress, leave_unread, most_resident};
use crate::figure::{Aim, Figure};
use crate::files;
use crate::load::PreparedRequest;
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use lombard_tpp::Protocol;
use std::path::Path;
use std::time::Duration;

/// Payments of the file whose details are asked for.
const LINES: usize = 50_000;
const CONNECTIONS: usize = 4;
/// A connection is replaced so often.
const EVERY: Duration = Duration::from_secs(10);
/// Longer than an answer may stand still.
const TIME: Duration = Duration::from_secs(60);
/// How long the server is left alone before it is measured.
const REST: Duration = Duration::from_secs(5);
const MEMORY_MAX: f64 = 1.2;
const MB: f64 = 1e6;

pub(crate) async fn run(program: &Path) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let settings = [("DATABASE__URL", format!("sqlite://{}", data.path().join("lombard.db").display()))];
    let lombard = Lombard::start_with(program, data.path(), &settings).await?;
    let large = large_answers(data.path(), LINES).await?;
    let (anchors, identity) = Robot::credentials(data.path())?;
    let way = ListenerAddress::to(&lombard.endpoints.mtls, &anchors, Some(&identity), Protocol::Any)?;
    let before = most_resident(&lombard.process, REST).await?;
    let (seen, held) =
        tokio::join!(leave_unread(&way, &large, CONNECTIONS, EVERY, TIME), most_resident(&lombard.process, TIME),);
    let (seen, held) = (seen?, held?);
    tokio::time::sleep(REST).await;
    let after = lombard.process.usage()?.resident_bytes;
    println!("unread: details of {LINES} payments and transactions, {CONNECTIONS} connections at a time");
    println!("  {:.1} MB before, at most {:.1} MB meanwhile, {:.1} MB after", before / MB, held / MB, after / MB);
    println!("  answered {}", seen.words());
    lombard.process.stop().await?;
    let figure = |case: &str, bytes: f64| {
        Figure::of_sides(format!("unread/{case}"), bytes / MB, before / MB, "MB", Aim::AtMost(MEMORY_MAX))
    };
    Ok(vec![figure("held", held), figure("after", after)])
}

/// Requests with large answers: of a file of so many payments that was paid, and of an account. Each was answered once.
pub(crate) async fn large_answers(data: &Path, lines: usize) -> BenchResult<Vec<PreparedRequest>> {
    let robot = Robot::open(data)?;
    let token = robot.token().await?;
    let accounts = robot.tpp.get(&token, "aisp/accounts").await?.json()?;
    let account = accounts.pointer("/Data/Account/0/AccountId").and_then(|id| id.as_str()).ok_or("no account")?;
    let transactions =
        PreparedRequest::get(&robot.tpp.resource_url(&format!("aisp/accounts/{account}/transactions")), &token)?;
    let (own, details) = files::pay_one(robot, lines).await?;
    Ok(vec![PreparedRequest::get(&details, &own)?, transactions])
}
