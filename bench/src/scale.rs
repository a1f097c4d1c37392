//! Two nodes on one PostgreSQL against one node, and ten thousand open connections.
//!
//! Load, nodes and PostgreSQL share the machine, so requests a second of two nodes are no more than those of one: the processors are
//! shared. What is measured instead is the processor time of a request. If each node has the same number of processors and PostgreSQL
//! has enough, two nodes answer 2 × (one node's time of a request ÷ two nodes') as many requests as one. PostgreSQL's own time of a
//! request is measured with it, and says how many nodes a PostgreSQL with as many processors as a node can serve.

use crate::compare::{Cost, Pairs, cost_beside};
use crate::database::{Database, Engine};
use crate::figure::{Aim, Figure};
use crate::floor::Floor;
use crate::load::{CONNECTIONS, PreparedRequest, Round, Target};
use crate::parked::PollConnections;
use crate::payments;
use crate::process::{Lombard, Process};
use crate::result::BenchResult;
use crate::robot::Robot;
use crate::tokens;
use http::StatusCode;
use std::path::Path;

/// The least that two nodes shall answer, as a multiple of what one answers.
const THROUGHPUT_MIN: f64 = 1.6;
/// Connections that are held open, and those that warm a side up before.
const HELD_OPEN: usize = 10_000;
const WARM_UP: usize = 200;
/// The most that an open connection may weigh, as a multiple of a bare server's.
const MEMORY_MAX: f64 = 1.6;
/// Reads of each connection in a round.
const READS: usize = 200;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let engine = Engine::of_this_run()?;
    let mut figures = vec![connections(program, &engine).await?];
    match engine {
        Engine::Sqlite => println!("TWO NODES ARE NOT MEASURED: they need PostgreSQL (--engine postgres)"),
        Engine::Postgres(_) => figures.extend(nodes(program, &engine, rounds).await?),
    }
    Ok(figures)
}

/// What is asked of one node and of two.
#[derive(Debug, Clone, Copy)]
enum Case {
    Balances,
    Tokens,
    Payments,
}

impl Case {
    const fn name(self) -> &'static str {
        match self {
            Self::Balances => "balances",
            Self::Tokens => "tokens",
            Self::Payments => "payments",
        }
    }
}

async fn nodes(program: &Path, engine: &Engine, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let database = engine.database(data.path(), "scale").await?;
    drop(database.first_start(program, data.path()).await?);
    database.settle().await?;
    let mut nodes = TwoNodes::start(program, data.path(), &database, engine.process().await?).await?;
    let mut figures = Vec::new();
    for case in [Case::Balances, Case::Tokens, Case::Payments] {
        let mut pairs = Pairs::default();
        for round in 0..=rounds {
            let one = nodes.round(case, 1).await?;
            let two = nodes.round(case, 2).await?;
            // The first round warms both nodes up.
            if round > 0 {
                pairs.add(one, two);
            }
        }
        let name = format!("scale/{}", case.name());
        pairs.print(&name, "one node", "two nodes");
        figures.push(figure(name, &pairs));
    }
    nodes.stop().await?;
    database.forget().await?;
    Ok(figures)
}

/// The throughput of two nodes as a multiple of that of one, and the bound on how many nodes help.
fn figure(name: String, pairs: &Pairs) -> Figure {
    let (sides, ratio) = (pairs.sides(), 2.0 * pairs.speed());
    match sides.database {
        Some(database) => println!(
            "  with a processor for each node and one for PostgreSQL: {:.0}/s of one node, {:.0}/s of two; PostgreSQL answers {:.0}/s, \
             the work of {:.1} nodes",
            1e6 / sides.bound,
            2e6 / sides.ours,
            1e6 / database,
            sides.ours / database,
        ),
        None => println!("  PostgreSQL is on another machine: how many nodes it can serve is unknown"),
    }
    Figure { sides: Some(sides), ..Figure::of_ratio(name, ratio, Aim::AtLeast(THROUGHPUT_MIN)) }
}

/// Two servers on one database and one data folder.
struct TwoNodes {
    nodes: [Node; 2],
    balances: PreparedRequest,
    postgres: Option<u32>,
}

/// A server, and a client that knows its address.
struct Node {
    lombard: Lombard,
    robot: Robot,
}

impl Node {
    async fn start(program: &Path, data: &Path, database: &Database) -> BenchResult<Self> {
        let lombard = database.start(program, data).await?;
        Ok(Self { lombard, robot: Robot::open(data)? })
    }

    /// New connections: while requests are prepared, the server may close those that are idle.
    async fn connect(&self) -> BenchResult<Target> {
        self.robot.connect(&self.lombard.endpoints.mtls).await
    }
}

impl TwoNodes {
    async fn start(program: &Path, data: &Path, database: &Database, postgres: Option<u32>) -> BenchResult<Self> {
        let nodes = [Node::start(program, data, database).await?, Node::start(program, data, database).await?];
        let [first, _] = &nodes;
        let balances = first.robot.balances(&first.robot.token().await?).await?;
        Ok(Self { nodes, balances, postgres })
    }

    /// A round on the first node alone, or on both, of which each gets half of the requests.
    async fn round(&mut self, case: Case, count: usize) -> BenchResult<Cost> {
        let mut requests = self.requests(case, count).await?;
        let [first, second] = &self.nodes;
        let (mut to_first, mut to_second) = (first.connect().await?, second.connect().await?);
        let halves = requests.split_off(CONNECTIONS / count);
        let processes: [&Process; 2] = [&first.lombard.process, &second.lombard.process];
        let both = async {
            let round = to_first.fire(requests, 1);
            if halves.is_empty() {
                return round.await;
            }
            let (one, other) = tokio::try_join!(round, to_second.fire(halves, 1))?;
            let mut latencies = one.latencies;
            latencies.add(other.latencies)?;
            let duration = one.duration.max(other.duration);
            Ok(Round { requests: one.requests + other.requests, duration, latencies })
        };
        let cost = cost_beside(processes.get(..count).ok_or("no node")?, self.postgres, both).await?;
        if let Case::Payments = case {
            for node in &mut self.nodes {
                payments::settle(&mut node.lombard.process).await?;
            }
        }
        Ok(cost)
    }

    /// As many lists of requests as there are connections, the second half for the second node if there are two.
    async fn requests(&self, case: Case, count: usize) -> BenchResult<Vec<Vec<PreparedRequest>>> {
        let [first, second] = &self.nodes;
        match case {
            Case::Balances => Ok(vec![vec![self.balances.clone(); READS]; CONNECTIONS]),
            Case::Tokens if count == 1 => tokens::assertions(&first.robot).await,
            // An assertion names the node's own token endpoint.
            Case::Tokens => {
                let mut all = tokens::assertions(&first.robot).await?;
                let others = tokens::assertions(&second.robot).await?;
                all.truncate(CONNECTIONS / 2);
                all.extend(others.into_iter().take(CONNECTIONS / 2));
                Ok(all)
            }
            Case::Payments => payments::orders(&first.robot).await,
        }
    }

    async fn stop(self) -> BenchResult<()> {
        for node in self.nodes {
            node.lombard.process.stop().await?;
        }
        Ok(())
    }
}

/// Memory of each of ten thousand open connections, against a bare server's; each of Lombard's is then asked for balances.
async fn connections(program: &Path, engine: &Engine) -> BenchResult<Figure> {
    let (data, work) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let database = engine.database(data.path(), "connections").await?;
    drop(database.first_start(program, data.path()).await?);
    let settings = [
        ("SERVER__CONNECTIONS_MAX", "20000".to_owned()),
        // All connections come from one address and show one TPP's certificate.
        ("SERVER__ADDRESS_SHARE_MAX", "100".to_owned()),
    ];
    let settings: Vec<_> = settings.into_iter().chain(database.settings()).collect();
    let lombard = Lombard::start_with(program, data.path(), &settings).await?;
    let robot = Robot::open(data.path())?;
    let balances = robot.balances(&robot.token().await?).await?;
    let load = PollConnections::new(data.path(), &lombard.endpoints.mtls)?;
    let (ours, mut open) = held_open(&load, &lombard.process, Some(&balances)).await?;
    for connection in &mut open {
        load.ask(connection, &balances, StatusCode::OK).await?;
    }
    let asked = lombard.process.usage()?.resident_bytes;
    println!(
        "scale/connections: {HELD_OPEN} open, each then answered one read; {:.1} MB resident after it",
        asked / 1e6
    );
    drop(open);
    lombard.process.stop().await?;
    database.forget().await?;
    let floor = Floor::hold(data.path(), work.path()).await?;
    let load = PollConnections::new(data.path(), &floor.base)?;
    let (bare, _open) = held_open(&load, &floor.process, None).await?;
    for (side, bytes) in [("bare server", bare), ("lombard", ours)] {
        println!("  {side:<28} {:>8.1} KB a connection", bytes / 1e3);
    }
    Ok(Figure::of_sides("scale/connections", ours / 1e3, bare / 1e3, "KB a connection", Aim::AtMost(MEMORY_MAX)))
}

/// Opens the connections and tells what each has added to the process, bytes. The warm-up asks this on each of its own.
async fn held_open(
    load: &PollConnections,
    process: &Process,
    warm_up: Option<&PreparedRequest>,
) -> BenchResult<(f64, Vec<crate::parked::Connection>)> {
    for mut connection in load.open(WARM_UP).await? {
        if let Some(request) = warm_up {
            load.ask(&mut connection, request, StatusCode::OK).await?;
        }
    }
    let before = process.usage()?.resident_bytes;
    let open = load.open(HELD_OPEN).await?;
    let added = process.usage()?.resident_bytes - before;
    Ok((added / f64::from(u32::try_from(HELD_OPEN)?), open))
}
