//! Balances, and a page of 50 transactions out of 10,000, against bare axum answering the same bytes.

use crate::compare::{Pairs, cost};
use crate::figure::{Aim, Figure};
use crate::fill;
use crate::floor::Floor;
use crate::load::PreparedRequest;
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use std::path::Path;

const ENTRIES: u32 = 10_000;
/// Requests of each connection in a round.
const TIMES: usize = 400;
const WARM_UP: usize = 50;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    fill::account(&fill::first_start(program, data.path()).await?.bank, "reads", ENTRIES).await?;
    let lombard = Lombard::start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let account = robot.account(&token, "reads").await?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let mut figures = Vec::new();
    for case in ["balances", "transactions"] {
        let url = robot.tpp.resource_url(&format!("aisp/accounts/{account}/{case}"));
        let shot = PreparedRequest::get(&url, &token)?;
        let answer = ours.ask(&shot).await?;
        let work = tempfile::tempdir()?;
        let floor = Floor::bytes(data.path(), work.path(), &answer).await?;
        let mut bare = robot.connect(&floor.base).await?;
        ours.repeat(&shot, WARM_UP).await?;
        bare.repeat(&shot, WARM_UP).await?;
        let mut pairs = Pairs::default();
        for _ in 0..rounds {
            let bound = cost(&floor.process, bare.repeat(&shot, TIMES)).await?;
            pairs.add(bound, cost(&lombard.process, ours.repeat(&shot, TIMES)).await?);
        }
        pairs.print(&format!("reads/{case}: {} bytes", answer.body.len()), "bare axum, same bytes", "lombard");
        figures.push(Figure { name: format!("reads/{case}"), ratio: pairs.speed(), aim: Aim::AtLeast(0.35) });
    }
    lombard.process.stop().await?;
    Ok(figures)
}
