//! A read that is held open while nothing is written, so that other reads need no lock of the operating system.
//!
//! A read of a database with a write-ahead log locks the mark of the last commit, so that what it reads is not overwritten. Within a
//! process SQLite counts who has locked a mark, and only the first of them locks it for other processes and the last unlocks it:
//! two system calls for each read, a tenth of a balance's processor time. While this read is open, others are neither first nor last.
//!
//! A held mark keeps SQLite from beginning the log anew. So it is released before each write and held again after it, and a
//! checkpoint renews it: when all of the log is in the database file, reads lock another mark.

use super::connection::DatabaseFile;
use super::session::run_statement;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use rusqlite::Connection;

/// The connection that holds the mark.
#[derive(Debug)]
pub(super) struct ReadMark(Mutex<MarkHolder>);

#[derive(Debug)]
struct MarkHolder {
    connection: Connection,
    is_held: bool,
}

impl ReadMark {
    /// Holds the mark of the last commit.
    ///
    /// # Errors
    /// If the database cannot be opened.
    pub(super) fn open(database: &DatabaseFile) -> Result<Self, StoreError> {
        let mark = Self(Mutex::new(MarkHolder { connection: database.connect_reader()?, is_held: false }));
        mark.hold();
        Ok(mark)
    }

    /// Holds the mark of the last commit, unless one is held.
    pub(super) fn hold(&self) {
        self.0.lock().hold();
    }

    /// Releases the mark, so that the log may be begun anew.
    pub(super) fn release(&self) {
        self.0.lock().release();
    }

    /// Holds the mark that reads lock from now on, if one was held.
    pub(super) fn renew(&self) {
        let mut holder = self.0.lock();
        if holder.is_held {
            holder.release();
            holder.hold();
        }
    }
}

impl MarkHolder {
    fn hold(&mut self) {
        if !self.is_held {
            // The first query takes the mark and the transaction keeps it. Without it reads are slower and no less right.
            let begun = run_statement(&self.connection, "BEGIN DEFERRED");
            let read =
                || self.connection.prepare_cached("SELECT COUNT(*) FROM sqlite_schema")?.query_row([], |_| Ok(()));
            self.is_held = true;
            if begun.is_err() || read().is_err() {
                self.release();
            }
        }
    }

    fn release(&mut self) {
        if self.is_held && !self.connection.is_autocommit() {
            // SQLite ends a transaction that only read even if it reports an error.
            if let Err(error) = run_statement(&self.connection, "ROLLBACK") {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the read that is held open could not be ended"
                );
            }
        }
        self.is_held = false;
    }
}
