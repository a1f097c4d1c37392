//! Databases: SQLite and PostgreSQL behind one synchronous session.
//!
//! A crate with rows of its own declares its statements and its schema here and writes each aggregate once, over
//! [`SqlTransaction`]; `sqlite` and `postgres` bind the session to an engine and hold what truly differs: group commit here, row
//! locks and retries there. Nothing here knows a table of the server or of a bank.

pub mod document;
mod metrics;
mod migrations;
mod options;
mod postgres;
pub mod quarantine;
pub mod readable;
mod retry;
pub mod session;
pub mod settings;
mod sqlite;
pub mod statement;
#[cfg(feature = "testing")]
pub mod testing;
pub mod value;

pub use migrations::{EarlierHistory, Migration, Schema};
pub use options::{StoreOptions, StoreTimeouts, migrate_store, pending_migrations};
pub use session::SqlTransaction;

use async_trait::async_trait;
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::fmt;
use std::sync::Arc;

/// Names that the macros of this crate write into other crates.
#[doc(hidden)]
pub mod ports {
    pub use jiff::Timestamp;
    pub use lombard_ports::store::{
        FailedWork, QuarantineStore, QuarantinedWork, SettingStore, Source, StoreError, WorkKind,
    };
}

/// What runs in a transaction: it keeps its result to itself and gives a verdict. It may run more than once.
pub type Work = Box<dyn FnMut(&mut SqlTransaction<'_>) -> TransactionVerdict + Send>;

#[async_trait]
trait Engine: Send + Sync + fmt::Debug {
    async fn write(&self, work: Work) -> Result<(), StoreError>;

    async fn read(&self, work: Work) -> Result<(), StoreError>;
}

/// An open database. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Database(Arc<dyn Engine>);

impl Database {
    /// Opens a database that has every migration of these schemas.
    ///
    /// Install the metrics recorder first: the database's handles are made now.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it cannot be reached, lacks a migration, is newer than this program, or the URL is not
    /// one of ours.
    pub async fn open(options: &StoreOptions, schemas: &[&'static Schema]) -> Result<Self, StoreError> {
        options::open_store(options, schemas).await.map(Self)
    }

    /// Runs the work in a read-write transaction, again as a whole when contended, and returns after it is durable.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be committed; nothing is stored then.
    pub async fn write(&self, work: Work) -> Result<(), StoreError> {
        self.0.write(work).await
    }

    /// Runs the work on a consistent snapshot. Writing through it fails.
    ///
    /// # Errors
    /// [`StoreError`] when no snapshot could be had.
    pub async fn read(&self, work: Work) -> Result<(), StoreError> {
        self.0.read(work).await
    }
}
