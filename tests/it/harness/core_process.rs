//! The built-in bank in a process of its own, where the tests run against a core over HTTP (`LOMBARD_TEST_CORE=http`).

use super::child_process::{self, ChildProcess};
use super::test_clock::{SharedClock, TestClock};
use super::{SeededEntropy, engine, template};
use lombard::server::{BankProcess, Overrides};
use lombard_ports::clock::{Clock, Clocks, SystemClock};
use lombard_sandbox::seed::NoSeedProgress;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::Mutex;

const CORE_FILE: &str = "core.json";
/// The variable that names the core of the tests.
const CORE: &str = "LOMBARD_TEST_CORE";
/// The test that the process runs.
const TEST: &str = concat!(module_path!(), "::runs_the_bank");
/// The variable with the data folder of the process that runs the bank.
const DATA_DIR: &str = "LOMBARD_TEST_BANK_DATA_DIR";
/// The variable with the file of the clock that it shares; without one it runs on the machine's clock.
const CLOCK: &str = "LOMBARD_TEST_BANK_CLOCK";

/// Settings that the bank's process reads, and a server in front of it refuses.
pub(super) const OF_THE_BANK: [&str; 4] =
    ["payments.cut_offs", "payments.rate_spread", "payments.rate_movement", "payments.deals"];

/// Where the built-in bank of a test runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TestCore {
    /// In the server.
    BuiltIn,
    /// In a process of its own.
    Process,
}

impl TestCore {
    /// The one that the environment names.
    pub(crate) fn of_environment() -> Self {
        match std::env::var(CORE).as_deref() {
            Err(_) | Ok("builtin") => Self::BuiltIn,
            Ok("http") => Self::Process,
            Ok(_) => panic!("{CORE} is builtin or http"),
        }
    }
}

/// The data of a bank in a process of its own, and the process while it runs.
#[derive(Debug)]
pub(super) struct CoreData {
    folder: TempDir,
    database: Option<String>,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    /// With what it was started.
    environment: Vec<(String, String)>,
    /// Killed when it is dropped.
    process: ChildProcess,
}

impl CoreData {
    pub(super) fn new(folder: TempDir, database: Option<String>) -> Self {
        Self { folder, database, running: Mutex::default() }
    }

    /// The file that tells a server how to connect.
    pub(super) fn core_file(&self) -> PathBuf {
        self.folder.path().join(CORE_FILE)
    }

    /// The SQLite file with its ledger.
    pub(super) fn ledger_file(&self) -> PathBuf {
        self.folder.path().join("bank.db")
    }

    /// The URL of its database, if its engine is a server.
    pub(super) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// Has the bank run with these settings, on the test's clock, or on the machine's if there is none. It goes on if it runs so
    /// already.
    pub(super) async fn run(&self, clock: Option<&TestClock>, settings: &[(&str, &str)]) {
        let settings: Vec<_> = settings.iter().filter(|(key, _)| !key.starts_with("bank.")).copied().collect();
        let mut environment = template::environment(self.database.as_deref(), &settings);
        environment.push((DATA_DIR.to_owned(), self.folder.path().display().to_string()));
        if clock.is_some() {
            environment.push((CLOCK.to_owned(), self.clock_file().display().to_string()));
        }
        let mut running = self.running.lock().await;
        if running.as_ref().is_some_and(|running| running.environment == environment) {
            return;
        }
        // The earlier process has ended before the next one opens its data.
        end(&mut running).await;
        if let Some(clock) = clock {
            clock.share(&self.clock_file());
        }
        let process = ChildProcess::start(TEST, environment.clone(), None).await;
        *running = Some(Running { environment, process });
    }

    /// Kills the process.
    pub(super) async fn kill(&self) {
        end(&mut *self.running.lock().await).await;
    }

    fn clock_file(&self) -> PathBuf {
        self.folder.path().join("clock")
    }
}

async fn end(running: &mut Option<Running>) {
    if let Some(mut running) = running.take() {
        running.process.process.kill().await.unwrap();
    }
}

/// Makes the data of a bank in this folder and template database, and returns the running bank.
pub(super) async fn make(folder: &Path, database: Option<&str>, clocks: Clocks) -> BankProcess {
    let url = database.map(engine::postgres_database);
    let environment = template::environment(url.as_deref(), &[]);
    let overrides = Overrides { clocks, entropy: Arc::new(SeededEntropy::of_test("bank template")), core: None };
    let config = template::config(folder, &environment);
    BankProcess::start(config, overrides, 0, &NoSeedProgress).await.unwrap_or_else(|error| panic!("{error:?}"))
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "not a test: the process of a bank that a test starts"]
async fn runs_the_bank() {
    let Some((config, folder)) = child_process::configuration(DATA_DIR) else { return };
    let clock: Arc<dyn Clock> = match std::env::var_os(CLOCK) {
        Some(file) => Arc::new(SharedClock::open(Path::new(&file))),
        None => Arc::new(SystemClock),
    };
    let overrides = Overrides { clocks: Clocks::new(clock), ..Overrides::system() };
    let _bank = BankProcess::start(config, overrides, earlier_port(&folder), &NoSeedProgress).await.unwrap();
    child_process::run_until_killed().await;
}

/// The port of a process that was killed, which a server knows; 0 if none was.
fn earlier_port(folder: &Path) -> u16 {
    let Ok(text) = std::fs::read_to_string(folder.join(CORE_FILE)) else { return 0 };
    let core: serde_json::Value = serde_json::from_str(&text).unwrap();
    core["url"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap()
}
