//! SQLite: one writer thread with group commit; reads run on the calling thread.

mod checkpoint;
mod connection;
mod migrate;
mod read_mark;
mod reader;
mod row_sets;
mod session;
mod writer;

#[cfg(test)]
mod tests;

pub(crate) use connection::DatabaseFile;
#[cfg(feature = "testing")]
pub(crate) use connection::STATEMENTS_KEPT;
pub(crate) use migrate::{migrate, pending_migrations, plan};

use crate::engine::Engine;
use crate::metrics::EngineMetrics;
use crate::session::SnapshotScope;
use crate::statement::SqlStatement;
use crate::{Schema, Work};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_ports::store::{StoreError, TransactionVerdict};
use lombard_ports::wake::Wake;
use std::sync::Arc;
use std::time::{Duration, Instant};
use writer::Writer;

/// Reads the head of the file.
const SCHEMA_VERSION: SqlStatement =
    SqlStatement { table: "the file", sqlite: "PRAGMA schema_version", postgres: "SELECT 1" };

/// The engine.
#[derive(Debug)]
struct Sqlite {
    // The fields are dropped in this order: the writer finishes its queue before the database's files may be removed.
    writer: Writer,
    database: Arc<DatabaseFile>,
    meters: EngineMetrics,
}

/// Opens a migrated database.
pub(crate) fn open(
    database: DatabaseFile,
    schemas: &[&Schema],
    patience: Duration,
    wake: Option<Arc<dyn Wake>>,
) -> Result<Arc<dyn Engine>, StoreError> {
    let database = Arc::new(database);
    let connection = database.connect_writer()?;
    schemas.iter().try_for_each(|schema| migrate::require_all(&connection, schema))?;
    let meters = EngineMetrics::new("sqlite");
    let writer = Writer::start(connection, Arc::clone(&database), meters.clone(), patience, wake)?;
    Ok(Arc::new(Sqlite { writer, database, meters }))
}

/// Runs statements on a database that is not open yet.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn run(database: &DatabaseFile, statements: &str) -> Result<(), StoreError> {
    database.connect_writer()?.execute_batch(statements).map_err(session::unavailable)
}

#[async_trait]
impl Engine for Sqlite {
    async fn write(&self, work: Work) -> Result<(), StoreError> {
        let since = Instant::now();
        let outcome = self.writer.submit(work).await;
        self.meters.wrote(since);
        outcome
    }

    async fn ping(&self) -> Result<Option<Timestamp>, StoreError> {
        // The error of a statement that failed fails the transaction, whatever the closure returns.
        let work: Work = Box::new(|session| {
            drop(session.one(&SCHEMA_VERSION, &[], |row| row.integer()));
            TransactionVerdict::Commit
        });
        self.read(SnapshotScope::Query, work).await.map(|()| None)
    }

    async fn read(&self, scope: SnapshotScope, mut work: Work) -> Result<(), StoreError> {
        // The read runs on the calling thread: a point read takes a few microseconds, less than passing it to another thread.
        let since = Instant::now();
        let outcome = reader::read(&self.database, scope, &mut work);
        self.meters.read(since);
        outcome
    }
}
