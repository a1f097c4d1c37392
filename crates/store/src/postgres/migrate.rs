//! Applying migrations to PostgreSQL.

use super::connect::config;
use super::errors::{is_contention, unavailable};
use crate::Waits;
use crate::migrations::{self, Applied, Migration, checksum};
use lombard_ports::store::StoreError;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, GenericClient, NoTls};

const TEXT: fn(&Migration) -> &'static str = |migration| migration.postgres;

/// Attempts at making the table of migrations, which two nodes may do at the same time.
const ATTEMPTS: usize = 10;

/// Applies what is missing, all or nothing, and returns the names. Many nodes may do so at once: the first one that
/// locks the table's row 0 does it, the others find it done. Its statements may take as long as they need.
pub(crate) async fn migrate(url: &str, waits: &Waits) -> Result<Vec<String>, StoreError> {
    let (mut client, connection) = connect(url, waits).await?;
    let outcome = async {
        make_table(&client).await.map_err(unavailable)?;
        apply(&mut client).await
    }
    .await;
    drop(client);
    // The connection ends with its client; its own errors were the client's.
    let _ = connection.await;
    outcome
}

/// The names of what is missing. Nothing is changed, and neither the connection nor the query waits without end.
pub(crate) async fn pending_migrations(url: &str, waits: &Waits) -> Result<Vec<String>, StoreError> {
    let (client, connection) = connect(url, waits).await?;
    let applied = timeout(waits.statement, applied_or_none(&client)).await;
    drop(client);
    // A server that has fallen silent would keep the connection for ever.
    connection.abort();
    let applied = applied.map_err(|_| late())?.map_err(unavailable)?;
    Ok(migrations::names(&migrations::pending(&applied, TEXT)?))
}

/// A connection whose statements have no bound, and the task that drives it.
async fn connect(url: &str, waits: &Waits) -> Result<(Client, JoinHandle<Result<(), Error>>), StoreError> {
    let config = config(url, waits)?;
    let connecting = timeout(waits.connection, config.connect(NoTls)).await.map_err(|_| late())?;
    let (client, connection) = connecting.map_err(unavailable)?;
    Ok((client, tokio::spawn(connection)))
}

fn late() -> StoreError {
    StoreError::Unavailable("the database did not answer in time".into())
}

/// `IF NOT EXISTS` still fails when another node makes the table at the same moment; the next look finds it.
async fn make_table(client: &Client) -> Result<(), Error> {
    let make = "CREATE TABLE IF NOT EXISTS schema_migrations (
            number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
        );
        INSERT INTO schema_migrations (number, name, checksum) VALUES (0, 'lock', '') ON CONFLICT (number) DO NOTHING";
    let raced = |error: &Error| {
        error.code().is_some_and(|state| {
            is_contention(state)
                || [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT].contains(state)
        })
    };
    for _ in 1..ATTEMPTS {
        match client.batch_execute(make).await {
            Err(error) if raced(&error) => {}
            settled => return settled,
        }
    }
    client.batch_execute(make).await
}

async fn apply(client: &mut Client) -> Result<Vec<String>, StoreError> {
    let transaction = client.transaction().await.map_err(unavailable)?;
    let lock = "SELECT number FROM schema_migrations WHERE number = 0 FOR UPDATE";
    transaction.query(lock, &[]).await.map_err(unavailable)?;
    let pending = migrations::pending(&applied(&transaction).await.map_err(unavailable)?, TEXT)?;
    for migration in &pending {
        transaction.batch_execute(migration.postgres).await.map_err(unavailable)?;
        let record = "INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)";
        let checksum = checksum(migration.postgres);
        transaction.execute(record, &[&migration.number, &migration.name, &checksum]).await.map_err(unavailable)?;
    }
    transaction.commit().await.map_err(unavailable)?;
    Ok(migrations::names(&pending))
}

/// Refuses a database that is not at this program's state.
pub(super) async fn require_all(client: &Client) -> Result<(), StoreError> {
    migrations::require_all(&applied_or_none(client).await.map_err(unavailable)?, TEXT)
}

/// What has been applied: nothing where the table of migrations is missing.
async fn applied_or_none(client: &Client) -> Result<Vec<Applied>, Error> {
    match applied(client).await {
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => Ok(Vec::new()),
        looked => looked,
    }
}

async fn applied(client: &impl GenericClient) -> Result<Vec<Applied>, Error> {
    let look = "SELECT number, checksum FROM schema_migrations WHERE number > 0 ORDER BY number";
    let rows = client.query(look, &[]).await?;
    rows.iter().map(|row| Ok(Applied { number: row.try_get(0)?, checksum: row.try_get(1)? })).collect()
}
