//! The built-in bank outside the server, where the tests run against a core over HTTP (`LOMBARD_TEST_CORE=http`).

use super::child_process::{self, ChildProcess};
use super::core_host::HostedBank;
use super::test_clock::{SharedClock, TestClock};
use super::test_database::TestDatabase;
use super::{SeededEntropy, engine, template};
use lombard::config::Config;
use lombard::server::{BankProcess, Overrides, StartError};
use lombard_ports::clock::{Clock, Clocks, SystemClock};
use lombard_sandbox::seed::NoSeedProgress;
use parking_lot::Mutex as PlainMutex;
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
pub(super) const DATA_DIR: &str = "LOMBARD_TEST_BANK_DATA_DIR";
/// The variable with the file of the clock that it shares; without one it runs on the machine's clock.
pub(super) const CLOCK: &str = "LOMBARD_TEST_BANK_CLOCK";
/// The variable with the port of a process that was killed, which a server knows.
pub(super) const PORT: &str = "LOMBARD_TEST_BANK_PORT";

/// Settings that the bank's process reads, and a server in front of it refuses.
pub(super) const OF_THE_BANK: [&str; 4] =
    ["payments.cut_offs", "payments.rate_spread", "payments.rate_movement", "payments.deals"];

/// Where the built-in bank of a test runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TestCore {
    /// In the server.
    BuiltIn,
    /// In one process with the banks of the other tests.
    Shared,
    /// In a process of its own, which can be killed.
    Process,
}

impl TestCore {
    /// The one that the environment names.
    pub(crate) fn of_environment() -> Self {
        match std::env::var(CORE).as_deref() {
            Err(_) | Ok("builtin") => Self::BuiltIn,
            Ok("http") => Self::Shared,
            Ok(_) => panic!("{CORE} is builtin or http"),
        }
    }
}

/// The data of a bank outside the server, and its process while it runs.
#[derive(Debug)]
pub(super) struct CoreData {
    folder: TempDir,
    database: Option<TestDatabase>,
    is_shared: bool,
    running: Mutex<Option<Running>>,
    /// The core file of what stands between it and the server.
    front: PlainMutex<Option<PathBuf>>,
}

#[derive(Debug)]
struct Running {
    /// With what it was started.
    environment: Vec<(String, String)>,
    bank: RunningBank,
}

/// A running bank. It ends when it is dropped.
#[derive(Debug)]
enum RunningBank {
    Hosted(HostedBank),
    Process(ChildProcess),
}

impl CoreData {
    /// With a process of its own, or one that the banks of all tests share.
    pub(super) fn new(folder: TempDir, database: Option<TestDatabase>, core: TestCore) -> Self {
        let is_shared = core == TestCore::Shared;
        Self { folder, database, is_shared, running: Mutex::default(), front: PlainMutex::default() }
    }

    /// The file that the bank writes.
    pub(super) fn core_file(&self) -> PathBuf {
        self.folder.path().join(CORE_FILE)
    }

    /// The file that tells a server how to connect: the bank's, or that of what stands before it.
    pub(super) fn file_for_servers(&self) -> PathBuf {
        self.front.lock().clone().unwrap_or_else(|| self.core_file())
    }

    /// Has servers connect to what this core file names.
    pub(super) fn stand_behind(&self, core_file: PathBuf) {
        *self.front.lock() = Some(core_file);
    }

    /// The SQLite file with its ledger.
    pub(super) fn ledger_file(&self) -> PathBuf {
        self.folder.path().join("bank.db")
    }

    /// The URL of its database, if its engine is a server.
    pub(super) fn database_url(&self) -> Option<&str> {
        self.database.as_ref().map(TestDatabase::url)
    }

    /// Has the bank run with these settings, on the test's clock, or on the machine's if there is none. It goes on if it runs so
    /// already.
    pub(super) async fn run(&self, clock: Option<&TestClock>, settings: &[(&str, &str)]) {
        let settings: Vec<_> = settings.iter().filter(|(key, _)| !key.starts_with("bank.")).copied().collect();
        let mut environment = template::environment(self.database_url(), &settings);
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
        let port = (PORT.to_owned(), self.earlier_port().to_string());
        let with_port: Vec<_> = environment.iter().cloned().chain([port]).collect();
        let bank = if self.is_shared {
            RunningBank::Hosted(HostedBank::start(&with_port).await)
        } else {
            RunningBank::Process(ChildProcess::start(TEST, with_port, None).await)
        };
        *running = Some(Running { environment, bank });
    }

    /// Kills the process, or ends the bank in the shared one as abruptly.
    pub(super) async fn kill(&self) {
        end(&mut *self.running.lock().await).await;
    }

    fn clock_file(&self) -> PathBuf {
        self.folder.path().join("clock")
    }

    /// The port of a bank that was killed, which a server knows; 0 if none was.
    fn earlier_port(&self) -> u16 {
        let Ok(text) = std::fs::read_to_string(self.core_file()) else { return 0 };
        let core: serde_json::Value = serde_json::from_str(&text).unwrap();
        core["url"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap()
    }
}

async fn end(running: &mut Option<Running>) {
    match running.take().map(|it| it.bank) {
        Some(RunningBank::Hosted(bank)) => bank.end().await,
        Some(RunningBank::Process(mut bank)) => bank.process.kill().await.unwrap(),
        None => {}
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

/// Serves the bank on the data of this folder, by the clock in this file or the machine's, on this port or a free one.
pub(super) async fn serve(config: Config, clock: Option<&Path>, port: u16) -> Result<BankProcess, StartError> {
    let clock: Arc<dyn Clock> = match clock {
        Some(file) => Arc::new(SharedClock::open(file)),
        None => Arc::new(SystemClock),
    };
    let overrides = Overrides { clocks: Clocks::new(clock), ..Overrides::system() };
    BankProcess::start(config, overrides, port, &NoSeedProgress).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "not a test: the process of a bank that a test starts"]
async fn runs_the_bank() {
    let Some((config, _)) = child_process::configuration(DATA_DIR) else { return };
    let clock = std::env::var_os(CLOCK).map(PathBuf::from);
    let port = std::env::var(PORT).unwrap().parse().unwrap();
    let _bank = Box::pin(serve(config, clock.as_deref(), port)).await.unwrap();
    child_process::run_until_killed().await;
}
