//! The same reads on small and on large tables: the cost of a request must not grow with the table.

use crate::compare::{Cost, Pairs, cost};
use crate::database::{Database, Engine};
use crate::figure::Figure;
use crate::fill;
use crate::load::{CONNECTIONS, PreparedRequest, Target};
use crate::process::Lombard;
use crate::result::BenchResult;
use crate::robot::Robot;
use std::path::Path;

const FEW: u32 = 1_000;
const MANY: u32 = 1_000_000;
/// Requests of each connection in a round.
const TIMES: usize = 200;
const COST_MAX: f64 = 1.25;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let engine = Engine::of_this_run()?;
    let mut figures = accounts(program, &engine, rounds).await?;
    figures.push(consents(program, &engine, rounds).await?);
    Ok(figures)
}

/// Two accounts of one bank: a thousand entries and statements on one, a million on the other.
async fn accounts(program: &Path, engine: &Engine, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let database = engine.database(data.path(), "accounts").await?;
    let store = database.first_start(program, data.path()).await?;
    fill::account(&store.bank, "few", FEW).await?;
    fill::account(&store.bank, "many", MANY).await?;
    fill::statements(&store.bank, "few", FEW).await?;
    fill::statements(&store.bank, "many", MANY).await?;
    drop(store);
    database.settle().await?;
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let mut target = robot.connect(&lombard.endpoints.mtls).await?;
    let (few, many) = (robot.account(&token, "few").await?, robot.account(&token, "many").await?);
    let mut figures = Vec::new();
    for case in ["balances", "transactions", "statements"] {
        let shot = |account: &str| {
            PreparedRequest::get(&robot.tpp.resource_url(&format!("aisp/accounts/{account}/{case}")), &token)
        };
        let (few, many) = (shot(&few)?, shot(&many)?);
        let mut pairs = Pairs::default();
        for round in 0..=rounds {
            let bound = cost(&lombard.process, target.repeat(&few, TIMES)).await?;
            let grown = cost(&lombard.process, target.repeat(&many, TIMES)).await?;
            if round > 0 {
                pairs.add(bound, grown);
            }
        }
        pairs.print(&format!("growth/{case}"), "1,000 rows", "1,000,000 rows");
        figures.push(figure(case, engine, &pairs));
    }
    lombard.process.stop().await?;
    database.forget().await?;
    Ok(figures)
}

/// Two banks, one with a thousand consents and one with a million; each connection reads consents of its own.
async fn consents(program: &Path, engine: &Engine, rounds: usize) -> BenchResult<Figure> {
    let mut few = SizedBank::start(program, engine, FEW).await?;
    let mut many = SizedBank::start(program, engine, MANY).await?;
    let mut pairs = Pairs::default();
    for round in 0..=rounds {
        let (bound, grown) = (few.round().await?, many.round().await?);
        if round > 0 {
            pairs.add(bound, grown);
        }
    }
    pairs.print("growth/consents", "1,000 consents", "1,000,000 consents");
    few.stop().await?;
    many.stop().await?;
    Ok(figure("consents", engine, &pairs))
}

/// A bank with so many consents.
struct SizedBank {
    lombard: Lombard,
    target: Target,
    shots: Vec<Vec<PreparedRequest>>,
    database: Database,
    _data: tempfile::TempDir,
}

impl SizedBank {
    async fn start(program: &Path, engine: &Engine, rows: u32) -> BenchResult<Self> {
        let folder = tempfile::tempdir()?;
        let data = folder.path();
        let database = engine.database(data, &format!("consents_{rows}")).await?;
        let store = database.first_start(program, data).await?;
        let card = lombard_tpp::TppFolder::read_folder(&data.join("tpps/robot"))?.card;
        fill::consents(&store.server, &card.client_id, rows).await?;
        drop(store);
        database.settle().await?;
        let lombard = database.start(program, data).await?;
        let robot = Robot::open(data)?;
        let token = robot.own_token().await?;
        let target = robot.connect(&lombard.endpoints.mtls).await?;
        // Twenty consents a connection, spread over the whole table.
        let step = rows / 1_280;
        let mut shots = Vec::new();
        for connection in 0..u32::try_from(CONNECTIONS)? {
            let path = |turn: u32| {
                let number = (connection * 20 + turn) * step.max(1) % rows;
                robot.tpp.resource_url(&format!("aisp/account-access-consents/{}", fill::consent_id(number)))
            };
            shots.push((0..20).map(|turn| PreparedRequest::get(&path(turn), &token)).collect::<BenchResult<Vec<_>>>()?);
        }
        Ok(Self { lombard, target, shots, database, _data: folder })
    }

    async fn round(&mut self) -> BenchResult<Cost> {
        cost(&self.lombard.process, self.target.fire(self.shots.clone(), TIMES / 20)).await
    }

    async fn stop(self) -> BenchResult<()> {
        self.lombard.process.stop().await?;
        self.database.forget().await
    }
}

fn figure(case: &str, engine: &Engine, pairs: &Pairs) -> Figure {
    engine.figure(format!("growth/{case}"), pairs, COST_MAX)
}
