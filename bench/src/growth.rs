//! The same reads on little and on much: what a request costs must not grow with the table.

use crate::Outcome;
use crate::compare::{Pairs, cost};
use crate::figure::{Aim, Figure};
use crate::fill;
use crate::load::Shot;
use crate::process::Lombard;
use crate::robot::Robot;
use std::path::Path;

const FEW: u32 = 1_000;
const MANY: u32 = 1_000_000;
/// Requests of each connection in a round.
const TIMES: usize = 200;

pub(crate) async fn run(program: &Path, rounds: usize) -> Outcome<Vec<Figure>> {
    let mut figures = accounts(program, rounds).await?;
    if fill::is_shared() {
        println!("growth/consents: left out, it needs a database for each of two banks");
    } else {
        figures.push(consents(program, rounds).await?);
    }
    Ok(figures)
}

/// Two accounts of one bank: a thousand entries and statements on one, a million on the other.
async fn accounts(program: &Path, rounds: usize) -> Outcome<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let store = fill::first_start(program, data.path()).await?;
    fill::account(&store, "few", FEW).await?;
    fill::account(&store, "many", MANY).await?;
    fill::statements(&store, "few", FEW).await?;
    fill::statements(&store, "many", MANY).await?;
    drop(store);
    let lombard = Lombard::start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let mut target = robot.connect(&lombard.endpoints.mtls).await?;
    let (few, many) = (robot.account(&token, "few").await?, robot.account(&token, "many").await?);
    let mut figures = Vec::new();
    for case in ["balances", "transactions", "statements"] {
        let shot =
            |account: &str| Shot::get(&robot.tpp.resource_url(&format!("aisp/accounts/{account}/{case}")), &token);
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
        figures.push(figure(case, &pairs));
    }
    lombard.process.stop().await?;
    Ok(figures)
}

/// Two banks, one with a thousand consents and one with a million; each connection reads consents of its own.
async fn consents(program: &Path, rounds: usize) -> Outcome<Figure> {
    let (few, many) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let few = Side::start(program, few.path(), FEW).await?;
    let many = Side::start(program, many.path(), MANY).await?;
    let (mut few, mut many) = (few, many);
    let mut pairs = Pairs::default();
    for round in 0..=rounds {
        let bound = cost(&few.lombard.process, few.target.fire(few.shots.clone(), TIMES / 20)).await?;
        let grown = cost(&many.lombard.process, many.target.fire(many.shots.clone(), TIMES / 20)).await?;
        if round > 0 {
            pairs.add(bound, grown);
        }
    }
    pairs.print("growth/consents", "1,000 consents", "1,000,000 consents");
    few.lombard.process.stop().await?;
    many.lombard.process.stop().await?;
    Ok(figure("consents", &pairs))
}

struct Side {
    lombard: Lombard,
    target: crate::load::Target,
    shots: Vec<Vec<Shot>>,
}

impl Side {
    async fn start(program: &Path, data: &Path, rows: u32) -> Outcome<Self> {
        let store = fill::first_start(program, data).await?;
        let card = lombard_tpp::Folder::read(&data.join("tpps/robot"))?.card;
        fill::consents(&store, &card.client_id, rows).await?;
        drop(store);
        let lombard = Lombard::start(program, data).await?;
        let robot = Robot::open(data)?;
        let token = robot.own_token().await?;
        let target = robot.connect(&lombard.endpoints.mtls).await?;
        // Twenty consents a connection, spread over the whole table.
        let step = rows / 1_280;
        let mut shots = Vec::new();
        for connection in 0..u32::try_from(crate::load::CONNECTIONS)? {
            let path = |turn: u32| {
                let number = (connection * 20 + turn) * step.max(1) % rows;
                robot.tpp.resource_url(&format!("aisp/account-access-consents/{}", fill::consent_id(number)))
            };
            shots.push((0..20).map(|turn| Shot::get(&path(turn), &token)).collect::<Outcome<Vec<_>>>()?);
        }
        Ok(Self { lombard, target, shots })
    }
}

fn figure(case: &str, pairs: &Pairs) -> Figure {
    Figure { name: format!("growth/{case}"), ratio: pairs.multiple(), aim: Aim::AtMost(1.25) }
}
