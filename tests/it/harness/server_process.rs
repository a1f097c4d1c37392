//! A server in a separate process, which can be killed and whose output can be read.
//!
//! The process is this test binary, started again with one ignored test, [`runs_the_server`]. It runs on the machine's clock.

use super::Bank;
use lombard::config::Config;
use lombard::server::{Overrides, Server};
use lombard_ports::clock::{Clock, SystemClock};
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// The test that the process runs, as the test binary names it: without the name of the crate.
const TEST: &str = concat!(module_path!(), "::runs_the_server");
/// The variable with the data folder of the process that runs the server.
const DATA_DIR: &str = "LOMBARD_TEST_SERVER_DATA_DIR";
/// The variable that makes it write its log lines, as the program does.
const LOGGING: &str = "LOMBARD_TEST_SERVER_LOGGING";
const READY: &str = "the server is ready";

/// The process, and what it says.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    /// The process.
    pub(crate) process: Child,
    logs: Option<JoinHandle<String>>,
}

impl ServerProcess {
    /// A server on this bank's data, ready.
    pub(crate) async fn start(bank: &Bank) -> Self {
        Self::spawn(bank, None).await
    }

    /// A server on this bank's data, ready, whose log lines are kept at this level.
    pub(crate) async fn logging(bank: &Bank, level: &str) -> Self {
        Self::spawn(bank, Some(level)).await
    }

    async fn spawn(bank: &Bank, level: Option<&str>) -> Self {
        // Assertions and tokens are judged by the machine's clock now.
        bank.clock.advance(SystemClock.now().duration_since(bank.now()));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([TEST.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"])
            .env(DATA_DIR, bank.data_dir())
            .envs(bank.environment())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        if let Some(level) = level {
            command.env(LOGGING, "1").env("LOMBARD__TELEMETRY__LEVEL", level).stderr(Stdio::piped());
        }
        let mut process = command.spawn().unwrap();
        // Both pipes are read to their ends, so that the server never waits for its reader.
        let logs = process.stderr.take().map(|mut said| {
            tokio::spawn(async move {
                let mut logs = Vec::new();
                said.read_to_end(&mut logs).await.unwrap();
                String::from_utf8(logs).unwrap()
            })
        });
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        while let Some(line) = lines.next_line().await.unwrap() {
            if line.contains(READY) {
                tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
                return Self { process, logs };
            }
        }
        panic!("the server ended: {:?}", process.wait().await);
    }

    /// Kills it; gives what it logged.
    pub(crate) async fn kill(mut self) -> String {
        self.process.kill().await.unwrap();
        match self.logs.take() {
            Some(logs) => logs.await.unwrap(),
            None => String::new(),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "not a test: the process of a server that a test starts"]
async fn runs_the_server() {
    let Some(folder) = std::env::var_os(DATA_DIR) else { return };
    let environment: Vec<_> = std::env::vars().collect();
    let config = Config::from_parts("", &environment).unwrap_or_else(|problems| panic!("{problems}"));
    let config = Config { data_dir: PathBuf::from(folder), ..config };
    if std::env::var_os(LOGGING).is_some() {
        lombard::telemetry::start_logging(&config.telemetry).unwrap();
    }
    let _server = Server::start(config, Overrides::system()).await.unwrap();
    println!("{READY}");
    std::future::pending::<()>().await;
}
