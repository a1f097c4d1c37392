//! The initial data of every bank, created once, because certificates, TPPs, customers and their history take seconds.

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
    database: Option<String>,
    numbers: AtomicU32,
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
        Self { folder, database: self.database.clone(), numbers: AtomicU32::new(1_000) }
    }

    /// Its database on the server of the tests.
    pub(crate) fn database_url(&self) -> url::Url {
        self.database.as_deref().expect("the engine is a server").parse().unwrap()
    }

    /// The configuration of a bank on it, with these settings.
    pub(crate) fn config(&self, settings: &[(&str, &str)]) -> Config {
        config(self.folder.path(), &self.environment(settings))
    }

    /// The settings of a bank on it, as environment variables.
    pub(crate) fn environment(&self, settings: &[(&str, &str)]) -> Vec<(String, String)> {
        environment(self.database.as_deref(), settings)
    }
}

/// Fresh ground with a template's data on it.
pub(crate) async fn ground(engine: Engine) -> BankData {
    let template = template(engine);
    let folder = tempfile::tempdir().unwrap();
    copy(&template.folder, folder.path());
    let database = match &template.database {
        Some(source) => {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let name = format!("{source}_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
            engine::postgres_run(&[format!("CREATE DATABASE {name} TEMPLATE {source}")]).await;
            Some(engine::postgres_database(&name))
        }
        None => None,
    };
    BankData { folder, database, numbers: AtomicU32::new(0) }
}

/// Ground with nothing on it: a bank that was never started.
pub(crate) async fn bare(engine: Engine) -> BankData {
    let folder = tempfile::tempdir().unwrap();
    let database = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("lombard_it_{}_bare_{number}", std::process::id());
            engine::postgres_run(&[format!("CREATE DATABASE {name}")]).await;
            Some(engine::postgres_database(&name))
        }
    };
    BankData { folder, database, numbers: AtomicU32::new(0) }
}

struct Template {
    folder: PathBuf,
    /// The template database's name.
    database: Option<String>,
}

fn template(engine: Engine) -> &'static Template {
    static SQLITE: OnceLock<Template> = OnceLock::new();
    static POSTGRES: OnceLock<Template> = OnceLock::new();
    let kept = match engine {
        Engine::Sqlite => &SQLITE,
        Engine::Postgres => &POSTGRES,
    };
    // On a thread and a runtime of its own: each test's runtime ends with the test.
    kept.get_or_init(|| {
        let make = move || tokio::runtime::Runtime::new().unwrap().block_on(make(engine));
        std::thread::Builder::new().name("template".to_owned()).spawn(make).unwrap().join().unwrap()
    })
}

async fn make(engine: Engine) -> Template {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    sweep(all);
    let folder = all.join(format!("{PREFIX}{}-{engine:?}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let database = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => {
            let name = format!("lombard_it_{}", std::process::id());
            engine::postgres_run(&[format!("CREATE DATABASE {name}")]).await;
            Some(name)
        }
    };
    let url = database.as_deref().map(engine::postgres_database);
    let clocks = Clocks::new(Arc::new(ManualClock::starting_at(now())));
    let seams = Overrides { clocks, entropy: Arc::new(SeededEntropy::of_test("template")), core: None };
    let server = Server::start(config(&folder, &environment(url.as_deref(), &[])), seams).await;
    server.unwrap_or_else(|error| panic!("{error:?}")).stop_server().await;
    Template { folder, database }
}

fn config(folder: &Path, environment: &[(String, String)]) -> Config {
    let config = Config::from_parts("", environment).unwrap_or_else(|problems| panic!("{problems}"));
    Config { data_dir: folder.to_owned(), ..config }
}

/// The clock of a test stands still, so nobody rests: rates are set by the tests that are about them.
const UNLIMITED: [(&str, &str); 11] = [
    ("rates.token_per_s", "0"),
    ("rates.pushed_per_s", "0"),
    ("rates.authorize_per_s", "0"),
    ("rates.authorize_address_per_s", "0"),
    ("rates.accounts_per_s", "0"),
    ("rates.payments_per_s", "0"),
    ("rates.files_per_s", "0"),
    ("rates.funds_per_s", "0"),
    ("rates.vrp_per_s", "0"),
    ("rates.failures_per_s", "0"),
    ("events.rate_per_s", "0"),
];

fn environment(database: Option<&str>, settings: &[(&str, &str)]) -> Vec<(String, String)> {
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
