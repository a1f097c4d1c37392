//! The databases of measured servers: a file in each data folder, or, if the database setting names PostgreSQL, a database
//! created for each server there.

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

/// The setting of every server, read from the environment as they read it.
pub(crate) const SETTING: &str = "LOMBARD__DATABASE__URL";

/// What keeps the rows of this run.
#[derive(Debug, Clone)]
pub(crate) enum Engine {
    /// A file in each server's data folder.
    Sqlite,
    /// The PostgreSQL server of this address; databases are made beside the one it names, and dropped at the end.
    Postgres(Url),
}

impl Engine {
    /// PostgreSQL if the servers under measurement are told to use it.
    pub(crate) fn of_this_run() -> BenchResult<Self> {
        match std::env::var(SETTING) {
            Ok(url) if url.starts_with("postgres") => Ok(Self::Postgres(url.parse()?)),
            _ => Ok(Self::Sqlite),
        }
    }

    /// An empty database for the server with this data folder. The name tells it from others of this run.
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

    /// The first process of PostgreSQL, of which all others are children, if it runs on this machine.
    pub(crate) async fn process(&self) -> BenchResult<Option<u32>> {
        let Self::Postgres(server) = self else { return Ok(None) };
        let client = connect(server.as_str()).await?;
        let backend: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
        let backend = u32::try_from(backend)?;
        let first = is_program(backend, "postgres").then(|| parent_of(backend)).transpose()?;
        Ok(first.filter(|first| is_program(*first, "postgres")))
    }

    /// The grown side as a multiple of the bound. On SQLite all of the work is the server's, so it is processor time; on
    /// PostgreSQL half of it is another program's, so it is the time to the answer.
    pub(crate) fn figure(&self, name: String, pairs: &Pairs, most: f64) -> Figure {
        match self {
            Self::Sqlite => Figure::of_cost(name, pairs, most),
            Self::Postgres(_) => Figure::of_ratio(name, pairs.delay(), Aim::AtMost(most)),
        }
    }

    /// The first on SQLite, the second on PostgreSQL.
    pub(crate) fn choose<T>(&self, [sqlite, postgres]: [T; 2]) -> T {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres(_) => postgres,
        }
    }

    /// Its name in records.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

/// The rows of one server.
#[derive(Debug)]
pub(crate) struct Database {
    engine: Engine,
    name: String,
    url: String,
}

impl Database {
    /// Its address.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// What tells a server to use it.
    pub(crate) fn settings(&self) -> [(&'static str, String); 1] {
        [("DATABASE__URL", self.url.clone())]
    }

    /// Makes its tables and the data folder by a first start, and opens it to be filled.
    pub(crate) async fn first_start(&self, program: &Path, data: &Path) -> BenchResult<Stores> {
        self.start(program, data).await?.process.stop().await?;
        self.open().await
    }

    /// Opens it to be filled; a server has made its tables.
    pub(crate) async fn open(&self) -> BenchResult<Stores> {
        Stores::open(self.url.clone()).await
    }

    /// Starts the server on it.
    pub(crate) async fn start(&self, program: &Path, data: &Path) -> BenchResult<Lombard> {
        Lombard::start_with(program, data, &self.settings()).await
    }

    /// The same with these settings too.
    pub(crate) async fn start_with(
        &self,
        program: &Path,
        data: &Path,
        more: &[(&'static str, String)],
    ) -> BenchResult<Lombard> {
        let settings: Vec<_> = self.settings().into_iter().chain(more.iter().cloned()).collect();
        Lombard::start_with(program, data, &settings).await
    }

    /// Has PostgreSQL do at once what it does by itself some time after many rows came, lest it do so while rounds are
    /// measured.
    pub(crate) async fn settle(&self) -> BenchResult<()> {
        match &self.engine {
            Engine::Sqlite => Ok(()),
            Engine::Postgres(_) => postgres(&self.url.parse()?, "VACUUM (ANALYZE)").await,
        }
    }

    /// Drops it, whoever is still connected. A file goes with its data folder, and what a run that failed left behind when
    /// the next one makes its databases.
    pub(crate) async fn forget(self) -> BenchResult<()> {
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

/// A connection to PostgreSQL, driven by a task of its own.
pub(crate) async fn connect(url: &str) -> BenchResult<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    drop(tokio::spawn(connection));
    Ok(client)
}

/// The server's tables and the built-in bank's in one database, to be filled.
#[derive(Debug, Clone)]
pub(crate) struct Stores {
    pub(crate) server: Store,
    pub(crate) bank: BankStore,
}

impl Stores {
    /// Those of the database at this URL, which a server has made.
    pub(crate) async fn open(url: String) -> BenchResult<Self> {
        let schemas = [&lombard_store::SCHEMA, &lombard_corebank::SCHEMA];
        let database = lombard_database::Database::open(&StoreOptions::new(url), &schemas).await?;
        let bank = lombard_corebank::on_database(database.clone());
        Ok(Self { server: lombard_store::on_database(database), bank })
    }
}
