//! The options of a database, with its time limits.

use lombard_ports::wake::Wake;
use std::sync::Arc;
use std::time::Duration;

/// The options of a database.
#[derive(Clone)]
pub struct StoreOptions {
    /// `sqlite://PATH`, `sqlite::memory:` or `sqlite://:memory:` (a temporary database) or `postgres://…`.
    pub url: String,
    /// The largest number of connections to PostgreSQL. SQLite has one writer and one reader per thread.
    pub pool_size: usize,
    /// The time limits of the database.
    pub waits: StoreTimeouts,
    /// Notified when events are queued, on this node or another; `None` if this process holds no polls.
    pub wake: Option<Arc<dyn Wake>>,
}

/// The time limits of a database. When one is exceeded, the call fails with [`StoreError::Unavailable`].
///
/// [`StoreError::Unavailable`]: lombard_ports::store::StoreError::Unavailable
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreTimeouts {
    /// The wait for a connection to PostgreSQL, or for SQLite's writer to begin the transaction.
    pub connection: Duration,
    /// The execution time of a statement on PostgreSQL. Migrations have no such limit.
    pub statement: Duration,
    /// The wait for a lock held by another transaction on PostgreSQL.
    pub lock: Duration,
    /// The idle time after which PostgreSQL rolls back a transaction whose node no longer responds.
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
    /// Options for this URL with a pool of 16 connections, the default time limits and no wake-ups.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), pool_size: 16, waits: StoreTimeouts::default(), wake: None }
    }
}
