//! The history table of a schema on PostgreSQL: which migrations the database has, and whose turn it is to apply the next one.

use super::errors::{is_contention, unavailable};
use crate::migrations::{self, AppliedMigration, Migration, Schema, checksum};
use lombard_ports::store::StoreError;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

/// The text of a migration on this engine.
pub(super) const TEXT: fn(&Migration) -> &'static str = |migration| migration.postgres;

/// The number of attempts to create the history table, which two nodes may try to create at the same time.
const ATTEMPTS: usize = 10;

/// The first and the longest pause of a node that waits for its turn.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];

/// How often a node that waits for its turn says so.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// The limits of a transaction that migrates. Its statements may take as long as they need. The role or the database may limit them
/// otherwise, and a transaction that waits for an index on another connection is idle.
const UNLIMITED: &str = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// Creates the history table, or completes that of an earlier release. `IF NOT EXISTS` still fails if another node creates the table
/// at the same time; the next attempt finds it.
pub(super) async fn make_history(client: &Client, history: &str) -> Result<(), Error> {
    let make = format!(
        "CREATE TABLE IF NOT EXISTS {history} (
            number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, works_from BIGINT
        );
        ALTER TABLE {history} ADD COLUMN IF NOT EXISTS works_from BIGINT;
        INSERT INTO {history} (number, name, checksum) VALUES (0, 'lock', '') ON CONFLICT (number) DO NOTHING"
    );
    let raced = |error: &Error| {
        error.code().is_some_and(|state| {
            is_contention(state)
                || [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT].contains(state)
        })
    };
    for _ in 1..ATTEMPTS {
        // Completing a table waits for every node that migrates, so a complete one is left alone.
        if is_made(client, history).await? {
            return Ok(());
        }
        match client.batch_execute(&make).await {
            Err(error) if raced(&error) => {}
            settled => return settled,
        }
    }
    client.batch_execute(&make).await
}

async fn is_made(client: &Client, history: &str) -> Result<bool, Error> {
    let has_column =
        "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'works_from')";
    if !client.query_one(has_column, &[&history]).await?.try_get::<_, bool>(0)? {
        return Ok(false);
    }
    Ok(!client.query(&format!("SELECT 1 FROM {history} WHERE number = 0"), &[]).await?.is_empty())
}

/// Begins a transaction that holds row 0 of the schema's history, and of the older one, which one node at a time does. The rows are
/// asked for again and again instead of being waited for: an index that another node makes concurrently waits for every statement that
/// began before it.
pub(super) async fn begin_turn(client: &Client, schema: &Schema) -> Result<(), StoreError> {
    let [mut pause, longest] = PAUSES;
    let mut reported = Instant::now();
    loop {
        // An index that is made meanwhile would wait for the snapshot of a stricter isolation.
        let begin = format!("BEGIN ISOLATION LEVEL READ COMMITTED; {UNLIMITED}");
        client.batch_execute(&begin).await.map_err(unavailable)?;
        match lock_histories(client, schema).await {
            Ok(()) => return Ok(()),
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                client.batch_execute("ROLLBACK").await.map_err(unavailable)?;
            }
            Err(error) => return Err(unavailable(error)),
        }
        if reported.elapsed() >= REPORT_EVERY {
            tracing::info!(history = schema.history, "waiting for another node, which migrates the database");
            reported = Instant::now();
        }
        sleep(pause).await;
        pause = pause.saturating_mul(2).min(longest);
    }
}

async fn lock_histories(client: &Client, schema: &Schema) -> Result<(), Error> {
    let before = schema.before.map(|before| before.history);
    for history in before.into_iter().chain([schema.history]) {
        if is_table(client, history).await? {
            client.query(&format!("SELECT number FROM {history} WHERE number = 0 FOR UPDATE NOWAIT"), &[]).await?;
        }
    }
    Ok(())
}

/// Whether a table exists. It is asked for first, because a statement that fails would end the transaction.
async fn is_table(client: &Client, name: &str) -> Result<bool, Error> {
    client.query_one("SELECT to_regclass($1) IS NOT NULL", &[&name]).await?.try_get(0)
}

/// Ends the last query of the open transaction. The server keeps the snapshot of a prepared query until the next one begins, and an
/// index that is made concurrently would wait for it. A simple query replaces it and keeps no snapshot.
pub(super) async fn release_snapshot(client: &Client) -> Result<(), Error> {
    client.batch_execute(UNLIMITED).await
}

/// Records a migration as applied.
pub(super) async fn note(client: &Client, schema: &Schema, migration: &Migration) -> Result<(), StoreError> {
    let record = format!("INSERT INTO {} (number, name, checksum, works_from) VALUES ($1, $2, $3, $4)", schema.history);
    let checksum = checksum(migration.postgres);
    let works_from = schema.recorded_works_from(migration);
    let noted = client.execute(&record, &[&migration.number, &migration.name, &checksum, &works_from]).await;
    noted.map(drop).map_err(unavailable)
}

/// Copies the migrations recorded in the older history to the schema's own. Returns the SQL to execute after the migrations.
pub(super) async fn take_over(client: &Client, schema: &Schema) -> Result<Option<&'static str>, StoreError> {
    let Some(before) = schema.before else { return Ok(None) };
    let taken = migrations::taken_over(schema, &applied_or_none(client, before.history).await.map_err(unavailable)?);
    if taken.is_empty() {
        return Ok(None);
    }
    for (migration, there) in taken {
        note(client, schema, migration).await?;
        let forget = format!("DELETE FROM {} WHERE number = $1", before.history);
        client.execute(&forget, &[&there]).await.map_err(unavailable)?;
    }
    Ok(Some(before.statements))
}

/// Checks that the database has every migration of the schema.
pub(super) async fn require_all(client: &Client, schema: &Schema) -> Result<(), StoreError> {
    let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
    migrations::require_all(schema, &applied, TEXT)
}

/// The applied migrations; none if there is no history table.
pub(super) async fn applied_or_none(client: &Client, history: &str) -> Result<Vec<AppliedMigration>, Error> {
    if is_table(client, history).await? { applied(client, history).await } else { Ok(Vec::new()) }
}

async fn applied(client: &Client, history: &str) -> Result<Vec<AppliedMigration>, Error> {
    // The history of an earlier release has no column `works_from`; as a member of a document it may be absent.
    let look = format!(
        "SELECT number, name, checksum, CAST(to_jsonb(history) ->> 'works_from' AS BIGINT) FROM {history} AS history \
         WHERE number > 0 ORDER BY number"
    );
    let rows = client.query(&look, &[]).await?;
    let applied = rows.iter().map(|row| {
        Ok(AppliedMigration {
            number: row.try_get(0)?,
            name: row.try_get(1)?,
            checksum: row.try_get(2)?,
            works_from: row.try_get(3)?,
        })
    });
    applied.collect()
}
