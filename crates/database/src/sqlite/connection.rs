//! Where a database lies and how connections to it are set up.

use super::session::unavailable;
use lombard_ports::store::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// How long a connection waits for a lock of another process: the CLI beside a running server.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// Statements kept prepared on a connection: more than all schemas have.
pub(crate) const STATEMENTS_KEPT: usize = 320;

/// What is kept of the write-ahead log's file when it starts anew: more than this a transaction of its own size had written.
const FILE_KEPT_BYTES: i64 = 64 << 20;

/// A new database is its owner's alone; what SQLite puts beside it takes after it.
const FILE_MODE: u32 = 0o600;

/// A database file. Each has a number of its own within the process, by which threads keep their connections apart.
#[derive(Debug)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    number: u64,
    /// A temporary database: its folder goes with it, and it need not survive a crash.
    temporary: Option<TempDir>,
    /// Lives as long as the database is open; threads look here before they keep a connection.
    alive: Arc<()>,
}

impl DatabaseFile {
    /// The database at a path.
    pub(crate) fn at(path: &Path) -> Self {
        Self::new(path.to_owned(), None)
    }

    /// A database in a folder that is removed with it.
    pub(crate) fn temporary() -> Result<Self, StoreError> {
        let folder = tempfile::Builder::new()
            .prefix("lombard-")
            .tempdir()
            .map_err(|source| StoreError::Unavailable(source.into()))?;
        Ok(Self::new(folder.path().join("lombard.db"), Some(folder)))
    }

    fn new(path: PathBuf, temporary: Option<TempDir>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { path, number: NEXT.fetch_add(1, Ordering::Relaxed), temporary, alive: Arc::new(()) }
    }

    /// Whether it is gone when it is closed.
    pub(crate) const fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Whether there is a file.
    pub(super) fn exists(&self) -> Result<bool, StoreError> {
        self.path.try_exists().map_err(|source| StoreError::Unavailable(source.into()))
    }

    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap()
    }

    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    pub(super) const fn alive(&self) -> &Arc<()> {
        &self.alive
    }

    /// The connection that writes; makes the file if there is none.
    pub(crate) fn connect_writer(&self) -> Result<Connection, StoreError> {
        self.make_file().map_err(|source| StoreError::Unavailable(source.into()))?;
        let connection = self.connect(OpenFlags::SQLITE_OPEN_CREATE)?;
        let durability = if self.temporary.is_some() { "OFF" } else { "FULL" };
        let set_up = || {
            // The page size counts only before the first table is made.
            connection.pragma_update(None, "page_size", 8192)?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            connection.pragma_update(None, "synchronous", durability)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update_and_check(None, "journal_size_limit", FILE_KEPT_BYTES, |_| Ok(()))?;
            // Checkpoints run in the background.
            connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))
        };
        set_up().map_err(unavailable)?;
        Ok(connection)
    }

    /// Waits until no other process sets the database up; its turn ends with the handle. SQLite itself does not wait
    /// when two turn a new database to its log at once: it refuses one. The lock is on the folder, since closing
    /// another handle of the database's own file would give up the locks SQLite holds on it.
    pub(super) fn lock_folder(&self) -> Result<File, StoreError> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let lock = || {
            let folder = File::open(folder)?;
            folder.lock()?;
            Ok(folder)
        };
        lock().map_err(|source: io::Error| StoreError::Unavailable(source.into()))
    }

    fn make_file(&self) -> io::Result<()> {
        OpenOptions::new().append(true).create(true).mode(FILE_MODE).open(&self.path).map(drop)
    }

    /// A connection that only reads.
    pub(super) fn connect_reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect(OpenFlags::empty())?;
        connection.pragma_update(None, "query_only", true).map_err(unavailable)?;
        Ok(connection)
    }

    /// A connection that only copies the log into the database.
    pub(super) fn connect_checkpointer(&self) -> Result<Connection, StoreError> {
        self.connect(OpenFlags::empty())
    }

    fn connect(&self, more: OpenFlags) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(unavailable)?;
        connection.busy_timeout(BUSY_WAIT).map_err(unavailable)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        // Without it SQLite asks whether a bound value fits a partial index, and parses and plans a kept statement anew
        // for every execution: measured, more than half of a read of balances.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(unavailable)?;
        Ok(connection)
    }
}
