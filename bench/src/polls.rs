//! Polls, each of which requests ten events and acknowledges the previous ten. Their cost must not depend on the length of the queue.
//!
//! On SQLite the cost is the server's processor time. On PostgreSQL, half of the work is done by another program, so the cost is the
//! latency over one connection.

use crate::compare::{Cost, Pairs};
use crate::database::{Database, Engine};
use crate::figure::Figure;
use crate::load::{PreparedRequest, Target};
use crate::ops::Ops;
use crate::process::Lombard;
use crate::queues;
use crate::result::BenchResult;
use crate::robot::Robot;
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of events that wait in the short queue behind the events of a turn.
const FEW: u32 = 100;
const MANY: [u32; 2] = [10_000, 1_000_000];
/// The number of events in a poll.
const PAGE: u32 = 10;
/// The number of polls in a turn. Before a turn, as many events are raised as its polls remove.
const POLLS: u32 = 10;
/// The number of turns in a round.
const TURNS: u32 = 20;
const COST_MAX: f64 = 1.2;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let engine = Engine::of_this_run()?;
    let mut figures = Vec::new();
    for backlog in MANY {
        let pairs = compare(program, &engine, rounds, FEW, backlog).await?;
        let name = format!("polls/{backlog}");
        pairs.print(&name, &format!("{FEW} wait"), &format!("{backlog} wait"));
        figures.push(engine.figure(name, &pairs, COST_MAX));
    }
    Ok(figures)
}

/// Compares the polls of two banks: few events wait in one and many in the other.
pub(crate) async fn compare(program: &Path, engine: &Engine, rounds: usize, few: u32, many: u32) -> BenchResult<Pairs> {
    let mut few = BacklogBank::start(program, engine, few).await?;
    let mut many = BacklogBank::start(program, engine, many).await?;
    let mut pairs = Pairs::default();
    for round in 0..=rounds {
        let bound = few.round().await?;
        let grown = many.round().await?;
        // The first round warms up both servers.
        if round > 0 {
            pairs.add(bound, grown);
        }
    }
    few.stop().await?;
    many.stop().await?;
    Ok(pairs)
}

/// A bank whose queue has a backlog.
struct BacklogBank {
    lombard: Lombard,
    robot: Robot,
    target: Target,
    ops: Ops,
    token: String,
    /// The ids of the last page, which the next poll acknowledges.
    received: Vec<String>,
    backlog: u32,
    database: Database,
    _data: tempfile::TempDir,
}

impl BacklogBank {
    async fn start(program: &Path, engine: &Engine, backlog: u32) -> BenchResult<Self> {
        let data = tempfile::tempdir()?;
        let database = engine.database(data.path(), &format!("polls_{backlog}")).await?;
        let store = database.first_start(program, data.path()).await?;
        let card = lombard_tpp::TppFolder::read_folder(&data.path().join("tpps/robot"))?.details;
        queues::events(&store.server, &card.client_id, backlog).await?;
        drop(store);
        database.settle().await?;
        let lombard = database.start(program, data.path()).await?;
        let robot = Robot::open(data.path())?;
        let token = robot.own_token().await?;
        let target = robot.connect(&lombard.endpoints.mtls).await?;
        let ops = Ops::connect(&lombard.endpoints.ops, data.path()).await?;
        Ok(Self { lombard, robot, target, ops, token, received: Vec::new(), backlog, database, _data: data })
    }

    /// Runs the turns of a round. Each turn first raises as many events as its polls remove; only the polls are measured.
    async fn round(&mut self) -> BenchResult<Cost> {
        let mut cpu_secs = 0.0;
        let mut taken = Duration::ZERO;
        let mut latencies = Histogram::<u64>::new(3)?;
        for _ in 0..TURNS {
            let client = self.robot.tpp.client_id().clone();
            self.ops.raise(&client, PAGE * POLLS).await?;
            let before = self.lombard.process.cpu_secs()?;
            for _ in 0..POLLS {
                let began = Instant::now();
                self.poll().await?;
                taken += began.elapsed();
                latencies.record(u64::try_from(began.elapsed().as_micros())?)?;
            }
            cpu_secs += self.lombard.process.cpu_secs()? - before;
        }
        let polls = f64::from(TURNS * POLLS);
        let millis = |quantile: f64| Duration::from_micros(latencies.value_at_quantile(quantile)).as_secs_f64() * 1e3;
        Ok(Cost {
            cpu_micros: cpu_secs * 1e6 / polls,
            database_micros: None,
            rate: polls / taken.as_secs_f64(),
            p50: millis(0.5),
            p99: millis(0.99),
        })
    }

    async fn poll(&mut self) -> BenchResult<()> {
        let order = json!({"maxEvents": PAGE, "returnImmediately": true, "ack": self.received});
        let url = self.robot.tpp.resource_url("events");
        let answer = self.target.send_once(&PreparedRequest::json(&url, &self.token, order.to_string())?).await?;
        let answer: Value = serde_json::from_slice(&answer.body)?;
        let sets = answer.get("sets").and_then(Value::as_object).ok_or("no sets")?;
        self.received = sets.keys().cloned().collect();
        if self.received.len() != usize::try_from(PAGE)? || answer.get("moreAvailable") != Some(&Value::Bool(true)) {
            return Err(format!("a page of {} events came with {} waiting", self.received.len(), self.backlog).into());
        }
        Ok(())
    }

    async fn stop(self) -> BenchResult<()> {
        self.lombard.process.stop().await?;
        self.database.drop_database().await
    }
}
