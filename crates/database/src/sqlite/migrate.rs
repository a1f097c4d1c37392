//! Applies migrations to SQLite.

use super::connection::DatabaseFile;
use super::session::unavailable;
use crate::migrations::{self, AppliedMigration, Migration, Schema, checksum};
use lombard_ports::store::StoreError;
use rusqlite::{Connection, TransactionBehavior};

const TEXT: fn(&Migration) -> &'static str = |migration| migration.sqlite;

/// Applies the missing migrations in one transaction and returns their names. Several processes may run this at the same time:
/// the first one applies them, and the others find them applied.
pub(crate) fn migrate(database: &DatabaseFile, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let _turn = database.lock_folder()?;
    let mut connection = database.connect_writer()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unavailable)?;
    let mut names = Vec::new();
    for schema in schemas {
        let from_before = take_over(&transaction, schema)?;
        let pending = migrations::pending(schema, &applied(&transaction, schema.history)?, TEXT)?;
        apply(&transaction, schema, &pending).map_err(unavailable)?;
        if let Some(text) = from_before {
            transaction.execute_batch(text).map_err(unavailable)?;
        }
        names.extend(pending.iter().map(|migration| migration.name.to_owned()));
    }
    transaction.commit().map_err(unavailable)?;
    Ok(names)
}

/// The names of the missing migrations. A file that does not exist lacks all of them and is not created.
pub(crate) fn pending_migrations(database: &DatabaseFile, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let connection = if database.exists()? { Some(database.connect_reader()?) } else { None };
    let has = |history: &str| connection.as_ref().map_or_else(|| Ok(Vec::new()), |it| applied(it, history));
    let mut names = Vec::new();
    for schema in schemas {
        let known = schema.before.map_or_else(|| Ok(Vec::new()), |before| has(before.history))?;
        names.extend(migrations::lacking(schema, &has(schema.history)?, &known, TEXT)?);
    }
    Ok(names)
}

fn make_history(connection: &Connection, history: &str) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "CREATE TABLE IF NOT EXISTS {history} (
            number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
        ) STRICT"
    ))
}

fn apply(connection: &Connection, schema: &Schema, pending: &[Migration]) -> rusqlite::Result<()> {
    make_history(connection, schema.history)?;
    for migration in pending {
        connection.execute_batch(migration.sqlite)?;
        note(connection, schema, migration)?;
    }
    Ok(())
}

fn note(connection: &Connection, schema: &Schema, migration: &Migration) -> rusqlite::Result<usize> {
    connection.execute(
        &format!("INSERT INTO {} (number, name, checksum) VALUES (?1, ?2, ?3)", schema.history),
        (migration.number, migration.name, checksum(migration.sqlite)),
    )
}

/// Copies the migrations recorded in the older history to the schema's own. Returns the SQL to execute after the migrations.
fn take_over(connection: &Connection, schema: &Schema) -> Result<Option<&'static str>, StoreError> {
    let Some(before) = schema.before else { return Ok(None) };
    let taken = migrations::taken_over(schema, &applied(connection, before.history)?);
    if taken.is_empty() {
        return Ok(None);
    }
    let take = || {
        make_history(connection, schema.history)?;
        for (migration, there) in taken {
            note(connection, schema, migration)?;
            connection.execute(&format!("DELETE FROM {} WHERE number = ?1", before.history), [there])?;
        }
        Ok(())
    };
    take().map_err(unavailable)?;
    Ok(Some(before.statements))
}

/// Checks that the database has every migration of the schema.
pub(super) fn require_all(connection: &Connection, schema: &Schema) -> Result<(), StoreError> {
    migrations::require_all(schema, &applied(connection, schema.history)?, TEXT)
}

fn applied(connection: &Connection, history: &str) -> Result<Vec<AppliedMigration>, StoreError> {
    let look = || {
        // A query is used because the driver's own check may predate the lock that this transaction waited for.
        let tables = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?1";
        if connection.query_row(tables, [history], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Vec::new());
        }
        let mut query = connection.prepare(&format!("SELECT number, checksum FROM {history} ORDER BY number"))?;
        let rows = query.query_map([], |row| Ok(AppliedMigration { number: row.get(0)?, checksum: row.get(1)? }))?;
        rows.collect()
    };
    look().map_err(unavailable)
}
