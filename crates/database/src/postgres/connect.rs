//! Connections to the server, none of which waits for ever: the server bounds statements, locks and idle transactions,
//! and the operating system bounds silence.

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

/// How long a silent connection is left alone before the operating system asks whether the server is there.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// How long the operating system waits between two such questions.
const KEEP_ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// How many of them may go unanswered.
const KEEP_ALIVE_TIMES: u32 = 3;

/// How long sent bytes may wait for the server's operating system to have them.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// The server at this URL, which may say otherwise about the operating system's bounds.
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

/// Makes connections of the pool. The server is told its bounds before anything else, so the pool's bound for making a
/// connection holds for that too.
pub(super) struct ConnectionManager(String);

impl ConnectionManager {
    /// Connections whose statements wait no longer than this.
    pub(super) fn new(waits: &StoreTimeouts) -> Self {
        Self(format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}",
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
            // Its own errors are its client's.
            let driver = tokio::spawn(async move { drop(connection.await) });
            let unfinished = ConnectionGuard::new(&driver);
            client.batch_execute(&self.0).await?;
            unfinished.finish();
            Ok((client, driver))
        })
    }
}

/// Ends a connection's task unless its making was finished: a server that has fallen silent would keep it for ever.
#[derive(Debug)]
pub(super) struct ConnectionGuard(Option<AbortHandle>);

impl ConnectionGuard {
    /// A connection that is driven by this task.
    pub(super) fn new<T>(driver: &JoinHandle<T>) -> Self {
        Self(Some(driver.abort_handle()))
    }

    /// The connection is made.
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
