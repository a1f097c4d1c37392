//! Reads the same resources from small and from large tables, because the cost of a request must not grow with the table.
//!
//! Lists of accounts are read from two accounts of one bank; consents, orders and events are read from two banks.

use crate::compare::{Cost, Pairs, cost};
use crate::database::{Database, Engine};
use crate::figure::Figure;
use crate::fill;
use crate::load::{CONNECTIONS, PreparedRequest, Target};
use crate::payments;
use crate::polls;
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use lombard_domain::ids::OrderId;
use lombard_tpp::TppFolder;
use std::path::Path;

const FEW: u32 = 1_000;
const MANY: u32 = 1_000_000;
/// The number of records of each kind of arrangement. It is below a million, because no account has a million payees.
const MANY_ARRANGEMENTS: u32 = 100_000;
/// The number of requests of each connection in a round.
const TIMES: usize = 200;
/// The number of resources that each connection reads in turn. They are spread over the table.
const SPREAD: u32 = 20;
const COST_MAX: f64 = 1.1;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let engine = Engine::of_this_run()?;
    let mut figures = accounts(program, &engine, rounds).await?;
    for resource in [Resource::Consents, Resource::Orders] {
        figures.push(resources(program, &engine, rounds, resource).await?);
    }
    let pairs = polls::compare(program, &engine, rounds, FEW, MANY).await?;
    pairs.print("growth/events", "1,000 wait", "1,000,000 wait");
    figures.push(figure("events", &engine, &pairs));
    Ok(figures)
}

/// Compares two accounts of one bank. One has a thousand entries, statements and arrangements; the other has many.
async fn accounts(program: &Path, engine: &Engine, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let database = engine.database(data.path(), "accounts").await?;
    let store = database.first_start(program, data.path()).await?;
    for (nickname, rows, arrangements) in [("few", FEW, FEW), ("many", MANY, MANY_ARRANGEMENTS)] {
        fill::account(&store.bank, nickname, rows).await?;
        fill::statements(&store.bank, nickname, rows).await?;
        fill::arrangements(&store.bank, nickname, arrangements).await?;
    }
    drop(store);
    database.settle().await?;
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let mut target = robot.connect(&lombard.endpoints.mtls).await?;
    let few = robot.account(&token, "few").await?;
    let many = robot.account(&token, "many").await?;
    let mut figures = Vec::new();
    let lists = ["balances", "transactions", "statements"].into_iter().map(|list| (list, MANY));
    let arrangements = fill::ARRANGEMENTS.into_iter().map(|it| (it.list(), MANY_ARRANGEMENTS));
    for (case, rows) in lists.chain(arrangements) {
        let shot = |account: &str| {
            PreparedRequest::get(&robot.tpp.resource_url(&format!("aisp/accounts/{account}/{case}")), &token)
        };
        let few = shot(&few)?;
        let many = shot(&many)?;
        let mut pairs = Pairs::default();
        for round in 0..=rounds {
            let bound = cost(&lombard.process, target.repeat(&few, TIMES)).await?;
            let grown = cost(&lombard.process, target.repeat(&many, TIMES)).await?;
            if round > 0 {
                pairs.add(bound, grown);
            }
        }
        pairs.print(&format!("growth/{case}"), &format!("{FEW} rows"), &format!("{rows} rows"));
        figures.push(figure(case, engine, &pairs));
    }
    lombard.process.stop().await?;
    database.drop_database().await?;
    Ok(figures)
}

/// A kind of TPP resource that is read one by one.
#[derive(Debug, Clone, Copy)]
enum Resource {
    Consents,
    Orders,
}

impl Resource {
    const fn name(self) -> &'static str {
        match self {
            Self::Consents => "consents",
            Self::Orders => "orders",
        }
    }

    /// The path of the resource with this number.
    fn path(self, number: u32) -> String {
        match self {
            Self::Consents => format!("aisp/account-access-consents/{}", fill::consent_id(number)),
            Self::Orders => format!("pisp/domestic-payments/{}", fill::order_id(number)),
        }
    }

    const fn scope(self) -> &'static str {
        match self {
            Self::Consents => "accounts",
            Self::Orders => "payments",
        }
    }

    /// Inserts this many resources in the database of a stopped server.
    async fn fill(self, program: &Path, data: &Path, database: &Database, rows: u32) -> BenchResult<()> {
        let client = TppFolder::read_folder(&data.join("tpps/robot"))?.details.client_id;
        match self {
            Self::Consents => fill::consents(&database.open().await?.server, &client, rows).await,
            Self::Orders => {
                let order = sample_order(program, data, database).await?;
                fill::orders(&database.open().await?.server, &client, &order, rows).await
            }
        }
    }
}

/// Creates an order through the server; the bank keeps its payment waiting.
async fn sample_order(program: &Path, data: &Path, database: &Database) -> BenchResult<OrderId> {
    let lombard = database.start(program, data).await?;
    let robot = Robot::open(data)?;
    let order = payments::held_order(&robot).await?;
    lombard.process.stop().await?;
    Ok(order)
}

/// Compares two banks, one with a thousand resources and one with a million. Each connection reads its own resources.
async fn resources(program: &Path, engine: &Engine, rounds: usize, resource: Resource) -> BenchResult<Figure> {
    let mut few = SizedBank::start(program, engine, resource, FEW).await?;
    let mut many = SizedBank::start(program, engine, resource, MANY).await?;
    let mut pairs = Pairs::default();
    for round in 0..=rounds {
        let bound = few.round().await?;
        let grown = many.round().await?;
        if round > 0 {
            pairs.add(bound, grown);
        }
    }
    let name = resource.name();
    pairs.print(&format!("growth/{name}"), &format!("{FEW} {name}"), &format!("{MANY} {name}"));
    few.stop().await?;
    many.stop().await?;
    Ok(figure(name, engine, &pairs))
}

/// A bank with a given number of resources.
struct SizedBank {
    lombard: Lombard,
    target: Target,
    shots: Vec<Vec<PreparedRequest>>,
    database: Database,
    _data: tempfile::TempDir,
}

impl SizedBank {
    async fn start(program: &Path, engine: &Engine, resource: Resource, rows: u32) -> BenchResult<Self> {
        let folder = tempfile::tempdir()?;
        let data = folder.path();
        let database = engine.database(data, &format!("{}_{rows}", resource.name())).await?;
        drop(database.first_start(program, data).await?);
        resource.fill(program, data, &database, rows).await?;
        database.settle().await?;
        let lombard = database.start(program, data).await?;
        let robot = Robot::open(data)?;
        let token = robot.tpp.client_credentials(resource.scope()).await?.access_token;
        let target = robot.connect(&lombard.endpoints.mtls).await?;
        let step = rows / (u32::try_from(CONNECTIONS)? * SPREAD);
        let mut shots = Vec::new();
        for connection in 0..u32::try_from(CONNECTIONS)? {
            let url = |turn: u32| {
                let number = (connection * SPREAD + turn) * step.max(1) % rows;
                robot.tpp.resource_url(&resource.path(number))
            };
            let own = (0..SPREAD).map(|turn| PreparedRequest::get(&url(turn), &token));
            shots.push(own.collect::<BenchResult<Vec<_>>>()?);
        }
        Ok(Self { lombard, target, shots, database, _data: folder })
    }

    async fn round(&mut self) -> BenchResult<Cost> {
        let times = TIMES / usize::try_from(SPREAD)?;
        cost(&self.lombard.process, self.target.run_round(self.shots.clone(), times)).await
    }

    async fn stop(self) -> BenchResult<()> {
        self.lombard.process.stop().await?;
        self.database.drop_database().await
    }
}

fn figure(case: &str, engine: &Engine, pairs: &Pairs) -> Figure {
    engine.figure(format!("growth/{case}"), pairs, COST_MAX)
}
