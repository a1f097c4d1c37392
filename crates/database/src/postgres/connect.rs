//! Connections to the server, all with time limits: the server limits statements, locks and idle transactions, and TCP
//! keep-alive detects a lost peer.

use super::errors::unavailable;
use crate::StoreTimeouts;
use deadpool_postgres::Connect;
use lombard_ports::store::StoreError;
use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::time::Duration;
use tokio::task::{AbortHandle, JoinHandle};
use tokio_postgres::{Client, Config, Error, NoTls};

/// The idle time after which the operating system sends the first TCP keep-alive probe.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// The interval between two keep-alive probes.
const KEEP_ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// The number of unanswered probes after which the connection is closed.
const KEEP_ALIVE_TIMES: u32 = 3;

/// How long sent data may remain unacknowledged (`TCP_USER_TIMEOUT`).
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// The configuration for this URL. The URL may override the keep-alive settings.
pub(super) fn config(url: &str, waits: &StoreTimeouts) -> Result<Config, StoreError> {
    let mut config = Config::from_str(url).map_err(unavailable)?;
    config.application_name("lombard").connect_timeout(waits.connection);
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNACKNOWLEDGED);
    }
    if config.get_keepalives_interval().is_none() && config.get_keepalives_retries().is_none() {
        config.keepalives_idle(KEEP_ALIVE).keepalives_interval(KEEP_ALIVE_AGAIN).keepalives_retries(KEEP_ALIVE_TIMES);
    }
    Ok(config)
}

/// Sets how the server plans statements, unless the operator has decided about it.
///
/// A plan is kept until the table's statistics are next made, so one from before a table has grown must do afterwards: every statement that
/// requests wait for finds its rows by an index, and no table is read as a whole where there is one. Rows are joined with the rows that
/// they name by index, not by merging or hashing two tables, of which one would be read as a whole: a plan for all values does not know
/// that few rows are asked for, and statistics may say that one table ends before the other begins. Pages cost what they do on a
/// solid disk.
///
/// A statement has one plan for all its values: by default each of its first five uses on a connection is planned anew, which for a
/// payment's one statement takes longer than to carry it out. Nothing is compiled: the server would do that to plans that it thinks
/// expensive, as it thinks of those that read a whole table.
///
/// Source: PostgreSQL 15 documentation, sections 20.7.1, 20.7.2, 20.7.4 and 32.2.
const PLANNER: &str = "SELECT set_config(name, wanted, false) \
    FROM pg_settings JOIN (VALUES ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_seqscan', 'off'), ('jit', 'off'), \
    ('plan_cache_mode', 'force_generic_plan'), ('random_page_cost', '1.1')) AS own (name, wanted) USING (name) WHERE source = 'default'";

/// Creates the connections of the pool. The time limits are set on the server first, so the pool's limit for creating a
/// connection covers that call as well.
pub(super) struct ConnectionManager(String);

impl ConnectionManager {
    /// A manager whose connections have these time limits.
    pub(super) fn new(waits: &StoreTimeouts) -> Self {
        Self(format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}; {PLANNER}",
            waits.statement.as_millis(),
            waits.lock.as_millis(),
            waits.idle_transaction.as_millis(),
        ))
    }
}

type Connecting<'a> = Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + 'a>>;

impl Connect for ConnectionManager {
    fn connect(&self, config: &Config) -> Connecting<'_> {
        let config = config.clone();
        Box::pin(async move {
            let (client, connection) = config.connect(NoTls).await?;
            // Errors of the connection task are reported by the client.
            let driver = tokio::spawn(async move { drop(connection.await) });
            let unfinished = ConnectionGuard::new(&driver);
            client.batch_execute(&self.0).await?;
            unfinished.finish();
            Ok((client, driver))
        })
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

    /// The connection is complete: its task is kept.
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
