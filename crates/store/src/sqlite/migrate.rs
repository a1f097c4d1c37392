//! Applying migrations to SQLite.

use super::connection::Database;
use super::session::unavailable;
use crate::migrations::{self, Applied, Migration, checksum};
use lombard_ports::store::StoreError;
use rusqlite::{Connection, TransactionBehavior};

const TEXT: fn(&Migration) -> &'static str = |migration| migration.sqlite;

/// Applies what is missing, all or nothing, and returns the names. Several processes may do so at once: the first one
/// that gets its turn does it, the others find it done.
pub(crate) fn migrate(database: &Database) -> Result<Vec<String>, StoreError> {
    let _turn = database.turn()?;
    let mut connection = database.connect_writer()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unavailable)?;
    let pending = migrations::pending(&applied(&transaction)?, TEXT)?;
    let apply = || {
        transaction.execute_batch(
            "CREATE TABLE IF NOT EXISTS schema_migrations (
                number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
            ) STRICT",
        )?;
        for migration in &pending {
            transaction.execute_batch(migration.sqlite)?;
            transaction.execute(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES (?1, ?2, ?3)",
                (migration.number, migration.name, checksum(migration.sqlite)),
            )?;
        }
        Ok(())
    };
    apply().map_err(unavailable)?;
    transaction.commit().map_err(unavailable)?;
    Ok(migrations::names(&pending))
}

/// The names of what is missing. A file that does not exist lacks everything and is not made.
pub(crate) fn pending_migrations(database: &Database) -> Result<Vec<String>, StoreError> {
    let applied = if database.exists()? { applied(&database.connect_reader()?)? } else { Vec::new() };
    Ok(migrations::names(&migrations::pending(&applied, TEXT)?))
}

/// Refuses a database that is not at this program's state.
pub(super) fn require_all(connection: &Connection) -> Result<(), StoreError> {
    migrations::require_all(&applied(connection)?, TEXT)
}

fn applied(connection: &Connection) -> Result<Vec<Applied>, StoreError> {
    let look = || {
        // Asked in SQL: the driver's own answer may be older than the lock this transaction waited for.
        let tables = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'";
        if connection.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Vec::new());
        }
        let mut query = connection.prepare("SELECT number, checksum FROM schema_migrations ORDER BY number")?;
        let rows = query.query_map([], |row| Ok(Applied { number: row.get(0)?, checksum: row.get(1)? }))?;
        rows.collect()
    };
    look().map_err(unavailable)
}
