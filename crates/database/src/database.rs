//! An open database. Its URL selects the engine.

use crate::engine::{Engine, PoolUse, SingleStatements};
use crate::session::SnapshotScope;
use crate::{DatabaseTraffic, MigrationPlan, Schema, StoreOptions, Work, postgres, sqlite};
use jiff::Timestamp;
use lombard_ports::store::StoreError;
use std::sync::Arc;
#[cfg(feature = "testing")]
use std::time::Duration;

/// An open database. Clones share the same database.
#[derive(Debug, Clone)]
pub struct Database(pub(crate) Arc<dyn Engine>);

impl Database {
    /// Opens a database to which every migration of these schemas has been applied.
    ///
    /// Install the metrics recorder first: the database's metric handles are created here.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it cannot be reached, lacks a migration, is too new for this program, or the URL's scheme
    /// is unknown.
    pub async fn open(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<Self, StoreError> {
        open_engine(options, schemas).await.map(Self)
    }

    /// Runs the work in a read-write transaction and returns once it is durable. If the transaction is contended, the whole
    /// closure is run again.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be committed; nothing is stored then.
    pub async fn write(&self, work: Work) -> Result<(), StoreError> {
        self.0.write(work).await
    }

    /// Runs the work on a consistent snapshot. A write in this transaction fails.
    ///
    /// # Errors
    /// [`StoreError`] if no snapshot could be taken.
    pub async fn read(&self, work: Work) -> Result<(), StoreError> {
        self.0.read(SnapshotScope::Transaction, work).await
    }

    /// Runs work that consists of one query, without a transaction around it. A second statement fails.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_by_one_query(&self, work: Work) -> Result<(), StoreError> {
        self.0.read(SnapshotScope::Query, work).await
    }
}

impl Database {
    /// Asks the database for an answer. The question reads no table and uses a connection of its own, so neither a locked table
    /// nor a pool without free connections delays the answer. Callers limit the time. Returns the time of the database's server; SQLite
    /// has none.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn ping(&self) -> Result<Option<Timestamp>, StoreError> {
        self.0.ping().await
    }

    /// Whether a read waits for a database server.
    pub fn waits_for_server(&self) -> bool {
        self.0.waits_for_server()
    }

    /// Runs statements that are transactions by themselves, if the database has a server.
    pub fn single_statements(&self) -> Option<&dyn SingleStatements> {
        self.0.single_statements()
    }

    /// The use of the pool of connections now; `None` on SQLite, which has none.
    pub fn pool_use(&self) -> Option<PoolUse> {
        self.0.pool_use()
    }

    /// The round trips and statements to the database server so far. Tests use them to limit the round trips of hot paths.
    pub fn traffic(&self) -> DatabaseTraffic {
        self.0.traffic()
    }
}

/// Migrates the database to these schemas, in this order, and returns the names of the migrations that this call applied. Each
/// migration has a transaction of its own, except that a new database gets the older ones at once. Several nodes may migrate at the
/// same time, while others serve.
///
/// # Errors
/// [`StoreError::Unavailable`] if it cannot be reached, or is too new for this program, or if other transactions hold a lock for
/// minutes. The migrations before the one that failed stay applied.
pub async fn migrate_store(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<Vec<String>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => sqlite::migrate(&database, schemas),
        DatabaseLocation::Postgres(url) => {
            postgres::migrate(url, schemas, &options.waits, &postgres::LockPatience::default()).await
        }
    }
}

/// The names of the migrations of these schemas that the database lacks, oldest first. Nothing is changed: a SQLite file that
/// does not exist lacks all of them and is not created.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be reached, or is too new for this program.
pub async fn pending_migrations(
    options: &StoreOptions,
    schemas: &[&'static Schema],
) -> Result<Vec<String>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => sqlite::pending_migrations(&database, schemas),
        DatabaseLocation::Postgres(url) => postgres::pending_migrations(url, schemas, &options.waits).await,
    }
}

/// The number of connections that the server of the database admits, those of all nodes together. `None` on an engine without a server,
/// and behind a pooler that shares its connections.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be reached.
pub async fn admitted_connections(options: &StoreOptions) -> Result<Option<u32>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(_) => Ok(None),
        DatabaseLocation::Postgres(url) => postgres::admitted_connections(url, &options.waits).await,
    }
}

/// What [`migrate_store`] would do to the database, with the locks and durations of each step. Nothing is changed.
///
/// # Errors
/// As [`pending_migrations`].
pub async fn plan_migrations(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<MigrationPlan, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => sqlite::plan(&database, schemas),
        DatabaseLocation::Postgres(url) => postgres::plan(url, schemas, &options.waits).await,
    }
}

/// Migrates a PostgreSQL with other limits than those of [`migrate_store`]: the longest wait for a lock, and the number of attempts.
///
/// # Errors
/// As [`migrate_store`].
#[cfg(feature = "testing")]
pub async fn migrate_within(
    options: &StoreOptions,
    schemas: &[&'static Schema],
    lock_wait: Duration,
    attempts: u32,
) -> Result<Vec<String>, StoreError> {
    let pause = Duration::from_millis(20);
    let patience = postgres::LockPatience { lock_wait, attempts, first_pause: pause, longest_pause: pause };
    postgres::migrate(&options.url, schemas, &options.waits, &patience).await
}

/// Opens a database. The database must have been migrated; a temporary database is migrated here.
async fn open_engine(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<Arc<dyn Engine>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => {
            if database.is_temporary() {
                sqlite::migrate(&database, schemas)?;
            }
            sqlite::open(database, schemas, options.waits.connection, options.wake.clone())
        }
        DatabaseLocation::Postgres(url) => {
            postgres::open(url, options.pool_size, schemas, &options.waits, options.wake.clone()).await
        }
    }
}

/// Whether the URL names a temporary database, which is removed when it is closed.
pub fn is_temporary(url: &str) -> bool {
    matches!(url, "sqlite::memory:" | "sqlite://:memory:")
}

enum DatabaseLocation<'a> {
    Sqlite(sqlite::DatabaseFile),
    Postgres(&'a str),
}

fn database_location(options: &StoreOptions) -> Result<DatabaseLocation<'_>, StoreError> {
    let url = options.url.as_str();
    if is_temporary(url) {
        return sqlite::DatabaseFile::temporary().map(DatabaseLocation::Sqlite);
    }
    if let Some(path) = url.strip_prefix("sqlite://").filter(|path| !path.is_empty()) {
        return Ok(DatabaseLocation::Sqlite(sqlite::DatabaseFile::at(path.as_ref())));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(DatabaseLocation::Postgres(url));
    }
    Err(StoreError::Unavailable("the database URL must begin with sqlite:// or postgres://".into()))
}
