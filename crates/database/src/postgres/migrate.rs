//! Applies migrations to PostgreSQL.

use super::errors::{is_contention, unanswered, unavailable};
use super::pooler::{self, FirstConnection};
use super::server::PostgresServers;
use crate::StoreTimeouts;
use crate::migrations::{self, AppliedMigration, Migration, Schema, checksum};
use lombard_ports::store::StoreError;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, GenericClient, Transaction};

const TEXT: fn(&Migration) -> &'static str = |migration| migration.postgres;

/// The number of attempts to create the history table, which two nodes may try to create at the same time.
const ATTEMPTS: usize = 10;

/// Applies the missing migrations in one transaction and returns their names. Several nodes may run this at the same time: the
/// one that locks row 0 of the first history table applies them, and the others find them applied. Statements have no time
/// limit.
pub(crate) async fn migrate(url: &str, schemas: &[&Schema], waits: &StoreTimeouts) -> Result<Vec<String>, StoreError> {
    let (mut client, connection) = connect(url, waits).await?;
    let outcome = async {
        // A role that may not create tables can find that nothing is to be done.
        if is_complete(&client, schemas).await? {
            return Ok(Vec::new());
        }
        for schema in schemas {
            make_history(&client, schema.history).await.map_err(unavailable)?;
        }
        apply_all(&mut client, schemas).await
    }
    .await;
    drop(client);
    // The connection ends with its client, which has reported its errors.
    let _ = connection.await;
    outcome
}

/// The names of the missing migrations. Nothing is changed, and the connection and the queries have time limits.
pub(crate) async fn pending_migrations(
    url: &str,
    schemas: &[&Schema],
    waits: &StoreTimeouts,
) -> Result<Vec<String>, StoreError> {
    let (client, connection) = connect(url, waits).await?;
    let looked = timeout(waits.statement, lacking(&client, schemas)).await;
    drop(client);
    // An unresponsive server would keep the connection task for ever.
    connection.abort();
    looked.map_err(|_| unanswered())?
}

/// Whether every migration has been applied, each in the history of its schema.
async fn is_complete(client: &Client, schemas: &[&Schema]) -> Result<bool, StoreError> {
    for schema in schemas {
        let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
        if migrations::require_all(schema, &applied, TEXT).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The names of the missing migrations.
async fn lacking(client: &Client, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    for schema in schemas {
        let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
        let known = match schema.before {
            Some(before) => applied_or_none(client, before.history).await.map_err(unavailable)?,
            None => Vec::new(),
        };
        names.extend(migrations::lacking(schema, &applied, &known, TEXT)?);
    }
    Ok(names)
}

/// Opens a connection whose statements have no time limit, and the task that drives it.
async fn connect(url: &str, waits: &StoreTimeouts) -> Result<(Client, JoinHandle<()>), StoreError> {
    let servers = PostgresServers::from_url(url, waits)?;
    let FirstConnection { client, driver, .. } = pooler::connect(&servers, waits).await?;
    Ok((client, driver))
}

/// Creates the history table. `IF NOT EXISTS` still fails if another node creates the table at the same time; the next attempt
/// finds it.
async fn make_history(client: &Client, history: &str) -> Result<(), Error> {
    let make = format!(
        "CREATE TABLE IF NOT EXISTS {history} (
            number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
        );
        INSERT INTO {history} (number, name, checksum) VALUES (0, 'lock', '') ON CONFLICT (number) DO NOTHING"
    );
    let raced = |error: &Error| {
        error.code().is_some_and(|state| {
            is_contention(state)
                || [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT].contains(state)
        })
    };
    for _ in 1..ATTEMPTS {
        match client.batch_execute(&make).await {
            Err(error) if raced(&error) => {}
            settled => return settled,
        }
    }
    client.batch_execute(&make).await
}

async fn apply_all(client: &mut Client, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let transaction = client.transaction().await.map_err(unavailable)?;
    let mut names = Vec::new();
    for schema in schemas {
        let lock = format!("SELECT number FROM {} WHERE number = 0 FOR UPDATE", schema.history);
        transaction.query(&lock, &[]).await.map_err(unavailable)?;
        let from_before = take_over(&transaction, schema).await?;
        let pending = pending(&transaction, schema).await?;
        for migration in &pending {
            transaction.batch_execute(migration.postgres).await.map_err(unavailable)?;
            note(&transaction, schema, migration).await?;
        }
        if let Some(text) = from_before {
            transaction.batch_execute(text).await.map_err(unavailable)?;
        }
        names.extend(pending.iter().map(|migration| migration.name.to_owned()));
    }
    transaction.commit().await.map_err(unavailable)?;
    Ok(names)
}

async fn pending(transaction: &Transaction<'_>, schema: &Schema) -> Result<Vec<Migration>, StoreError> {
    migrations::pending(schema, &applied(transaction, schema.history).await.map_err(unavailable)?, TEXT)
}

async fn note(transaction: &Transaction<'_>, schema: &Schema, migration: &Migration) -> Result<(), StoreError> {
    let record = format!("INSERT INTO {} (number, name, checksum) VALUES ($1, $2, $3)", schema.history);
    let checksum = checksum(migration.postgres);
    let noted = transaction.execute(&record, &[&migration.number, &migration.name, &checksum]).await;
    noted.map(drop).map_err(unavailable)
}

/// Copies the migrations recorded in the older history to the schema's own. Returns the SQL to execute after the migrations.
async fn take_over(transaction: &Transaction<'_>, schema: &Schema) -> Result<Option<&'static str>, StoreError> {
    let Some(before) = schema.before else { return Ok(None) };
    let exists = transaction.query_one("SELECT to_regclass($1) IS NOT NULL", &[&before.history]).await;
    if !exists.map_err(unavailable)?.get::<_, bool>(0) {
        return Ok(None);
    }
    let taken = migrations::taken_over(schema, &applied(transaction, before.history).await.map_err(unavailable)?);
    let is_any = !taken.is_empty();
    for (migration, there) in taken {
        note(transaction, schema, migration).await?;
        let forget = format!("DELETE FROM {} WHERE number = $1", before.history);
        transaction.execute(&forget, &[&there]).await.map_err(unavailable)?;
    }
    Ok(is_any.then_some(before.statements))
}

/// Checks that the database has every migration of the schema.
pub(super) async fn require_all(client: &Client, schema: &Schema) -> Result<(), StoreError> {
    let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
    migrations::require_all(schema, &applied, TEXT)
}

/// The applied migrations; none if there is no history table.
async fn applied_or_none(client: &Client, history: &str) -> Result<Vec<AppliedMigration>, Error> {
    match applied(client, history).await {
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => Ok(Vec::new()),
        looked => looked,
    }
}

async fn applied(client: &impl GenericClient, history: &str) -> Result<Vec<AppliedMigration>, Error> {
    let look = format!("SELECT number, checksum FROM {history} WHERE number > 0 ORDER BY number");
    let rows = client.query(&look, &[]).await?;
    rows.iter().map(|row| Ok(AppliedMigration { number: row.try_get(0)?, checksum: row.try_get(1)? })).collect()
}
