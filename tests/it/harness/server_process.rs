//! A server in a separate process, which can be killed and whose output can be read.
//!
//! The process is this test binary, started again with one ignored test, [`runs_the_server`]. It runs on the machine's clock.

use super::Bank;
use super::child_process::{self, ChildProcess};
use lombard::server::{Overrides, Server};
use tokio::process::Child;
use tokio::task::JoinHandle;

/// The test that the process runs.
const TEST: &str = concat!(module_path!(), "::runs_the_server");
/// The variable with the data folder of the process that runs the server.
const DATA_DIR: &str = "LOMBARD_TEST_SERVER_DATA_DIR";

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
        Self::spawn(bank, &[], bank.environment(), None).await
    }

    /// A server on this bank's data, ready, with these settings, and these variables of its environment.
    pub(crate) async fn start_with(bank: &Bank, settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Self {
        let mut environment = bank.environment_with(settings);
        environment.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Self::spawn(bank, settings, environment, None).await
    }

    /// A server on this bank's data, ready, whose log lines are kept at this level.
    pub(crate) async fn logging(bank: &Bank, level: &str) -> Self {
        Self::spawn(bank, &[], bank.environment(), Some(level)).await
    }

    async fn spawn(
        bank: &Bank,
        settings: &[(&str, &str)],
        mut environment: Vec<(String, String)>,
        level: Option<&str>,
    ) -> Self {
        // Assertions and tokens are judged by the machine's clock now.
        bank.clock.advance_to_present();
        bank.run_core_in_real_time_with(settings).await;
        environment.push((DATA_DIR.to_owned(), bank.data_dir().display().to_string()));
        let ChildProcess { process, logs } = ChildProcess::start(TEST, environment, level).await;
        Self { process, logs }
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
    let Some((config, _)) = child_process::configuration(DATA_DIR) else { return };
    let _server = Server::start(config, Overrides::system()).await.unwrap();
    child_process::run_until_killed().await;
}
