//! `lombard --ephemeral` as a process of its own: a sandbox on the machine's clock, as other programs start one.

use serde_json::Value;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The test that stands for the program, as the test binary names it.
const TEST: &str = concat!(module_path!(), "::runs_the_program");
/// The variable that makes it run.
pub(crate) const RUNS: &str = "LOMBARD_TEST_EPHEMERAL";

/// The arguments with which this binary is the program.
pub(crate) fn arguments() -> [&'static str; 4] {
    [TEST.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"]
}

/// A bank that runs. It is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct EphemeralBank {
    /// The line that it printed.
    pub(crate) ready: Value,
    /// The process.
    pub(crate) process: Child,
}

impl EphemeralBank {
    /// Starts one and waits until it serves.
    pub(crate) async fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(arguments()).env(RUNS, "1").kill_on_drop(true);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        loop {
            if let Some(ready) = said(&lines.next_line().await.unwrap().unwrap()) {
                // What it writes later is read, so that it can end as it should.
                tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
                return Self { ready, process };
            }
        }
    }

    /// Its data folder.
    pub(crate) fn data_dir(&self) -> &Path {
        Path::new(self.ready["data_dir"].as_str().unwrap())
    }

    /// Asks it to end, and waits until it has.
    pub(crate) async fn stop(mut self) {
        let stop = Command::new("kill").arg(self.ready["pid"].to_string()).status().await.unwrap();
        assert!(stop.success() && self.process.wait().await.unwrap().success());
    }
}

/// The bank's line. The test binary says some words of its own before it, on the same line too.
pub(crate) fn said(line: &str) -> Option<Value> {
    line.find('{').map(|at| serde_json::from_str(&line[at..]).unwrap())
}

#[test]
#[ignore = "stands for the program when a test starts it"]
fn runs_the_program() {
    if std::env::var_os(RUNS).is_some() {
        assert_eq!(lombard::cli::run_command(["lombard", "--ephemeral"]), ExitCode::SUCCESS);
    }
}
