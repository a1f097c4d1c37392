//! Balances, and a page of 50 transactions out of 10,000, against bare axum answering the same bytes: the page that was asked
//! for before, and one that nobody has asked for.

use crate::compare::{Pairs, cost};
use crate::figure::{Aim, Figure};
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
    let mut addresses = UnaskedAddresses::default();
    for (case, list, aim) in
        [("balances", "balances", 0.42), ("transactions", "transactions", 0.35), ("unasked", "transactions", 0.1)]
    {
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
                "unasked" => addresses.shots(&url, &token)?,
                _ => vec![vec![shot.clone(); TIMES]; CONNECTIONS],
            };
            pairs.add(bound, cost(&lombard.process, ours.fire(shots, 1)).await?);
        }
        pairs.print(&format!("reads/{case}: {} bytes", answer.body.len()), "bare axum, same bytes", "lombard");
        figures.push(Figure { name: format!("reads/{case}"), ratio: pairs.speed(), aim: Aim::AtLeast(aim) });
    }
    lombard.process.stop().await?;
    Ok(figures)
}

/// Addresses of the first page of a list that differ in a bound that lies beyond all its records.
#[derive(Debug, Default)]
struct UnaskedAddresses {
    given: u32,
}

impl UnaskedAddresses {
    /// The requests of a round, each with an address of its own.
    fn shots(&mut self, url: &str, token: &str) -> BenchResult<Vec<Vec<PreparedRequest>>> {
        let mut next = || {
            self.given = self.given.saturating_add(1);
            let (day, hour) = (self.given % 28 + 1, self.given / 28 % 24);
            let (month, year) = (self.given / 672 % 12 + 1, self.given / 8_064 + 2_100);
            PreparedRequest::get(&format!("{url}?toBookingDateTime={year}-{month:02}-{day:02}T{hour:02}:00:00"), token)
        };
        (0..CONNECTIONS).map(|_| (0..TIMES).map(|_| next()).collect()).collect()
    }
}
