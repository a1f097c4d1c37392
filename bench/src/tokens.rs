//! Requests client credentials tokens by `private_key_jwt`, against one PS256 verification and one durable insert.

use crate::compare::{Pairs, cost_beside};
use crate::database::Engine;
use crate::figure::Figure;
use crate::floor::Floor;
use crate::load::{CONNECTIONS, PreparedRequest};
use crate::result::BenchResult;
use crate::robot::Robot;
use std::path::Path;

/// The number of requests of each connection in a round. Every request contains its own assertion.
const TIMES: usize = 40;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let work = tempfile::tempdir()?;
    let engine = Engine::of_this_run()?;
    let postgres = engine.process().await?;
    let database = engine.database(data.path(), "tokens").await?;
    drop(database.first_start(program, data.path()).await?);
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let key = robot.tpp.folder.signing.public().to_jwk(&[]);
    let keys = serde_json::json!({"keys": [key]}).to_string();
    let floor_database = engine.database(work.path(), "tokens_floor").await?;
    let floor_url = matches!(engine, Engine::Postgres(_)).then(|| floor_database.url());
    let floor = Floor::verify(data.path(), work.path(), &keys, floor_url).await?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let mut bare = robot.connect(&floor.base).await?;
    let mut pairs = Pairs::default();
    for round in 0..=rounds {
        // Assertions are signed before the measurement, because a client's signature costs more than all the server's work.
        let shots = assertions(&robot).await?;
        let bound = cost_beside(&[&floor.process], postgres, bare.run_round(shots.clone(), 1)).await?;
        let cost = cost_beside(&[&lombard.process], postgres, ours.run_round(shots, 1)).await?;
        // The first round warms up both servers.
        if round > 0 {
            pairs.add(bound, cost);
        }
    }
    pairs.print("tokens", "one verification, one insert", "lombard");
    lombard.process.stop().await?;
    database.drop_database().await?;
    drop(floor);
    floor_database.drop_database().await?;
    Ok(vec![Figure::of_speed("tokens", &pairs, engine.choose([0.6, 0.7]))])
}

/// Prepares the requests of a round for each connection.
pub(crate) async fn assertions(robot: &Robot) -> BenchResult<Vec<Vec<PreparedRequest>>> {
    let mut all = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        let mut shots = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            shots.push(shot(robot).await?);
        }
        all.push(shots);
    }
    Ok(all)
}

/// Prepares a request with its own assertion.
pub(crate) async fn shot(robot: &Robot) -> BenchResult<PreparedRequest> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials").append_pair("scope", "accounts");
    form.extend_pairs(robot.tpp.authentication().await?);
    PreparedRequest::form(&robot.tpp.discovery().await?.token_endpoint, form.finish())
}
