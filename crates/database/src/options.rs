//! Which database to use, and how long to wait for it.

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
///
/// [`StoreError::Unavailable`]: lombard_ports::store::StoreError::Unavailable
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
