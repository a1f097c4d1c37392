//! A process that is this test binary, started again with one ignored test.

use lombard::config::Config;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// The variable that makes it write its log lines, as the program does.
const LOGGING: &str = "LOMBARD_TEST_SERVER_LOGGING";
/// What it says once it serves.
const READY: &str = "the process is ready";

/// The process, and what it says.
#[derive(Debug)]
pub(super) struct ChildProcess {
    pub(super) process: Child,
    /// Its log lines, if they are kept.
    pub(super) logs: Option<JoinHandle<String>>,
}

impl ChildProcess {
    /// Starts the test of this name (with the name of the crate) and waits until it serves. Log lines are kept if a level is
    /// given. It is killed when it is dropped.
    pub(super) async fn start(test: &str, environment: Vec<(String, String)>, level: Option<&str>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([test.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"])
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        if let Some(level) = level {
            command.env(LOGGING, "1").env("LOMBARD__TELEMETRY__LEVEL", level).stderr(Stdio::piped());
        }
        let mut process = command.spawn().unwrap();
        // Both pipes are read to their ends, so that the process never waits for its reader.
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
        panic!("the process ended: {:?}", process.wait().await);
    }
}

/// In the process: its configuration, with the data folder that this variable names, which is returned too; `None` if the test
/// was not started as a process.
pub(super) fn configuration(data_dir: &str) -> Option<(Config, PathBuf)> {
    let folder = PathBuf::from(std::env::var_os(data_dir)?);
    let environment: Vec<_> = std::env::vars().collect();
    let config = Config::from_parts("", &environment).unwrap_or_else(|problems| panic!("{problems}"));
    let config = Config { data_dir: folder.clone(), ..config };
    if std::env::var_os(LOGGING).is_some() {
        lombard::telemetry::start_logging(&config.telemetry).unwrap();
    }
    lombard::telemetry::start_traces(&config.telemetry).unwrap();
    Some((config, folder))
}

/// In the process: says that it serves, and goes on.
#[expect(clippy::print_stdout, reason = "the process that started this one reads it")]
pub(super) async fn run_until_killed() {
    println!("{READY}");
    std::future::pending::<()>().await;
}
