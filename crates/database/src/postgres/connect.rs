//! The connections of the pool: the server limits their statements, locks and idle transactions.

use super::server::PostgresServers;
use crate::StoreTimeouts;
use deadpool_postgres::Connect;
use std::future::Future;
use std::pin::Pin;
use tokio::task::{AbortHandle, JoinHandle};
use tokio_postgres::{Client, Config, Error, SimpleQueryMessage};

/// Sets the planner's options, except those that the operator has set.
///
/// A plan is kept until the table's statistics are next computed, so a plan from before a table has grown must be good enough
/// afterwards. Every statement on the path of a request must find its rows by an index, and must not read a whole table if there
/// is an index. Rows are joined by index, not by merging or hashing two tables, of which one would be read as a whole: a generic
/// plan does not know that few rows are requested, and statistics may claim that the value ranges of the two tables do not
/// overlap. Page costs are those of a solid-state disk.
///
/// A statement has one generic plan for all values. By default the server plans each of its first five uses on a connection
/// separately, which takes longer for the statement of a payment than its execution. Just-in-time compilation is disabled: the
/// server would compile plans that it estimates as expensive, such as plans that read a whole table.
///
/// Source: PostgreSQL 15 documentation, sections 20.7.1, 20.7.2, 20.7.4 and 32.2.
const PLANNER: &str = "SELECT set_config(name, wanted, false) \
    FROM pg_settings JOIN (VALUES ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_seqscan', 'off'), ('jit', 'off'), \
    ('plan_cache_mode', 'force_generic_plan'), ('random_page_cost', '1.1')) AS own (name, wanted) USING (name) WHERE source = 'default'";

/// Creates the connections of the pool. The time limits are set on the server first, so the pool's limit for creating a
/// connection covers that call as well.
pub(super) struct ConnectionManager {
    servers: PostgresServers,
    settings: String,
}

impl ConnectionManager {
    /// A manager whose connections have these time limits.
    pub(super) fn new(servers: PostgresServers, waits: &StoreTimeouts) -> Self {
        let settings = format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}; {PLANNER}",
            waits.statement.as_millis(),
            waits.lock.as_millis(),
            waits.idle_transaction.as_millis(),
        );
        Self { servers, settings }
    }

    /// A manager of connections that a pooler shares with others: their settings are those of the role.
    pub(super) const fn of_shared_connections(servers: PostgresServers) -> Self {
        Self { servers, settings: String::new() }
    }
}

type Connecting<'a> = Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + 'a>>;

impl Connect for ConnectionManager {
    fn connect(&self, _: &Config) -> Connecting<'_> {
        Box::pin(async move {
            let (client, driver) = self.servers.open().await?;
            let unfinished = ConnectionGuard::new(&driver);
            if !self.settings.is_empty() {
                client.batch_execute(&self.settings).await?;
            }
            unfinished.finish();
            Ok((client, driver))
        })
    }
}

/// The first column of a row that a simple query returned.
pub(super) fn first_column(message: &SimpleQueryMessage) -> Option<&str> {
    match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    }
}

/// Aborts a connection's task unless the connection was completed. Otherwise an unresponsive server would keep the task for
/// ever.
#[derive(Debug)]
pub(super) struct ConnectionGuard(Option<AbortHandle>);

impl ConnectionGuard {
    /// Guards the connection that this task drives.
    pub(super) fn new<T>(driver: &JoinHandle<T>) -> Self {
        Self(Some(driver.abort_handle()))
    }

    /// Marks the connection as complete, so that its task is kept.
    pub(super) fn finish(mut self) {
        self.0 = None;
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.abort();
        }
    }
}
