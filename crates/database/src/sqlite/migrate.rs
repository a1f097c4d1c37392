//! Applies migrations to SQLite.

use super::connection::DatabaseFile;
use super::session::unavailable;
use crate::migrations::{self, AppliedMigration, Migration, Schema, checksum};
use crate::plan::{MigrationPlan, PlannedEngine, RowEstimates, tables_of_schema};
use lombard_ports::store::StoreError;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

const TEXT: fn(&Migration) -> &'static str = |migration| migration.sqlite;

/// Applies the missing migrations, each in a transaction of its own, and returns their names. Several processes may run this at the same
/// time: the first one applies them, and the others find them applied.
pub(crate) fn migrate(database: &DatabaseFile, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let _turn = database.lock_folder()?;
    let mut connection = database.connect_writer()?;
    let mut names = Vec::new();
    for schema in schemas {
        loop {
            let applied = apply_next(&mut connection, schema)?;
            if applied.is_empty() {
                break;
            }
            names.extend(applied.iter().map(|migration| migration.name.to_owned()));
        }
    }
    Ok(names)
}

/// Applies the next migrations in a transaction and returns them; none if the schema is complete.
fn apply_next(connection: &mut Connection, schema: &Schema) -> Result<Vec<Migration>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unavailable)?;
    let from_before = take_over(&transaction, schema)?;
    let applied = applied(&transaction, schema.history)?;
    let pending = migrations::pending(schema, &applied, TEXT)?;
    let group = migrations::next_group(schema, from_before.is_some() || applied.is_empty(), &pending);
    apply(&transaction, schema, &group).map_err(unavailable)?;
    if let Some(text) = from_before {
        transaction.execute_batch(text).map_err(unavailable)?;
    }
    transaction.commit().map_err(unavailable)?;
    Ok(group)
}

/// The names of the missing migrations. A file that does not exist lacks all of them and is not created.
pub(crate) fn pending_migrations(database: &DatabaseFile, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let connection = reader(database)?;
    let mut names = Vec::new();
    for schema in schemas {
        names.extend(lacking(connection.as_ref(), schema)?);
    }
    Ok(names)
}

/// What [`migrate`] would do. Nothing is changed.
pub(crate) fn plan(database: &DatabaseFile, schemas: &[&Schema]) -> Result<MigrationPlan, StoreError> {
    let connection = reader(database)?;
    let mut plan = MigrationPlan::begin(None);
    for schema in schemas {
        let pending = lacking(connection.as_ref(), schema)?;
        let tables = tables_of_schema(schema, PlannedEngine::Sqlite);
        let estimates = match &connection {
            Some(connection) => estimates(connection, tables).map_err(unavailable)?,
            None => RowEstimates::new(),
        };
        let applied = applied_or_none(connection.as_ref(), schema.history)?;
        plan.add(schema, &pending, &applied, PlannedEngine::Sqlite, &estimates)?;
    }
    Ok(plan)
}

/// A connection that reads; `None` if the file does not exist.
fn reader(database: &DatabaseFile) -> Result<Option<Connection>, StoreError> {
    if database.exists()? { database.connect_reader().map(Some) } else { Ok(None) }
}

fn applied_or_none(connection: Option<&Connection>, history: &str) -> Result<Vec<AppliedMigration>, StoreError> {
    connection.map_or_else(|| Ok(Vec::new()), |it| applied(it, history))
}

/// The names of the missing migrations of a schema.
fn lacking(connection: Option<&Connection>, schema: &Schema) -> Result<Vec<String>, StoreError> {
    let known = schema.before.map_or_else(|| Ok(Vec::new()), |before| applied_or_none(connection, before.history))?;
    migrations::lacking(schema, &applied_or_none(connection, schema.history)?, &known, TEXT)
}

/// The number of rows of each of these tables that exists. The largest row number is read instead of all rows; it counts deleted rows
/// too. A table without row numbers has no estimate.
fn estimates(connection: &Connection, tables: Vec<String>) -> rusqlite::Result<RowEstimates> {
    let mut estimates = RowEstimates::new();
    for table in tables {
        if !is_table(connection, &table)? {
            continue;
        }
        let count = format!("SELECT COALESCE(MAX(rowid), 0) FROM {table}");
        let rows = connection.query_row(&count, [], |row| row.get::<_, i64>(0)).optional().unwrap_or_default();
        estimates.insert(table, rows.and_then(|rows| u64::try_from(rows).ok()));
    }
    Ok(estimates)
}

fn make_history(connection: &Connection, history: &str) -> rusqlite::Result<()> {
    if !is_table(connection, history)? {
        connection.execute_batch(&format!(
            "CREATE TABLE {history} (
                number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, works_from INTEGER
            ) STRICT"
        ))?;
    } else if !has_works_from(connection, history)? {
        // The history was made by an earlier release.
        connection.execute_batch(&format!("ALTER TABLE {history} ADD COLUMN works_from INTEGER"))?;
    }
    Ok(())
}

/// Whether a table exists. A query is used because the driver's own check may predate the lock that this transaction waited for.
fn is_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let tables = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?1";
    connection.query_row(tables, [name], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

fn has_works_from(connection: &Connection, history: &str) -> rusqlite::Result<bool> {
    let columns = "SELECT COUNT(*) FROM pragma_table_info(?1) WHERE name = 'works_from'";
    connection.query_row(columns, [history], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

fn apply(connection: &Connection, schema: &Schema, group: &[Migration]) -> rusqlite::Result<()> {
    if !group.is_empty() {
        make_history(connection, schema.history)?;
    }
    for migration in group {
        connection.execute_batch(migration.sqlite)?;
        note(connection, schema, migration)?;
    }
    Ok(())
}

fn note(connection: &Connection, schema: &Schema, migration: &Migration) -> rusqlite::Result<usize> {
    connection.execute(
        &format!("INSERT INTO {} (number, name, checksum, works_from) VALUES (?1, ?2, ?3, ?4)", schema.history),
        (migration.number, migration.name, checksum(migration.sqlite), schema.recorded_works_from(migration)),
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
        if !is_table(connection, history)? {
            return Ok(Vec::new());
        }
        let works_from = if has_works_from(connection, history)? { "works_from" } else { "NULL" };
        let query = format!("SELECT number, name, checksum, {works_from} FROM {history} ORDER BY number");
        let mut query = connection.prepare(&query)?;
        let read = |row: &rusqlite::Row<'_>| {
            let (number, name) = (row.get(0)?, row.get(1)?);
            Ok(AppliedMigration { number, name, checksum: row.get(2)?, works_from: row.get(3)? })
        };
        query.query_map([], read)?.collect()
    };
    look().map_err(unavailable)
}
