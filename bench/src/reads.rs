//! Balances, and a page of 50 transactions out of 10,000, against bare axum answering the same bytes: one page from the cache of
//! rendered pages, and pages that are not in it.

use crate::compare::{Pairs, cost};
use crate::figure::Figure;
use crate::fill;
use crate::floor::Floor;
use crate::load::{CONNECTIONS, PreparedRequest};
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
    let mut bounds = UncachedBounds::default();
    for (case, list, aim) in [
        ("balances", "balances", 0.42),
        ("transactions", "transactions", 0.35),
        ("transactions-uncached", "transactions", 0.1),
    ] {
        let url = robot.tpp.resource_url(&format!("aisp/accounts/{account}/{list}"));
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
            let shots = match case {
                "transactions-uncached" => bounds.requests(&shot, TIMES)?,
                _ => vec![vec![shot.clone(); TIMES]; CONNECTIONS],
            };
            pairs.add(bound, cost(&lombard.process, ours.fire(shots, 1)).await?);
        }
        pairs.print(&format!("reads/{case}: {} bytes", answer.body.len()), "bare axum, same bytes", "lombard");
        figures.push(Figure::of_speed(format!("reads/{case}"), &pairs, aim));
    }
    lombard.process.stop().await?;
    Ok(figures)
}

/// Makes distinct addresses of the same first page: each has another `toBookingDateTime`, later than every entry.
#[derive(Debug, Default)]
pub(crate) struct UncachedBounds {
    count: u32,
}

impl UncachedBounds {
    /// The request with a bound that none had before.
    pub(crate) fn next(&mut self, request: &PreparedRequest) -> BenchResult<PreparedRequest> {
        self.count = self.count.saturating_add(1);
        let (day, hour, minute) = (self.count % 28 + 1, self.count / 28 % 24, self.count / 672 % 60);
        let (month, year) = (self.count / 40_320 % 12 + 1, self.count / 483_840 + 2_100);
        let bound = format!("toBookingDateTime={year}-{month:02}-{day:02}T{hour:02}:{minute:02}:00");
        Ok(PreparedRequest { path: format!("{}?{bound}", request.path.path()).parse()?, ..request.clone() })
    }

    /// The requests of a round, so many of every connection.
    pub(crate) fn requests(
        &mut self,
        request: &PreparedRequest,
        times: usize,
    ) -> BenchResult<Vec<Vec<PreparedRequest>>> {
        (0..CONNECTIONS).map(|_| (0..times).map(|_| self.next(request)).collect()).collect()
    }
}
