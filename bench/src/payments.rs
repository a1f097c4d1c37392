//! Orders domestic payments. The TPP signs each order, the server stores it durably before it responds, and the bank signs the response.
//! The floor is a bare server that verifies one signature, writes the same rows in the same way and signs one response.
//!
//! Testers decide on the payments of the chosen payee, so the bank accepts each order and leaves it. The later work of the bank is measured
//! separately, as the whole cost of a payment until the payee is credited.

use crate::compare::{Pairs, cost_beside};
use crate::database::Engine;
use crate::figure::{Aim, Figure};
use crate::floor::Floor;
use crate::load::{CONNECTIONS, PreparedRequest, Target};
use crate::process::{Lombard, Process};
use crate::result::BenchResult;
use crate::robot::Robot;
use http::StatusCode;
use indicatif::ProgressBar;
use lombard_domain::ids::OrderId;
use lombard_tpp::{IssuedTokens, SIGNATURE, Tpp};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;

/// The number of orders of each connection in a round. Every order has its own consent and idempotency key.
const TIMES: usize = 10;
/// The payee whose payments await an outcome.
const HELD: &str = "Held Payment";
/// The payee who is credited.
pub(crate) const PAID: &str = "Tea and Scones";
/// The maximum processor time of a payment from its response until the payee is credited, in milliseconds.
const PAYEE_MILLIS_MAX: f64 = 1.0;
/// The time without work after which the server is considered idle. It is longer than any pause of a payment in progress.
const QUIET: Duration = Duration::from_millis(1_500);
/// The maximum processor share of an idle server, which looks for due work.
const IDLE_SHARE: f64 = 0.04;

/// The setting of every server that names a security module.
pub(crate) const MODULE_SETTING: &str = "LOMBARD__SIGNING__PKCS11_MODULE_FILE";
/// The minimum speed of a server that signs in SoftHSM2, as a share of the floor's. The floor signs in memory with a faster library.
const MODULE_SPEED_MIN: f64 = 0.4;

/// Where the measured server signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SigningPlace {
    /// In its memory.
    Memory,
    /// In a security module.
    Module,
}

impl SigningPlace {
    /// In a security module if the environment configures one for the measured servers.
    pub(crate) fn of_this_run() -> Self {
        if std::env::var_os(MODULE_SETTING).is_some() { Self::Module } else { Self::Memory }
    }
}

pub(crate) async fn run(program: &Path, rounds: usize, signing: SigningPlace) -> BenchResult<Vec<Figure>> {
    let data = tempfile::tempdir()?;
    let work = tempfile::tempdir()?;
    let engine = Engine::of_this_run()?;
    let postgres = engine.process().await?;
    let database = engine.database(data.path(), "payments").await?;
    drop(database.first_start(program, data.path()).await?);
    let lombard = database.start(program, data.path()).await?;
    let robot = Robot::open(data.path())?;
    let progress = ProgressBar::new(u64::try_from((rounds + 2) * CONNECTIONS * TIMES)?).with_message("consents");
    let mut prepared = Vec::with_capacity(rounds + 1);
    for _ in 0..=rounds {
        prepared.push(shots(&robot, HELD, &progress).await?);
    }
    let paid = shots(&robot, PAID, &progress).await?;
    progress.finish_and_clear();

    lombard.process.stop().await?;
    let floor_database = engine.database(work.path(), "payments_floor").await?;
    let floor = match &engine {
        // Both servers begin with the same rows.
        Engine::Sqlite => {
            for name in ["lombard.db", "lombard.db-wal"] {
                let from = data.path().join(name);
                if from.is_file() {
                    std::fs::copy(from, work.path().join(name))?;
                }
            }
            Floor::till(data.path(), work.path()).await?
        }
        Engine::Postgres(_) => {
            database.settle().await?;
            let orders = prepared.iter().flatten().flatten().map(|order| std::str::from_utf8(&order.body));
            let orders = orders.collect::<Result<Vec<_>, _>>()?;
            Floor::till_of(data.path(), work.path(), floor_database.url(), &orders).await?
        }
    };
    let mut lombard = database.start(program, data.path()).await?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let mut bare = robot.connect(&floor.base).await?;
    let mut pairs = Pairs::default();
    for (round, shots) in prepared.into_iter().enumerate() {
        let bound = cost_beside(&[&floor.process], postgres, bare.run_round(shots.clone(), 1)).await?;
        let cost = cost_beside(&[&lombard.process], postgres, ours.run_round(shots, 1)).await?;
        wait_until_idle(&mut lombard.process).await?;
        // The first round warms up both servers.
        if round > 0 {
            pairs.add(bound, cost);
        }
    }
    pairs.print("payments", "two signatures, the rows", "lombard");
    let answer_micros = pairs.sides().ours;
    let whole = cost_until_credited(&mut lombard, &mut ours, paid).await?;
    println!("  {:<28} {whole:>8.1} µs CPU a payment", "until the payee has the money");
    lombard.process.stop().await?;
    database.drop_database().await?;
    drop(floor);
    floor_database.drop_database().await?;
    if signing == SigningPlace::Module {
        return Ok(vec![Figure::of_speed("payments/hsm", &pairs, MODULE_SPEED_MIN)]);
    }
    let mut figures = vec![Figure::of_speed("payments", &pairs, engine.choose([0.85, 0.7]))];
    if let Engine::Sqlite = engine {
        let beyond = (whole - answer_micros) / 1e3;
        figures.push(Figure::of_sides("payments/payee", beyond, PAYEE_MILLIS_MAX, "ms CPU", Aim::AtMost(1.0)));
    }
    Ok(figures)
}

/// The processor time of a payment from its order until the payee is credited, in microseconds.
async fn cost_until_credited(
    lombard: &mut Lombard,
    ours: &mut Target,
    shots: Vec<Vec<PreparedRequest>>,
) -> BenchResult<f64> {
    let before = lombard.process.usage()?.cpu_secs;
    let round = ours.run_round(shots, 1).await?;
    wait_until_idle(&mut lombard.process).await?;
    let cpu_secs = lombard.process.usage()?.cpu_secs - before;
    Ok(cpu_secs * 1e6 / f64::from(u32::try_from(round.requests)?))
}

/// Waits until the server is idle.
pub(crate) async fn wait_until_idle(process: &mut Process) -> BenchResult<()> {
    let mut look = tokio::time::interval(QUIET);
    let mut before = process.cpu_secs()?;
    look.tick().await;
    loop {
        look.tick().await;
        let now = process.cpu_secs()?;
        if now - before < QUIET.as_secs_f64() * IDLE_SHARE {
            break;
        }
        before = now;
    }
    Ok(())
}

/// Prepares the orders of a round for each connection, with authorised consents and signatures.
async fn shots(robot: &Robot, payee: &'static str, progress: &ProgressBar) -> BenchResult<Vec<Vec<PreparedRequest>>> {
    let own = robot.tpp.client_credentials("payments").await?.access_token;
    let mut running = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let tpp = robot.tpp.clone();
        let own = own.clone();
        let progress = progress.clone();
        running.spawn(async move {
            let mut shots = Vec::with_capacity(TIMES);
            for _ in 0..TIMES {
                shots.push(shot(&tpp, &own, payee).await?);
                progress.inc(1);
            }
            Ok(shots)
        });
    }
    running.join_all().await.into_iter().collect()
}

/// Orders one payment, which the bank accepts and leaves, and returns the order's id.
pub(crate) async fn held_order(robot: &Robot) -> BenchResult<OrderId> {
    let tpp = &robot.tpp;
    let own = tpp.client_credentials("payments").await?.access_token;
    let asked = asking(HELD);
    let (consent, token) = authorised(tpp, &own, &asked).await?;
    let initiation = asked.pointer("/Data/Initiation").cloned().unwrap_or(Value::Null);
    let order = json!({"Data": {"ConsentId": consent, "Initiation": initiation}, "Risk": {}});
    let answer = tpp.payment_post(&token, "pisp/domestic-payments", &tpp.new_idempotency_key(), &order).await?;
    Ok(answer.expect_status(StatusCode::CREATED)?.text_at("/Data/DomesticPaymentId")?.into())
}

/// Creates a consent, has it authorised, and returns its id and a token for it.
async fn authorised(tpp: &Tpp, own: &str, asked: &Value) -> BenchResult<(String, String)> {
    let answer = tpp.payment_post(own, "pisp/domestic-payment-consents", &tpp.new_idempotency_key(), asked).await?;
    let consent = answer.expect_status(StatusCode::CREATED)?.text_at("/Data/ConsentId")?;
    let request = tpp.new_authorisation_request(&consent, "payments").await?;
    let channel = tpp.authorise_headless(&request).await?;
    let (code, _) = channel.expect_code(&request.state)?;
    let token = IssuedTokens::from_exchange(tpp.exchange_code(code).await?)?.access_token;
    Ok((consent, token))
}

/// Prepares one order.
pub(crate) async fn shot(tpp: &Tpp, own: &str, payee: &str) -> BenchResult<PreparedRequest> {
    let asked = asking(payee);
    let (consent, token) = authorised(tpp, own, &asked).await?;
    let initiation = asked.pointer("/Data/Initiation").cloned().unwrap_or(Value::Null);
    let order = json!({"Data": {"ConsentId": consent, "Initiation": initiation}, "Risk": {}}).to_string();
    let signature = tpp.new_message_signature().sign(&tpp.folder.signing, order.as_bytes())?;
    let shot = PreparedRequest::json(&tpp.resource_url("pisp/domestic-payments"), &token, order)?;
    shot.with(SIGNATURE, &signature)?.with("x-idempotency-key", &tpp.new_idempotency_key())
}

fn asking(payee: &str) -> Value {
    json!({
        "Data": {"Initiation": {
            "InstructionIdentification": "BENCH-1",
            "EndToEndIdentification": "BENCH-E2E-1",
            "InstructedAmount": {"Amount": "0.01", "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "20000319825731",
                "Name": payee,
            },
        }},
        "Risk": {},
    })
}
