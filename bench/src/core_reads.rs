//! A balance read whose balance is in the bank's process, against a bare proxy that forwards the same bytes over mutual TLS.
//!
//! What is counted is the processor time of the server and of the proxy. The processes behind them are not counted.

use crate::compare::{Pairs, cost};
use crate::figure::Figure;
use crate::floor::Floor;
use crate::load::PreparedRequest;
use crate::process::{Lombard, Process};
use crate::result::BenchResult;
use crate::robot::Robot;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

/// Requests of each connection in a round.
const TIMES: usize = 200;
const WARM_UP: usize = 50;

pub(crate) async fn run(program: &Path, rounds: usize) -> BenchResult<Vec<Figure>> {
    let TwoProcesses { bank, lombard, data, bank_data: _bank_data } = TwoProcesses::start(program).await?;
    let robot = Robot::open(data.path())?;
    let token = robot.token().await?;
    let accounts = robot.tpp.get(&token, "aisp/accounts").await?.json()?;
    let account = accounts.pointer("/Data/Account/0/AccountId").and_then(|it| it.as_str()).ok_or("no accounts")?;
    let url = robot.tpp.resource_url(&format!("aisp/accounts/{account}/balances"));
    let request = PreparedRequest::get(&url, &token)?;
    let mut ours = robot.connect(&lombard.endpoints.mtls).await?;
    let answer = ours.ask(&request).await?;
    let (origin_work, proxy_work) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let origin = Floor::bytes(data.path(), origin_work.path(), &answer).await?;
    let proxy = Floor::proxy(data.path(), proxy_work.path(), &origin.base).await?;
    let mut bare = robot.connect(&proxy.base).await?;
    ours.repeat(&request, WARM_UP).await?;
    bare.repeat(&request, WARM_UP).await?;
    let mut pairs = Pairs::default();
    for _ in 0..rounds {
        let bound = cost(&proxy.process, bare.repeat(&request, TIMES)).await?;
        pairs.add(bound, cost(&lombard.process, ours.repeat(&request, TIMES)).await?);
    }
    pairs.print(&format!("core/balances: {} bytes", answer.body.len()), "bare proxy, same bytes", "lombard");
    lombard.process.stop().await?;
    bank.stop().await?;
    Ok(vec![Figure::of_cost("core/balances", &pairs, 1.6)])
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
