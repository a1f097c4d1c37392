//! Applies migrations to PostgreSQL while nodes serve: one by one, with a short wait for each lock.

use super::connect::ConnectionGuard;
use super::errors::{unanswered, unavailable};
use super::history::{TEXT, applied_or_none, begin_turn, make_history, note, release_snapshot, take_over};
use super::migration_locks::{LockPatience, StepError, apply_concurrently, apply_in_transaction};
use super::pooler::{self, FirstConnection, Pooling};
use super::server::PostgresServers;
use crate::effects::{EffectReader, is_concurrent};
use crate::migrations::{self, Migration, Schema};
use crate::plan::{MigrationPlan, PlannedEngine, RowEstimates, tables_of_schema};
use crate::{StoreTimeouts, sql_text};
use lombard_ports::store::StoreError;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::Client;

/// Applies the missing migrations and returns their names. Several nodes may run this at the same time: the one that holds row 0 of the
/// history applies the next migration, and the names that all of them return are those of all migrations. Statements have no time
/// limit, but each wait for a lock has one.
pub(crate) async fn migrate(
    url: &str,
    schemas: &[&Schema],
    waits: &StoreTimeouts,
    patience: &LockPatience,
) -> Result<Vec<String>, StoreError> {
    let migrator = Migrator::connect(url, waits, patience).await?;
    let outcome = migrator.migrate(schemas).await;
    migrator.close().await;
    outcome
}

/// The names of the missing migrations. Nothing is changed, and the connection and the queries have time limits.
pub(crate) async fn pending_migrations(
    url: &str,
    schemas: &[&Schema],
    waits: &StoreTimeouts,
) -> Result<Vec<String>, StoreError> {
    let (client, connection) = connect(url, waits).await?;
    let looked = timeout(waits.statement, lacking_of_all(&client, schemas)).await;
    drop(client);
    // An unresponsive server would keep the connection task for ever.
    connection.abort();
    looked.map_err(|_| unanswered())?
}

/// What [`migrate`] would do. Nothing is changed, and the connection and the queries have time limits.
pub(crate) async fn plan(url: &str, schemas: &[&Schema], waits: &StoreTimeouts) -> Result<MigrationPlan, StoreError> {
    let (client, connection) = connect(url, waits).await?;
    let planned = timeout(waits.statement, plan_all(&client, schemas)).await;
    drop(client);
    connection.abort();
    planned.map_err(|_| unanswered())?
}

/// Opens a connection, and the task that drives it.
async fn connect(url: &str, waits: &StoreTimeouts) -> Result<(Client, JoinHandle<()>), StoreError> {
    let servers = PostgresServers::from_url(url, waits)?;
    let FirstConnection { client, driver, .. } = pooler::connect(&servers, waits).await?;
    Ok((client, driver))
}

async fn lacking_of_all(client: &Client, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    for schema in schemas {
        names.extend(lacking(client, schema).await?);
    }
    Ok(names)
}

/// The names of the missing migrations of a schema.
async fn lacking(client: &Client, schema: &Schema) -> Result<Vec<String>, StoreError> {
    let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
    let known = match schema.before {
        Some(before) => applied_or_none(client, before.history).await.map_err(unavailable)?,
        None => Vec::new(),
    };
    migrations::lacking(schema, &applied, &known, TEXT)
}

async fn plan_all(client: &Client, schemas: &[&Schema]) -> Result<MigrationPlan, StoreError> {
    let mut plan = MigrationPlan::begin(Some(LockPatience::default().lock_wait));
    for schema in schemas {
        let pending = lacking(client, schema).await?;
        let estimates = estimates(client, &tables_of_schema(schema, PlannedEngine::Postgres)).await?;
        let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
        plan.add(schema, &pending, &applied, PlannedEngine::Postgres, &estimates)?;
    }
    Ok(plan)
}

/// The estimated number of rows of each of these tables that exists, as the planner knows it.
async fn estimates(client: &Client, tables: &[String]) -> Result<RowEstimates, StoreError> {
    let query = "SELECT named.name, CAST(pg_class.reltuples AS BIGINT) FROM unnest($1::text[]) AS named (name) \
                 JOIN pg_class ON pg_class.oid = to_regclass(named.name)";
    let rows = client.query(query, &[&tables]).await.map_err(unavailable)?;
    // A table that was never analysed has -1 rows.
    let read = |row: &tokio_postgres::Row| Ok((row.try_get(0)?, u64::try_from(row.try_get::<_, i64>(1)?).ok()));
    rows.iter().map(read).collect::<Result<_, tokio_postgres::Error>>().map_err(unavailable)
}

/// The connection of a node that migrates.
struct Migrator<'a> {
    servers: PostgresServers,
    client: Client,
    driver: JoinHandle<()>,
    pooling: Pooling,
    waits: &'a StoreTimeouts,
    patience: &'a LockPatience,
}

impl<'a> Migrator<'a> {
    async fn connect(url: &str, waits: &'a StoreTimeouts, patience: &'a LockPatience) -> Result<Self, StoreError> {
        let servers = PostgresServers::from_url(url, waits)?;
        let FirstConnection { client, driver, pooling } = pooler::connect(&servers, waits).await?;
        Ok(Self { servers, client, driver, pooling, waits, patience })
    }

    /// Opens a second connection to the server, while the first one is in a transaction.
    async fn second_connection(&self, migration: &Migration) -> Result<(Client, JoinHandle<()>), StoreError> {
        let opened = timeout(self.waits.connection, async {
            let (client, driver) = self.servers.open().await?;
            let unfinished = ConnectionGuard::new(&driver);
            // A pooler accepts a client before it has a connection to the server for it.
            client.batch_execute("SELECT 1").await?;
            unfinished.finish();
            Ok((client, driver))
        });
        match opened.await {
            Ok(opened) => opened.map_err(unavailable),
            Err(_) if self.pooling == Pooling::None => Err(unanswered()),
            Err(_) => Err(StoreError::Unavailable(pooler::second_connection_refusal(migration.name).into())),
        }
    }

    async fn close(self) {
        drop(self.client);
        // The connection ends with its client, which has reported its errors.
        let _ = self.driver.await;
    }

    async fn migrate(&self, schemas: &[&Schema]) -> Result<Vec<String>, StoreError> {
        // A role that may not create tables can find that nothing is to be done.
        if self.is_complete(schemas).await? {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for schema in schemas {
            make_history(&self.client, schema.history).await.map_err(unavailable)?;
            loop {
                let applied = self.apply_next_patiently(schema).await?;
                if applied.is_empty() {
                    break;
                }
                names.extend(applied.iter().map(|migration| migration.name.to_owned()));
            }
        }
        Ok(names)
    }

    /// Whether every migration has been applied, each in the history of its schema.
    async fn is_complete(&self, schemas: &[&Schema]) -> Result<bool, StoreError> {
        for schema in schemas {
            let applied = applied_or_none(&self.client, schema.history).await.map_err(unavailable)?;
            if migrations::require_all(schema, &applied, TEXT).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Applies the next migrations, again after a pause if another transaction holds a lock that they need.
    async fn apply_next_patiently(&self, schema: &Schema) -> Result<Vec<Migration>, StoreError> {
        let mut attempt = 1;
        loop {
            let locked = match self.apply_next(schema).await {
                Ok(applied) => {
                    self.client.batch_execute("COMMIT").await.map_err(unavailable)?;
                    return Ok(applied);
                }
                Err(failed) => {
                    // A connection that is lost has no transaction to roll back.
                    drop(self.client.batch_execute("ROLLBACK").await);
                    match failed {
                        StepError::Failed(error) => return Err(error),
                        StepError::Locked(locked) => locked,
                    }
                }
            };
            let holders = self.holders_of_locks(&locked.table).await;
            if attempt >= self.patience.attempts {
                return Err(StoreError::Unavailable(locked.message(attempt, &holders).into()));
            }
            let pause = self.patience.pause_after(attempt);
            tracing::warn!(
                migration = locked.migration,
                table = locked.table,
                lock = locked.lock.name(),
                holders,
                attempt,
                pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                "another transaction holds a lock that the migration needs; it is tried again"
            );
            sleep(pause).await;
            attempt += 1;
        }
    }

    /// Applies the next migrations in a transaction, which is left open, and returns them; none if the schema is complete.
    async fn apply_next(&self, schema: &Schema) -> Result<Vec<Migration>, StepError> {
        let Self { client, patience, .. } = self;
        begin_turn(client, schema).await?;
        let from_before = take_over(client, schema).await?;
        let applied = applied_or_none(client, schema.history).await.map_err(unavailable)?;
        let pending = migrations::pending(schema, &applied, TEXT)?;
        let group = migrations::next_group(schema, from_before.is_some() || applied.is_empty(), &pending);
        let mut reader = reader_up_to(schema, group.first());
        for migration in &group {
            if is_concurrent(migration.postgres) {
                release_snapshot(client).await.map_err(unavailable)?;
                let (other, driver) = self.second_connection(migration).await?;
                let made = apply_concurrently(&other, migration, &mut reader, self.pooling).await;
                drop(other);
                driver.abort();
                made?;
            } else {
                apply_in_transaction(client, migration, &mut reader, patience).await?;
            }
            note(client, schema, migration).await?;
        }
        if let Some(text) = from_before {
            client.batch_execute(text).await.map_err(unavailable)?;
        }
        Ok(group)
    }

    /// The transactions that have locked a table, for the operator; empty if there are none any more.
    async fn holders_of_locks(&self, table: &str) -> String {
        let query = "SELECT COALESCE(string_agg(DISTINCT 'process ' || pg_locks.pid || COALESCE(', in a transaction for ' \
                     || CAST(extract(epoch FROM clock_timestamp() - xact_start) AS BIGINT) || ' s', ''), '; '), '') \
                     FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database \
                     LEFT JOIN pg_stat_activity USING (pid) \
                     WHERE pg_database.datname = current_database() AND pg_locks.relation = to_regclass($1) AND pg_locks.granted AND pg_locks.pid <> pg_backend_pid()";
        let found = self.client.query_one(query, &[&table]).await;
        found.and_then(|row| row.try_get(0)).unwrap_or_default()
    }
}

/// A reader that knows the indexes which the migrations before this one have made.
fn reader_up_to(schema: &Schema, first: Option<&Migration>) -> EffectReader {
    let mut reader = EffectReader::default();
    let before = schema.migrations.iter().filter(|it| first.is_some_and(|first| it.number < first.number));
    for statement in before.flat_map(|it| sql_text::statements(it.postgres)) {
        // An unsupported statement names no index.
        drop(reader.read(&statement));
    }
    reader
}
