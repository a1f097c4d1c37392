//! Which database to use, and opening it.

use crate::{Engine, Schema, postgres, sqlite};
use lombard_ports::store::StoreError;
use lombard_ports::wake::Wake;
use std::sync::Arc;
use std::time::Duration;

/// Which database to use.
#[derive(Clone)]
pub struct StoreOptions {
    /// `sqlite://PATH`, `sqlite::memory:` (a temporary database, for tests) or `postgres://…`.
    pub url: String,
    /// Connections to PostgreSQL at most; SQLite has one writer and a reader for each thread.
    pub pool_size: usize,
    /// How long callers wait for a database that is held up.
    pub waits: StoreTimeouts,
    /// Who hears that queues of events have got longer, on this node or another; nobody if absent.
    pub wake: Option<Arc<dyn Wake>>,
}

/// How long callers wait for a database that is held up; then it is [`StoreError::Unavailable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreTimeouts {
    /// For a connection to PostgreSQL, or for SQLite's writer to begin with a transaction.
    pub connection: Duration,
    /// For PostgreSQL to carry out a statement. Migrations have no such bound.
    pub statement: Duration,
    /// For what another transaction on PostgreSQL has locked.
    pub lock: Duration,
    /// After which PostgreSQL rolls back a transaction whose node has gone silent.
    pub idle_transaction: Duration,
}

impl Default for StoreTimeouts {
    fn default() -> Self {
        Self {
            connection: Duration::from_secs(5),
            statement: Duration::from_secs(10),
            lock: Duration::from_secs(5),
            idle_transaction: Duration::from_secs(60),
        }
    }
}

impl std::fmt::Debug for StoreOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The URL may hold a password.
        f.debug_struct("Options").field("pool_size", &self.pool_size).finish_non_exhaustive()
    }
}

impl StoreOptions {
    /// The database at this URL, with a pool of 16 connections and the usual waits; nobody waits for events.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), pool_size: 16, waits: StoreTimeouts::default(), wake: None }
    }
}

enum DatabaseLocation<'a> {
    Sqlite(sqlite::DatabaseFile),
    Postgres(&'a str),
}

fn database_location(options: &StoreOptions) -> Result<DatabaseLocation<'_>, StoreError> {
    let url = options.url.as_str();
    if url == "sqlite::memory:" {
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

/// Opens a database. It must have been migrated; a temporary one is migrated here.
pub(crate) async fn open_store(
    options: &StoreOptions,
    schemas: &[&'static Schema],
) -> Result<Arc<dyn Engine>, StoreError> {
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

/// Brings the database to these schemas of this program, the first one first, all or nothing, and returns the names of the
/// migrations applied. Many nodes may do so at once.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be reached, or is newer than this program.
pub async fn migrate_store(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<Vec<String>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => sqlite::migrate(&database, schemas),
        DatabaseLocation::Postgres(url) => postgres::migrate(url, schemas, &options.waits).await,
    }
}

/// The names of the migrations of these schemas that the database lacks, oldest first. Nothing is changed: a SQLite file that
/// does not exist lacks all of them and is not made.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be reached, or is newer than this program.
pub async fn pending_migrations(
    options: &StoreOptions,
    schemas: &[&'static Schema],
) -> Result<Vec<String>, StoreError> {
    match database_location(options)? {
        DatabaseLocation::Sqlite(database) => sqlite::pending_migrations(&database, schemas),
        DatabaseLocation::Postgres(url) => postgres::pending_migrations(url, schemas, &options.waits).await,
    }
}
