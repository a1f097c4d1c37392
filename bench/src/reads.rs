//! Reads balances and a page of 50 transactions out of 10,000. The floor is bare axum that answers the same bytes. One page comes from the
//! cache of rendered pages, the others are not in the cache. On PostgreSQL, the floor makes one round trip for each request: it reads a
//! row, or a page of rows for uncached pages. Finally, all reads are measured with the request log, against the same reads without it.

use crate::compare::{Pairs, cost_beside};
use crate::database::Engine;
use crate::figure::{Aim, Figure};
use crate::fill;
use crate::floor::Floor;
use crate::load::{CONNECTIONS, PreparedRequest};
use crate::result::BenchResult;
use crate::robot::Robot;
use std::path::Path;

const ENTRIES: u32 = 10_000;
/// The number of requests of each connection in a round.
const TIMES: usize = 400;
const WARM_UP: usize = 50;
/// The number of pairs of servers with and without the request log. Two equal servers differ by up to three per cent over any number of
/// rounds, so the mean of the middle pairs counts.
const LOG_PAIRS: usize = 9;
/// The number of pairs with the largest differences that are left out on each side.
const LOG_PAIRS_LEFT_OUT: usize = 2;
/// The number of rounds of each pair.
const LOG_ROUNDS: usize = 2;
/// The size of the request log in bytes, which is the default.
const LOG_BYTES: u32 = 16 << 20;
/// The maximum cost of a request with the log, as a multiple of its cost without the log.
const LOG_COST_MAX: f64 = 1.05;

/// A list that is read.
struct ReadCase {
    name: &'static str,
    list: &'static str,
    /// The minimum share of the floor's speed on SQLite and on PostgreSQL.
    aims: [f64; 2],
    /// Whether each request is for a page that was not requested before.
    is_uncached: bool,
}

const CASES: [ReadCase; 3] = [
    ReadCase { name: "balances", list: "balances", aims: [0.42, 0.6], is_uncached: false },
    ReadCase { name: "transactions", list: "transactions", aims: [0.35, 0.6], is_uncached: false },
    ReadCase { name: "transactions-uncached", list: "transactions", aims: [0.1, 0.1], is_uncached: true },
];

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let engine = Engine::of_this_run()?;
    let postgres = engine.process().await?;
    let database = engine.database(data.path(), "reads").await?;
    fill::account(&database.first_start(program, data.path()).await?.bank, "reads", ENTRIES).await?;
    database.settle().await?;
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let account = robot.account(&token, "reads").await?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let mut figures = Vec::new();
    let mut bounds = UncachedBounds::default();
    for case in CASES {
        let url = robot.tpp.resource_url(&format!("aisp/accounts/{account}/{}", case.list));
        let shot = PreparedRequest::get(&url, &token)?;
        let answer = ours.send_once(&shot).await?;
        let work = tempfile::tempdir()?;
        let floor_database = engine.database(work.path(), "reads_floor").await?;
        let floor = match &engine {
            Engine::Sqlite => Floor::bytes(data.path(), work.path(), &answer).await?,
            Engine::Postgres(_) => {
                Floor::rows(data.path(), work.path(), &answer, floor_database.url(), case.is_uncached).await?
            }
        };
        let mut bare = robot.connect(&floor.base).await?;
        ours.repeat(&shot, WARM_UP).await?;
        bare.repeat(&shot, WARM_UP).await?;
        let mut pairs = Pairs::default();
        for _ in 0..rounds {
            let bound = cost_beside(&[&floor.process], postgres, bare.repeat(&shot, TIMES)).await?;
            let shots = if case.is_uncached {
                bounds.requests(&shot, TIMES)?
            } else {
                vec![vec![shot.clone(); TIMES]; CONNECTIONS]
            };
            pairs.add(bound, cost_beside(&[&lombard.process], postgres, ours.run_round(shots, 1)).await?);
        }
        let name = format!("reads/{}", case.name);
        let bound = match &engine {
            Engine::Sqlite => "bare axum, same bytes",
            Engine::Postgres(_) => "one select, same bytes",
        };
        pairs.print(&format!("{name}: {} bytes", answer.body.len()), bound, "lombard");
        figures.push(Figure::of_speed(name, &pairs, engine.choose(case.aims)));
        drop(floor);
        floor_database.drop_database().await?;
    }
    lombard.process.stop().await?;
    database.drop_database().await?;
    figures.push(request_log_cost(program, &engine).await?);
    Ok(figures)
}

/// The cost of the lists with the request log as a multiple of the cost without it: the mean of several pairs of servers, without the
/// outermost pairs.
async fn request_log_cost(program: &Path, engine: &Engine) -> BenchResult<Figure> {
    let mut bounds = UncachedBounds::default();
    let mut costs = Vec::new();
    for _ in 0..LOG_PAIRS {
        let cost = request_log_cost_of_pair(program, engine, &mut bounds).await?;
        println!("reads/request-log: {:.3} times as much", cost.multiple());
        costs.push(cost);
    }
    costs.sort_by(|a, b| a.multiple().total_cmp(&b.multiple()));
    let middle = costs.get(LOG_PAIRS_LEFT_OUT..LOG_PAIRS - LOG_PAIRS_LEFT_OUT).ok_or("too few pairs of servers")?;
    let count = f64::from(u32::try_from(middle.len())?);
    let mean = |side: fn(&LogCost) -> f64| middle.iter().map(side).sum::<f64>() / count;
    let unlogged = mean(|cost| cost.unlogged);
    let logged = mean(|cost| cost.logged);
    let unit = "µs CPU for one request of each list";
    Ok(Figure::of_sides("reads/request-log", logged, unlogged, unit, Aim::AtMost(LOG_COST_MAX)))
}

/// The processor time of one request of each list in microseconds.
#[derive(Debug, Default)]
struct LogCost {
    unlogged: f64,
    logged: f64,
}

impl LogCost {
    fn multiple(&self) -> f64 {
        self.logged / self.unlogged
    }
}

/// The costs on two servers that differ only in the request log, in alternating rounds.
async fn request_log_cost_of_pair(
    program: &Path,
    engine: &Engine,
    bounds: &mut UncachedBounds,
) -> BenchResult<LogCost> {
    let postgres = engine.process().await?;
    let data = [tempfile::tempdir()?, tempfile::tempdir()?];
    let mut databases = Vec::new();
    let mut servers = Vec::new();
    for ((data, name), log_bytes) in data.iter().zip(["reads_unlogged", "reads_logged"]).zip([0, LOG_BYTES]) {
        let database = engine.database(data.path(), name).await?;
        fill::account(&database.first_start(program, data.path()).await?.bank, "reads", ENTRIES).await?;
        database.settle().await?;
        let settings = [("REQUEST_LOG__BYTES_MAX", log_bytes.to_string())];
        let server = database.start_with(program, data.path(), &settings).await?;
        let robot = Robot::open(data.path())?;
        let token = robot.token().await?;
        let account = robot.account(&token, "reads").await?;
        let base = robot.tpp.resource_url(&format!("aisp/accounts/{account}/"));
        let connections = robot.connect(&server.endpoints.mtls).await?;
        databases.push(database);
        servers.push((server, connections, (base, token)));
    }
    let mut cost = LogCost::default();
    for case in CASES {
        let mut pairs = Pairs::default();
        for round in 0..=LOG_ROUNDS {
            let mut costs = Vec::new();
            for (server, connections, (base, token)) in &mut servers {
                let shot = PreparedRequest::get(&format!("{base}{}", case.list), token)?;
                let shots = if case.is_uncached {
                    bounds.requests(&shot, TIMES)?
                } else {
                    vec![vec![shot; TIMES]; CONNECTIONS]
                };
                costs.push(cost_beside(&[&server.process], postgres, connections.run_round(shots, 1)).await?);
            }
            // The first round warms up both servers.
            if let ([unlogged, logged], true) = (costs.as_slice(), round > 0) {
                pairs.add(*unlogged, *logged);
            }
        }
        println!("reads/request-log: {} {:.3} times as much", case.name, pairs.multiple());
        let unlogged = pairs.sides().bound;
        cost.unlogged += unlogged;
        cost.logged += unlogged * pairs.multiple();
    }
    for (server, ..) in servers {
        server.process.stop().await?;
    }
    for database in databases {
        database.drop_database().await?;
    }
    Ok(cost)
}

/// Generates different URLs of the same first page: each has a different `toBookingDateTime`, which is later than every entry.
#[derive(Debug, Default)]
pub(crate) struct UncachedBounds {
    count: u32,
}

impl UncachedBounds {
    /// The request with a bound that no earlier request had.
    pub(crate) fn next(&mut self, request: &PreparedRequest) -> BenchResult<PreparedRequest> {
        self.count = self.count.saturating_add(1);
        let day = self.count % 28 + 1;
        let hour = self.count / 28 % 24;
        let minute = self.count / 672 % 60;
        let month = self.count / 40_320 % 12 + 1;
        let year = self.count / 483_840 + 2_100;
        let bound = format!("toBookingDateTime={year}-{month:02}-{day:02}T{hour:02}:{minute:02}:00");
        Ok(PreparedRequest { path: format!("{}?{bound}", request.path.path()).parse()?, ..request.clone() })
    }

    /// The requests of a round, this many for every connection.
    pub(crate) fn requests(
        &mut self,
        request: &PreparedRequest,
        times: usize,
    ) -> BenchResult<Vec<Vec<PreparedRequest>>> {
        (0..CONNECTIONS).map(|_| (0..times).map(|_| self.next(request)).collect()).collect()
    }
}
