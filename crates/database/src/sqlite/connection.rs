//! The file of a database, and the configuration of connections to it.

use super::session::unavailable;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The time for which a connection waits for a lock of another process, such as a command beside a running server.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// The capacity of a connection's cache of prepared statements, which exceeds the number of statements of all schemas.
pub(crate) const STATEMENTS_KEPT: usize = 530;

/// The size to which the write-ahead log file is truncated when it is reset; only a very large transaction makes it larger.
const FILE_KEPT_BYTES: i64 = 64 << 20;

/// The permissions of a new database file. SQLite creates its side files with the same permissions.
const FILE_MODE: u32 = 0o600;

/// The largest number of idle connections for reads. Further connections are closed after their read.
const IDLE_READERS_MAX: usize = 16;

/// A database file.
#[derive(Debug)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    /// Idle connections for reads; the one used last is at the end. Connections are pooled and not bound to threads, because each
    /// has a page cache ([`READER_CACHE_KIB`]) and some hundred prepared statements, and threads are short-lived.
    idle_readers: Mutex<Vec<Connection>>,
    /// The folder of a temporary database. The folder is removed with the database, which need not survive a crash. The field
    /// comes after the connections, so that they are closed first.
    temporary: Option<TempDir>,
}

/// The page cache of a read-only connection, in KiB. With SQLite's default of 2 MB, the caches caused most of the server's memory
/// growth while large answers were read, and a commit invalidates every cached page.
const READER_CACHE_KIB: i64 = 768;

/// The page cache of the writer of a temporary database, in KiB. Its first transaction stores all histories of a sandbox, and
/// pages that do not fit into the cache are written and read again during the transaction.
const TEMPORARY_CACHE_KIB: i64 = 16 * 1024;

impl DatabaseFile {
    /// The database at a path.
    pub(crate) fn at(path: &Path) -> Self {
        Self::new(path.to_owned(), None)
    }

    /// A database in a new folder that is removed with the database.
    pub(crate) fn temporary() -> Result<Self, StoreError> {
        let folder = tempfile::Builder::new()
            .prefix("lombard-")
            .tempdir()
            .map_err(|source| StoreError::Unavailable(source.into()))?;
        Ok(Self::new(folder.path().join("lombard.db"), Some(folder)))
    }

    fn new(path: PathBuf, temporary: Option<TempDir>) -> Self {
        Self { path, idle_readers: Mutex::default(), temporary }
    }

    /// Whether the database is removed when it is closed.
    pub(crate) const fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Whether the file exists.
    pub(super) fn exists(&self) -> Result<bool, StoreError> {
        self.path.try_exists().map_err(|source| StoreError::Unavailable(source.into()))
    }

    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap()
    }

    /// Opens the connection that writes, and creates the file if it does not exist.
    pub(crate) fn connect_writer(&self) -> Result<Connection, StoreError> {
        self.make_file().map_err(|source| StoreError::Unavailable(source.into()))?;
        let connection = self.connect(OpenFlags::SQLITE_OPEN_CREATE)?;
        let durability = if self.temporary.is_some() { "OFF" } else { "FULL" };
        let set_up = || {
            // The page size can be set only before the first table is created.
            connection.pragma_update(None, "page_size", 8192)?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            connection.pragma_update(None, "synchronous", durability)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // The bytes of deleted rows are overwritten with zeros, so that what was erased is not left in the file.
            connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
            // The former contents of pages that a savepoint changes stay in memory. They are few, and writing them to a temporary
            // file took a tenth of the processor time of a payment.
            connection.pragma_update(None, "temp_store", "MEMORY")?;
            if self.is_temporary() {
                connection.pragma_update(None, "cache_size", -TEMPORARY_CACHE_KIB)?;
            }
            connection.pragma_update_and_check(None, "journal_size_limit", FILE_KEPT_BYTES, |_| Ok(()))?;
            // Checkpoints run in the background.
            connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))
        };
        set_up().map_err(unavailable)?;
        Ok(connection)
    }

    /// Locks the folder, so that one process at a time sets the database up; the lock ends when the handle is dropped. If two
    /// processes switch a new database to WAL mode at once, SQLite refuses one of them instead of waiting. The folder is locked
    /// and not the database file, because closing another handle of that file would release SQLite's own locks on it.
    pub(super) fn lock_folder(&self) -> Result<File, StoreError> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let lock = || {
            let folder = File::open(folder)?;
            folder.lock()?;
            Ok(folder)
        };
        lock().map_err(|source: io::Error| StoreError::Unavailable(source.into()))
    }

    /// Creates the file with its permissions. SQLite syncs the folder after it has created the log, before the first commit is
    /// durable.
    fn make_file(&self) -> io::Result<()> {
        OpenOptions::new().append(true).create(true).mode(FILE_MODE).open(&self.path).map(drop)
    }

    /// Takes a read-only connection; opens one if all are in use.
    pub(super) fn take_reader(&self) -> Result<Connection, StoreError> {
        let idle = self.idle_readers.lock().pop();
        idle.map_or_else(|| self.connect_reader(), Ok)
    }

    /// Returns a connection to the pool for the next read.
    pub(super) fn keep_reader(&self, connection: Connection) {
        let mut idle = self.idle_readers.lock();
        if idle.len() < IDLE_READERS_MAX {
            idle.push(connection);
        }
    }

    /// Opens a read-only connection.
    pub(super) fn connect_reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect(OpenFlags::empty())?;
        connection.pragma_update(None, "query_only", true).map_err(unavailable)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE_KIB).map_err(unavailable)?;
        Ok(connection)
    }

    /// Opens a connection that is used only for checkpoints.
    pub(super) fn connect_checkpointer(&self) -> Result<Connection, StoreError> {
        self.connect(OpenFlags::empty())
    }

    fn connect(&self, more: OpenFlags) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(unavailable)?;
        connection.busy_timeout(BUSY_WAIT).map_err(unavailable)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        // Without this, SQLite checks whether a bound value fits a partial index, and prepares a cached statement again for
        // every execution. That took more than half of the time of reading balances.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(unavailable)?;
        Ok(connection)
    }
}
