//! Pooled connections that are each used by one transaction at a time.

use super::errors::unanswered;
use super::session::PostgresConnection;
use crate::metrics::EngineMetrics;
use crate::session::TransactionAccess;
use crate::traffic::TrafficCounters;
use deadpool_postgres::{Object, Pool};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// The pool, with the settings of every transaction on its connections. Clones share it.
#[derive(Clone)]
pub(super) struct PooledConnections {
    pub(super) pool: Pool,
    pub(super) traffic: Arc<TrafficCounters>,
    pub(super) meters: EngineMetrics,
    /// The longest wait for the answer to a statement.
    pub(super) answer: Duration,
    /// The longest wait for a connection.
    pub(super) wait: Duration,
}

impl PooledConnections {
    /// Takes a connection from the pool. The limits of the pool are for waiting and for connecting; together they are no longer than one.
    pub(super) async fn connect(&self) -> Result<Object, StoreError> {
        let taken = timeout(self.wait, self.pool.get()).await.map_err(|_| unanswered())?;
        taken.map_err(|error| StoreError::Unavailable(error.into()))
    }

    /// The time limit for all database calls of a request, and for a call that waits until its statement is sent in a group.
    pub(super) fn patience(&self) -> Duration {
        self.wait.max(self.answer)
    }

    /// Takes a connection for a transaction.
    pub(super) async fn begin(&self, access: TransactionAccess) -> Result<PostgresConnection, StoreError> {
        let client = self.connect().await?;
        let traffic = Arc::clone(&self.traffic);
        Ok(PostgresConnection::new(client, Handle::current(), traffic, access, self.answer))
    }
}
