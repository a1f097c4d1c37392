//! The initial data of every bank, created once, because certificates, TPPs, customers and their history take seconds.

use super::core_process::{self, CoreData, OF_THE_BANK, TestCore};
use super::test_clock::TestClock;
use super::test_database::TestDatabase;
use super::{Engine, SeededEntropy, engine};
use jiff::Timestamp;
use lombard::config::Config;
use lombard::server::{Overrides, Server};
use lombard_ports::clock::{Clock, Clocks, ManualClock, SystemClock};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// Where templates are kept, under a name that tells whose they are.
const PREFIX: &str = "bank-of-";

/// The time at which all banks start: the moment the first one was made.
pub(crate) fn now() -> Timestamp {
    static NOW: OnceLock<Timestamp> = OnceLock::new();
    *NOW.get_or_init(|| Timestamp::from_second(SystemClock.now().as_second()).unwrap())
}

/// A bank's data: a folder, and a database of its own where the engine is a server.
#[derive(Debug)]
pub(crate) struct BankData {
    folder: TempDir,
    database: Option<Arc<TestDatabase>>,
    numbers: AtomicU32,
    /// The bank in a process of its own, if the tests run so.
    core: Option<Arc<CoreData>>,
}

impl BankData {
    /// Its data folder.
    pub(crate) fn data_dir(&self) -> &Path {
        self.folder.path()
    }

    /// A number not given before.
    pub(crate) fn next_number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// A copy of its folder on the same database.
    pub(crate) fn twin(&self) -> Self {
        assert!(self.database.is_some(), "two servers share no file");
        let folder = tempfile::tempdir().unwrap();
        copy(self.folder.path(), folder.path());
        // Numbers of its own: from the same ones both would draw the same ids.
        let database = self.database.clone();
        let core = self.core.clone();
        Self { folder, database, numbers: AtomicU32::new(1_000), core }
    }

    /// Its database on the server of the tests.
    pub(crate) fn database_url(&self) -> url::Url {
        self.server_url().expect("the engine is a server").parse().unwrap()
    }

    /// The configuration of a bank on it, with these settings.
    pub(crate) fn config(&self, settings: &[(&str, &str)]) -> Config {
        config(self.folder.path(), &self.environment(settings))
    }

    /// The settings of a bank on it, as environment variables.
    pub(crate) fn environment(&self, settings: &[(&str, &str)]) -> Vec<(String, String)> {
        let file = self.core_of(settings).map(|core| core.file_for_servers().display().to_string());
        let mut settings = settings.to_vec();
        if let Some(file) = &file {
            settings.retain(|(key, _)| !OF_THE_BANK.contains(key));
            settings.extend([("bank.kind", "http"), ("bank.core_file", file)]);
        }
        environment(self.server_url(), &settings)
    }

    /// The URL of its database, if the engine is a server.
    fn server_url(&self) -> Option<&str> {
        self.database.as_deref().map(TestDatabase::url)
    }

    /// Has the bank run, if it runs in a process of its own: on the test's clock, or on the machine's if there is none.
    pub(crate) async fn run_core(&self, clock: Option<&TestClock>, settings: &[(&str, &str)]) {
        if let Some(core) = self.core_of(settings) {
            core.run(clock, settings).await;
        }
    }

    /// Ends the process of the bank.
    pub(crate) async fn kill_core(&self) {
        self.core.as_ref().expect("the bank has a process of its own").kill().await;
    }

    /// Whether the bank runs outside the server.
    pub(crate) fn has_core_outside(&self) -> bool {
        self.core.is_some()
    }

    /// The file that tells how to connect to the bank.
    pub(crate) fn core_file(&self) -> PathBuf {
        self.core.as_ref().expect("the bank has a process of its own").core_file()
    }

    /// Has servers connect to what this core file names, instead of the bank.
    pub(crate) fn put_before_core(&self, core_file: PathBuf) {
        self.core.as_ref().expect("the bank has a process of its own").stand_behind(core_file);
    }

    /// The bank in a process of its own, unless these settings choose another core.
    fn core_of(&self, settings: &[(&str, &str)]) -> Option<&CoreData> {
        self.core.as_deref().filter(|_| settings.iter().all(|(key, _)| *key != "bank.kind"))
    }

    /// The SQLite file with the ledger.
    pub(crate) fn ledger_file(&self) -> PathBuf {
        self.core.as_ref().map_or_else(|| self.data_dir().join("lombard.db"), |core| core.ledger_file())
    }

    /// The URL of the database with the ledger, if the engine is a server.
    pub(crate) fn ledger_url(&self) -> Option<&str> {
        self.core.as_ref().map_or(self.server_url(), |core| core.database_url())
    }
}

/// Fresh ground with a template's data on it.
pub(crate) async fn ground(engine: Engine, core: TestCore) -> BankData {
    let template = template(engine, core);
    let fresh = async |source: &Option<String>| match source {
        Some(source) => Some(TestDatabase::copy_of(source).await),
        None => None,
    };
    let folder = tempfile::tempdir().unwrap();
    copy(&template.folder, folder.path());
    let core = match &template.core {
        Some((source, database)) => {
            let folder = tempfile::tempdir().unwrap();
            copy(source, folder.path());
            Some(Arc::new(CoreData::new(folder, fresh(database).await, core)))
        }
        None => None,
    };
    let database = fresh(&template.database).await.map(Arc::new);
    BankData { folder, database, numbers: AtomicU32::new(0), core }
}

/// Ground with nothing on it: a bank that was never started.
pub(crate) async fn bare(engine: Engine, core: TestCore) -> BankData {
    let empty = async || match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Some(TestDatabase::empty().await),
    };
    let core = match core {
        TestCore::Shared | TestCore::Process => {
            Some(Arc::new(CoreData::new(tempfile::tempdir().unwrap(), empty().await, core)))
        }
        TestCore::BuiltIn => None,
    };
    let database = empty().await.map(Arc::new);
    BankData { folder: tempfile::tempdir().unwrap(), database, numbers: AtomicU32::new(0), core }
}

struct Template {
    folder: PathBuf,
    /// The template database's name.
    database: Option<String>,
    /// The folder and the template database of the bank in a process of its own, if the tests run so.
    core: Option<(PathBuf, Option<String>)>,
}

fn template(engine: Engine, core: TestCore) -> &'static Template {
    static SQLITE: [OnceLock<Template>; 2] = [OnceLock::new(), OnceLock::new()];
    static POSTGRES: [OnceLock<Template>; 2] = [OnceLock::new(), OnceLock::new()];
    let [built_in, outside] = match engine {
        Engine::Sqlite => &SQLITE,
        Engine::Postgres => &POSTGRES,
    };
    let kept = match core {
        TestCore::BuiltIn => built_in,
        TestCore::Shared | TestCore::Process => outside,
    };
    // On a thread and a runtime of its own: each test's runtime ends with the test.
    kept.get_or_init(|| {
        let make = move || tokio::runtime::Runtime::new().unwrap().block_on(make(engine, core));
        std::thread::Builder::new().name("template".to_owned()).spawn(make).unwrap().join().unwrap()
    })
}

async fn make(engine: Engine, core: TestCore) -> Template {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    sweep(all);
    let fresh = async |purpose: &str| {
        let folder = all.join(format!("{PREFIX}{}-{engine:?}{purpose}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => {
                let name = format!("lombard_it_{}{purpose}", std::process::id());
                engine::postgres_run(&[format!("CREATE DATABASE {name}")]).await;
                Some(name)
            }
        };
        (folder, database)
    };
    let clocks = || Clocks::new(Arc::new(ManualClock::starting_at(now())));
    let (core, bank, purpose) = match core {
        TestCore::BuiltIn => (None, None, ""),
        TestCore::Shared | TestCore::Process => {
            let (folder, database) = fresh("_bank").await;
            let bank = core_process::make(&folder, database.as_deref(), clocks()).await;
            (Some((folder, database)), Some(bank), "_server")
        }
    };
    let (folder, database) = fresh(purpose).await;
    let file = bank.as_ref().map(|bank| bank.core_file().display().to_string());
    let settings: Vec<_> =
        file.iter().flat_map(|file| [("bank.kind", "http"), ("bank.core_file", file.as_str())]).collect();
    let url = database.as_deref().map(engine::postgres_database);
    let seams = Overrides { clocks: clocks(), entropy: Arc::new(SeededEntropy::of_test("template")), core: None };
    let server = Server::start(config(&folder, &environment(url.as_deref(), &settings)), seams).await;
    server.unwrap_or_else(|error| panic!("{error:?}")).stop_server().await;
    if let Some(bank) = bank {
        bank.stop_bank().await;
        let (folder_of_bank, of_bank): &(PathBuf, Option<String>) = core.as_ref().unwrap();
        let of_bank = of_bank.as_deref().map(engine::postgres_database);
        let at_bank = engine::tables(of_bank.as_deref(), &folder_of_bank.join("bank.db")).await;
        let at_server = engine::tables(url.as_deref(), &folder.join("lombard.db")).await;
        assert!(at_bank.contains("ledger_accounts") && at_server.contains("orders"));
        assert!(at_bank.is_disjoint(&at_server), "a server in front of a core has none of its tables: {at_server:?}");
    }
    Template { folder, database, core }
}

pub(super) fn config(folder: &Path, environment: &[(String, String)]) -> Config {
    let config = Config::from_parts("", environment).unwrap_or_else(|problems| panic!("{problems}"));
    Config { data_dir: folder.to_owned(), ..config }
}

/// The clock of a test stands still, so nobody rests: rates are set by the tests that are about them.
const UNLIMITED: [(&str, &str); 14] = [
    ("rates.token_per_s", "0"),
    ("rates.pushed_per_s", "0"),
    ("rates.authorize_per_s", "0"),
    ("rates.authorize_address_per_s", "0"),
    ("rates.logo_address_per_s", "0"),
    ("rates.page_address_per_s", "0"),
    ("rates.portal_form_per_s", "0"),
    ("rates.accounts_per_s", "0"),
    ("rates.payments_per_s", "0"),
    ("rates.files_per_s", "0"),
    ("rates.funds_per_s", "0"),
    ("rates.vrp_per_s", "0"),
    ("rates.failures_per_s", "0"),
    ("events.rate_per_s", "0"),
];

pub(super) fn environment(database: Option<&str>, settings: &[(&str, &str)]) -> Vec<(String, String)> {
    let ports = ["server.public_port", "server.mtls_port", "server.ops_port"].map(|port| (port, "0"));
    let mut all: Vec<_> =
        ports.into_iter().chain([("database.connections_max", "4"), ("server.drain_secs", "5")]).collect();
    all.extend(database.map(|url| ("database.url", url)));
    all.extend(UNLIMITED.into_iter().filter(|(key, _)| settings.iter().all(|(set, _)| set != key)));
    all.extend(settings);
    let name = |key: &str| format!("LOMBARD__{}", key.replace('.', "__").to_uppercase());
    all.into_iter().map(|(key, value)| (name(key), value.to_owned())).collect()
}

/// Removes what earlier processes left.
fn sweep(all: &Path) {
    for entry in std::fs::read_dir(all).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|pid| pid != std::process::id() && !Path::new(&format!("/proc/{pid}")).exists()) {
            drop(std::fs::remove_dir_all(path));
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&target).unwrap();
            std::fs::set_permissions(&target, entry.metadata().unwrap().permissions()).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
