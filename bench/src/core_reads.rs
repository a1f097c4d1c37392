//! A balance read whose balance is in the bank's process, against a bare proxy that makes the same call over mutual TLS and forwards
//! its answer.
//!
//! What is counted is the processor time of the server and of the proxy. The processes behind them are not counted.

use crate::compare::{Pairs, cost};
use crate::figure::Figure;
use crate::floor::{CoreCall, Floor};
use crate::load::PreparedRequest;
use crate::ops::Ops;
use crate::process::{Lombard, Process};
use crate::result::BenchResult;
use crate::robot::Robot;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

/// Requests of each connection in a round.
const TIMES: usize = 200;
const WARM_UP: usize = 50;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let TwoProcesses { bank, lombard, data, bank_data } = TwoProcesses::start(program).await?;
    let robot = Robot::open(data.path())?;
    let consent = robot.consent().await?;
    let token = robot.token_of(&consent).await?;
    let accounts = robot.tpp.get(&token, "aisp/accounts").await?.json()?;
    let account = accounts.pointer("/Data/Account/0/AccountId").and_then(|it| it.as_str()).ok_or("no accounts")?;
    let url = robot.tpp.resource_url(&format!("aisp/accounts/{account}/balances"));
    let request = PreparedRequest::get(&url, &token)?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let answer = ours.ask(&request).await?;
    let work = tempfile::tempdir()?;
    let call = CoreCall {
        core_file: bank_data.path().join("core.json"),
        method: "balances".to_owned(),
        body: call_body(&robot, &consent, &lombard.endpoints.ops).await?,
    };
    let proxy = Floor::proxy(data.path(), work.path(), &call).await?;
    let mut bare = robot.connect(&proxy.base).await?;
    let core_answer = bare.ask(&request).await?;
    ours.repeat(&request, WARM_UP).await?;
    bare.repeat(&request, WARM_UP).await?;
    let mut pairs = Pairs::default();
    for _ in 0..rounds {
        let bound = cost(&proxy.process, bare.repeat(&request, TIMES)).await?;
        pairs.add(bound, cost(&lombard.process, ours.repeat(&request, TIMES)).await?);
    }
    let sizes = format!(
        "core/balances: {} bytes, made of {} bytes of the core for {} bytes of a call",
        answer.body.len(),
        core_answer.body.len(),
        call.body.to_string().len()
    );
    pairs.print(&sizes, "bare proxy, same call", "lombard");
    lombard.process.stop().await?;
    bank.stop().await?;
    Ok(vec![Figure::of_cost("core/balances", &pairs, 1.6)])
}

/// The request that the connector sends for the balances of one of amelia's accounts.
async fn call_body(robot: &Robot, consent: &str, ops: &str) -> BenchResult<Value> {
    let customers = Ops::connect(ops).await?.customers().await?;
    let account = customers
        .pointer("/psus/0/accounts/0/id")
        .and_then(Value::as_str)
        .ok_or("the first customer has no account")?;
    let tpp = &robot.tpp.folder.card;
    Ok(json!({
        "Context": {
            "TPP": {"ClientId": tpp.client_id, "OrganisationId": tpp.org_id},
            "PSU": "amelia",
            "Consent": {"ConsentId": consent, "Kind": "AccountAccess"},
            "InteractionId": "93bac548-d2de-4546-b106-880a5018460d",
        },
        "AccountId": [account],
    }))
}

/// The built-in bank in a process of its own, and the server before it.
pub(crate) struct TwoProcesses {
    pub(crate) bank: Process,
    pub(crate) lombard: Lombard,
    /// The server's folder.
    pub(crate) data: TempDir,
    /// The bank's folder, which it needs as long as it runs.
    pub(crate) bank_data: TempDir,
}

impl TwoProcesses {
    pub(crate) async fn start(program: &Path) -> BenchResult<Self> {
        let (bank_data, data) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let mut command = Command::new(program);
        command.args(["bank", "serve", "--port", "0", "--data"]).arg(bank_data.path());
        command.env("LOMBARD__TELEMETRY__LEVEL", "warn").stdout(Stdio::null());
        let mut bank = Process::start(&mut command)?;
        let core_file = bank_data.path().join("core.json");
        bank.wait_for(async || core_file.exists().then_some(())).await?;
        let settings = [("BANK__KIND", "http".to_owned()), ("BANK__CORE_FILE", core_file.display().to_string())];
        let lombard = Lombard::start_with(program, data.path(), &settings).await?;
        Ok(Self { bank, lombard, data, bank_data })
    }
}
