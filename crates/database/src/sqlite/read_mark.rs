//! Holds a read open while nothing is written, so that other reads need no lock of the operating system.
//!
//! A read of a database with a write-ahead log locks the mark of the last commit, so that the log is not overwritten. Within a
//! process SQLite counts the readers of a mark; only the first of them locks it for other processes, and only the last unlocks
//! it. These two system calls for each read took a tenth of the processor time of reading a balance. While this read is open,
//! other reads are neither first nor last.
//!
//! A held mark prevents SQLite from restarting the log at its beginning. Therefore the mark is released before each write and
//! held again afterwards. A checkpoint renews it, because reads lock another mark once the whole log is in the database file.

use super::connection::DatabaseFile;
use super::session::run_statement;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use rusqlite::Connection;

/// The connection that holds the mark, in a read-only transaction.
#[derive(Debug)]
pub(super) struct ReadMark(Mutex<Connection>);

impl ReadMark {
    /// Holds the mark of the last commit.
    ///
    /// # Errors
    /// If the database cannot be opened.
    pub(super) fn open(database: &DatabaseFile) -> Result<Self, StoreError> {
        let mark = Self(Mutex::new(database.connect_reader()?));
        mark.hold();
        Ok(mark)
    }

    /// Holds the mark of the last commit, unless a mark is held already.
    pub(super) fn hold(&self) {
        hold(&self.0.lock());
    }

    /// Releases the mark, so that the log can be restarted.
    pub(super) fn release(&self) {
        release(&self.0.lock());
    }

    /// Holds the mark that reads lock from now on, if a mark was held before.
    pub(super) fn renew(&self) {
        let connection = self.0.lock();
        if is_held(&connection) {
            release(&connection);
            hold(&connection);
        }
    }
}

fn is_held(connection: &Connection) -> bool {
    !connection.is_autocommit()
}

fn hold(connection: &Connection) {
    if is_held(connection) {
        return;
    }
    // The first query takes the mark and the transaction keeps it. Without the mark reads are slower but still correct.
    let begun = run_statement(connection, "BEGIN DEFERRED");
    let read = || connection.prepare_cached("SELECT COUNT(*) FROM sqlite_schema")?.query_row([], |_| Ok(()));
    if begun.is_err() || read().is_err() {
        release(connection);
    }
}

fn release(connection: &Connection) {
    if is_held(connection) {
        // SQLite ends a transaction that only read even if it reports an error.
        if let Err(error) = run_statement(connection, "ROLLBACK") {
            tracing::warn!(error = &error as &dyn std::error::Error, "the read that is held open could not be ended");
        }
    }
}
