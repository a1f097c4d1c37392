//! Executes the statements of one migration on PostgreSQL, so that requests wait for it a bounded time.
//!
//! A statement that waits for a lock of a table makes every later request for the table wait behind it. Therefore a migration waits
//! for a short time, gives up, and is tried again after a pause in which the requests are served. An index is made outside a transaction.

use super::errors::{is_contention, unavailable};
use super::pooler::{self, Pooling};
use crate::effects::{ConcurrentStatement, Effect, EffectReader, TableLock};
use crate::migrations::Migration;
use crate::sql_text::{StatementText, statements};
use lombard_ports::store::StoreError;
use std::time::Duration;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

/// How long migrations wait for locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LockPatience {
    /// The longest wait of a statement for a lock. Requests that need the table wait as long.
    pub(crate) lock_wait: Duration,
    /// The number of attempts.
    pub(crate) attempts: u32,
    /// The pause after the first attempt. Each further pause is twice as long, up to the longest.
    pub(crate) first_pause: Duration,
    /// The longest pause.
    pub(crate) longest_pause: Duration,
}

impl Default for LockPatience {
    /// A second for each lock, and five minutes in all.
    fn default() -> Self {
        Self {
            lock_wait: Duration::from_secs(1),
            attempts: 32,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(10),
        }
    }
}

impl LockPatience {
    pub(super) fn pause_after(&self, attempt: u32) -> Duration {
        let factor = 2_u32.saturating_pow(attempt.saturating_sub(1));
        self.first_pause.saturating_mul(factor).min(self.longest_pause)
    }
}

/// Why a step failed.
#[derive(Debug)]
pub(super) enum StepError {
    /// Another transaction holds a lock. A later attempt may succeed.
    Locked(LockedStatement),
    /// Anything else.
    Failed(StoreError),
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// A statement that waited for a lock in vain.
#[derive(Debug)]
pub(super) struct LockedStatement {
    pub(super) migration: &'static str,
    /// The table; empty if the reader of statements does not know it.
    pub(super) table: String,
    pub(super) lock: TableLock,
}

impl LockedStatement {
    /// The message when no further attempt is made.
    pub(super) fn message(&self, attempts: u32, holders: &str) -> String {
        let Self { migration, table, lock } = self;
        let by = if holders.is_empty() { "other transactions".to_owned() } else { holders.to_owned() };
        format!(
            "migration {migration} tried {attempts} times to lock the table {table} ({}), which was in use by {by}. Nothing of this \
             migration was applied. End that transaction, or run `lombard migrate` again at a quieter time.",
            lock.name()
        )
    }
}

/// Executes the statements of a migration in the open transaction.
pub(super) async fn apply_in_transaction(
    client: &Client,
    migration: &Migration,
    reader: &mut EffectReader,
    patience: &LockPatience,
) -> Result<(), StepError> {
    let wait = format!("SET LOCAL lock_timeout = {}", patience.lock_wait.as_millis());
    client.batch_execute(&wait).await.map_err(unavailable)?;
    for statement in statements(migration.postgres) {
        let effects = reader.read(&statement).unwrap_or_default();
        let done = client.batch_execute(statement.text).await;
        done.map_err(|failed| step_error(migration, effects, failed))?;
    }
    // What is recorded afterwards waits for nobody.
    client.batch_execute("SET LOCAL lock_timeout = 0").await.map_err(unavailable)?;
    Ok(())
}

fn is_retried(error: &Error) -> bool {
    error.code().is_some_and(|state| *state == SqlState::LOCK_NOT_AVAILABLE || is_contention(state))
}

/// Executes the statements of a migration that makes or drops indexes concurrently, each outside a transaction, on a connection of its
/// own. What an earlier attempt has made is kept, and what it has left unfinished is dropped and made again. The caller's transaction
/// holds the turn meanwhile; it has no snapshot, so no index waits for it.
pub(super) async fn apply_concurrently(
    client: &Client,
    migration: &Migration,
    reader: &mut EffectReader,
    pooling: Pooling,
) -> Result<(), StepError> {
    if pooling == Pooling::None {
        // Nobody waits for these statements, so they may wait. Behind a pooler the settings are those of the role.
        client.batch_execute("SET statement_timeout = 0; SET lock_timeout = 0").await.map_err(unavailable)?;
    }
    for statement in statements(migration.postgres) {
        let effects = reader.read(&statement).unwrap_or_default();
        let made = run_concurrently(client, &statement).await;
        made.map_err(|failed| match failed.code() {
            Some(state) if *state == SqlState::QUERY_CANCELED && pooling == Pooling::Transactions => {
                StoreError::Unavailable(pooler::time_limit_refusal(migration.name).into()).into()
            }
            _ => step_error(migration, effects, failed),
        })?;
    }
    Ok(())
}

async fn run_concurrently(client: &Client, statement: &StatementText<'_>) -> Result<(), Error> {
    if let Some(ConcurrentStatement::CreateIndex(index)) = ConcurrentStatement::read(statement) {
        match is_valid(client, index).await? {
            Some(true) => return Ok(()),
            Some(false) => {
                tracing::info!(index, "an earlier attempt left the index unfinished; it is made again");
                client.batch_execute(&format!("DROP INDEX CONCURRENTLY IF EXISTS {index}")).await?;
            }
            None => {}
        }
    }
    client.batch_execute(statement.text).await
}

/// The error of a statement with these effects.
fn step_error(migration: &Migration, effects: Vec<Effect>, failed: Error) -> StepError {
    if !is_retried(&failed) {
        return unavailable(failed).into();
    }
    let strongest = effects.into_iter().max_by_key(|effect| effect.lock);
    let (table, lock) = strongest.map_or((String::new(), TableLock::None), |it| (it.table, it.lock));
    StepError::Locked(LockedStatement { migration: migration.name, table, lock })
}

/// Whether an index is complete; `None` if it does not exist.
async fn is_valid(client: &Client, index: &str) -> Result<Option<bool>, Error> {
    let query = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)";
    client.query_opt(query, &[&index]).await?.map(|row| row.try_get(0)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let patience = LockPatience::default();
        let pauses: Vec<_> = [1, 2, 3, 6, 7, 40].map(|attempt| patience.pause_after(attempt).as_millis()).into();
        assert_eq!(pauses, [250, 500, 1_000, 8_000, 10_000, 10_000]);
    }

    #[test]
    fn the_last_attempt_says_who_holds_the_lock_and_what_to_do() {
        let locked =
            LockedStatement { migration: "0043_x", table: "orders".to_owned(), lock: TableLock::AccessExclusive };
        let said = locked.message(3, "process 7, in a transaction for 90 s");
        for part in ["0043_x", "orders (ACCESS EXCLUSIVE)", "process 7, in a transaction for 90 s", "lombard migrate"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
