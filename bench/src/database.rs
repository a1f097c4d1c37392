//! The databases of measured servers. Without configuration, each is a file in the server's data folder. If the database setting names
//! PostgreSQL, each server gets its own database there.

use crate::compare::Pairs;
use crate::figure::{Aim, Figure};
use crate::process::{Lombard, is_program, parent_of};
use crate::result::BenchResult;
use lombard_corebank::storage::BankStore;
use lombard_database::StoreOptions;
use lombard_ports::store::Store;
use std::path::Path;
use tokio_postgres::{Client, NoTls};
use url::Url;

/// The database setting, which is read from the environment in the same way as the servers read it.
pub(crate) const SETTING: &str = "LOMBARD__DATABASE__URL";

/// The database engine of this run.
#[derive(Debug, Clone)]
pub(crate) enum Engine {
    /// SQLite: a file in each server's data folder.
    Sqlite,
    /// PostgreSQL at this URL. Databases are created in addition to the named one, and dropped at the end.
    Postgres(Url),
}

impl Engine {
    /// The engine that the environment configures for the measured servers.
    pub(crate) fn of_this_run() -> BenchResult<Self> {
        match std::env::var(SETTING) {
            Ok(url) if url.starts_with("postgres") => Ok(Self::Postgres(url.parse()?)),
            _ => Ok(Self::Sqlite),
        }
    }

    /// Creates an empty database for the server with this data folder. The name distinguishes it from other databases of this run.
    pub(crate) async fn database(&self, data: &Path, name: &str) -> BenchResult<Database> {
        let name = format!("lombard_bench_{name}");
        let url = match self {
            Self::Sqlite => format!("sqlite://{}", data.join("lombard.db").display()),
            Self::Postgres(server) => {
                postgres(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
                postgres(server, &format!("CREATE DATABASE {name}")).await?;
                let mut own = server.clone();
                own.set_path(&name);
                own.into()
            }
        };
        Ok(Database { engine: self.clone(), name, url })
    }

    /// The first process of PostgreSQL, if it runs on this machine. All other processes of PostgreSQL are its children.
    pub(crate) async fn process(&self) -> BenchResult<Option<u32>> {
        let Self::Postgres(server) = self else { return Ok(None) };
        let client = connect(server.as_str()).await?;
        let backend: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
        let backend = u32::try_from(backend)?;
        let first = is_program(backend, "postgres").then(|| parent_of(backend)).transpose()?;
        Ok(first.filter(|first| is_program(*first, "postgres")))
    }

    /// A multiple of the baseline. On SQLite, all work is the server's, so the figure is processor time. On PostgreSQL, half of the work is
    /// done by another program, so the figure is the latency.
    pub(crate) fn figure(&self, name: String, pairs: &Pairs, most: f64) -> Figure {
        match self {
            Self::Sqlite => Figure::of_cost(name, pairs, most),
            Self::Postgres(_) => Figure::of_ratio(name, pairs.latency_multiple(), Aim::AtMost(most)),
        }
    }

    /// Returns the first value on SQLite and the second on PostgreSQL.
    pub(crate) fn choose<T>(&self, [sqlite, postgres]: [T; 2]) -> T {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres(_) => postgres,
        }
    }

    /// The name of the engine in records.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

/// The database of one server.
#[derive(Debug)]
pub(crate) struct Database {
    engine: Engine,
    name: String,
    url: String,
}

impl Database {
    /// The URL of the database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The settings by which a server uses the database.
    pub(crate) fn settings(&self) -> [(&'static str, String); 1] {
        [("DATABASE__URL", self.url.clone())]
    }

    /// Creates the tables and the data folder by a first start, and opens the database for filling.
    pub(crate) async fn first_start(&self, program: &Path, data: &Path) -> BenchResult<Stores> {
        self.start(program, data).await?.process.stop().await?;
        self.open().await
    }

    /// Opens the database, whose tables a server has created, for filling.
    pub(crate) async fn open(&self) -> BenchResult<Stores> {
        Stores::open(self.url.clone()).await
    }

    /// Starts the server on the database.
    pub(crate) async fn start(&self, program: &Path, data: &Path) -> BenchResult<Lombard> {
        Lombard::start_with(program, data, &self.settings()).await
    }

    /// Starts the server on the database, with these additional settings.
    pub(crate) async fn start_with(
        &self,
        program: &Path,
        data: &Path,
        more: &[(&'static str, String)],
    ) -> BenchResult<Lombard> {
        let settings: Vec<_> = self.settings().into_iter().chain(more.iter().cloned()).collect();
        Lombard::start_with(program, data, &settings).await
    }

    /// Makes PostgreSQL do its maintenance now, which it otherwise does some time after many inserts, so that it does not run during a
    /// measurement.
    pub(crate) async fn settle(&self) -> BenchResult<()> {
        match &self.engine {
            Engine::Sqlite => Ok(()),
            Engine::Postgres(_) => postgres(&self.url.parse()?, "VACUUM (ANALYZE)").await,
        }
    }

    /// Drops the database, even if clients are still connected. A file is removed with its data folder. Databases of a failed run are
    /// dropped when the next run creates its own.
    pub(crate) async fn drop_database(self) -> BenchResult<()> {
        match &self.engine {
            Engine::Sqlite => Ok(()),
            Engine::Postgres(server) => {
                postgres(server, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)).await
            }
        }
    }
}

async fn postgres(server: &Url, statement: &str) -> BenchResult<()> {
    Ok(connect(server.as_str()).await?.batch_execute(statement).await?)
}

/// Opens a connection to PostgreSQL, which a separate task drives.
pub(crate) async fn connect(url: &str) -> BenchResult<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    drop(tokio::spawn(connection));
    Ok(client)
}

/// The tables of the server and of the built-in bank in one database, for filling.
#[derive(Debug, Clone)]
pub(crate) struct Stores {
    pub(crate) server: Store,
    pub(crate) bank: BankStore,
}

impl Stores {
    /// Opens the tables of the database at this URL, which a server has created.
    pub(crate) async fn open(url: String) -> BenchResult<Self> {
        let schemas = [&lombard_store::SCHEMA, &lombard_corebank::SCHEMA];
        let database = lombard_database::Database::open(&StoreOptions::new(url), &schemas).await?;
        let bank = lombard_corebank::open_bank_store(database.clone());
        Ok(Self { server: lombard_store::on_database(database), bank })
    }
}
