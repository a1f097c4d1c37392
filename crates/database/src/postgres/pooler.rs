//! Connection poolers between a node and its server.
//!
//! In transaction pooling each transaction of a connection may run on another connection of the pooler to the server. Prepared statements
//! must follow it there, settings of a session do not, and no notification arrives. PgBouncer takes care of prepared statements since
//! version 1.21, if `max_prepared_statements` is not 0.

use super::connect::{ConnectionGuard, first_column};
use super::errors::{unanswered, unavailable};
use super::server::PostgresServers;
use super::version;
use crate::StoreTimeouts;
use lombard_ports::store::StoreError;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::{Client, Error};

/// The number of times that two connections are compared. A pooler gives the connection that was used last to the next one that asks.
const ROUNDS: usize = 4;

const REFUSAL: &str = "a connection pooler stands before PostgreSQL, and prepared statements get lost in it; use PgBouncer 1.21 or newer with \
    max_prepared_statements of 550 or more, or pool_mode = session, or connect to PostgreSQL itself";

/// What to do when a pooler gives the second connection of this migration too late.
pub(super) fn second_connection_refusal(migration: &str) -> String {
    format!(
        "migration {migration} makes an index, for which it needs two connections to PostgreSQL at once, and the connection pooler \
         gave no second one in time. Raise default_pool_size of PgBouncer to 2 or more, or migrate with a URL of PostgreSQL \
         itself, and run `lombard migrate` again."
    )
}

/// What to do when a time limit of the role ended a statement of this migration.
pub(super) fn time_limit_refusal(migration: &str) -> String {
    format!(
        "migration {migration} makes an index, and PostgreSQL ended the statement because of statement_timeout. Behind a \
         connection pooler that limit is the one of the role or the database. Run ALTER ROLE … SET statement_timeout = 0 for the \
         role that migrates and RECONNECT in PgBouncer, or migrate with a URL of PostgreSQL itself, and run `lombard migrate` \
         again. The index is then made again."
    )
}

/// The pooling between a node and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// None, or a pooler that gives each connection of a node a connection of its own to the server.
    None,
    /// A pooler that gives each transaction a connection.
    Transactions,
}

/// The connection with which a node finds out what it is connected to, and the task that drives the connection.
pub(super) struct FirstConnection {
    pub(super) client: Client,
    pub(super) driver: JoinHandle<()>,
    pub(super) pooling: Pooling,
}

/// Connects, and refuses a server that is too old and a pooler that cannot be used.
pub(super) async fn connect(servers: &PostgresServers, waits: &StoreTimeouts) -> Result<FirstConnection, StoreError> {
    timeout(waits.connection, examine(servers)).await.map_err(|_| unanswered())?
}

async fn examine(servers: &PostgresServers) -> Result<FirstConnection, StoreError> {
    let (client, driver) = servers.open().await.map_err(unavailable)?;
    let unfinished = ConnectionGuard::new(&driver);
    version::require_supported(&client).await?;
    let renamed = renames_statements(&client).await.map_err(unavailable)?;
    let pooling = if renamed {
        Pooling::Transactions
    } else if shares_connections(servers, &client).await.map_err(unavailable)? {
        return Err(StoreError::Unavailable(REFUSAL.into()));
    } else {
        Pooling::None
    };
    unfinished.finish();
    Ok(FirstConnection { client, driver, pooling })
}

/// Whether a pooler takes care of prepared statements: it gives them names of its own, which the server shows.
async fn renames_statements(client: &Client) -> Result<bool, Error> {
    const PROBE: &str = "SELECT 'lombard looks for a pooler'";
    // The statement is prepared and looked for in one transaction, which has one connection to the server.
    client.batch_execute("BEGIN").await?;
    let prepared = client.prepare(PROBE).await?;
    let query = format!("SELECT name FROM pg_prepared_statements WHERE statement = '{}'", PROBE.replace('\'', "''"));
    let names = client.simple_query(&query).await?;
    client.batch_execute("ROLLBACK").await?;
    drop(prepared);
    // The driver's names are `s` and a number.
    let is_of_driver = |name: &str| name.strip_prefix('s').is_some_and(|number| number.parse::<u64>().is_ok());
    Ok(names.iter().any(|name| first_column(name).is_some_and(|name| !is_of_driver(name))))
}

/// Whether two connections use the same one to the server.
async fn shares_connections(servers: &PostgresServers, one: &Client) -> Result<bool, Error> {
    let (other, driver) = servers.open().await?;
    let _closed_afterwards = ConnectionGuard::new(&driver);
    let first = process(one).await?;
    let mut is_shared = false;
    for _ in 0..ROUNDS {
        is_shared |= process(&other).await? == first || process(one).await? != first;
    }
    Ok(is_shared)
}

/// The server's process of a connection.
async fn process(client: &Client) -> Result<Option<String>, Error> {
    let messages = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(messages.iter().find_map(first_column).map(str::to_owned))
}

/// Logs what is different behind a pooler of transactions, and warns if statements have no time limit: a node cannot set it on a
/// connection that it shares.
pub(super) async fn report_pooler(client: &Client) -> Result<(), StoreError> {
    tracing::info!(
        "a connection pooler stands before PostgreSQL: no notifications arrive, and held polls query more often"
    );
    let messages = client.simple_query("SHOW statement_timeout").await.map_err(unavailable)?;
    if messages.iter().find_map(first_column) == Some("0") {
        tracing::warn!(
            "behind a connection pooler nodes cannot limit statements; set statement_timeout and the other settings of \
             docs/operating/storage.md for the role of the nodes"
        );
    }
    Ok(())
}
