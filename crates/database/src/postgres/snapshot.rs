//! The connection of a read that makes several queries on one snapshot.

use super::errors::unanswered;
use super::exchange::{Bounds, ROLL_BACK, exchange};
use super::round_trip::{RoundTrip, SentStatements};
use super::session::within;
use crate::traffic::TrafficCounters;
use deadpool_postgres::Object;
use lombard_ports::store::StoreError;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

/// The connection of a read, and its transaction, if it has begun one. Dropping it ends the transaction without waiting for the
/// server: the connection's next user is served after that. A caller may be dropped at any time.
pub(super) struct SnapshotConnection {
    client: Option<Object>,
    traffic: Arc<TrafficCounters>,
    limit: Duration,
    begun: bool,
}

impl SnapshotConnection {
    pub(super) const fn new(client: Object, traffic: Arc<TrafficCounters>, limit: Duration) -> Self {
        Self { client: Some(client), traffic, limit, begun: false }
    }

    /// Sends queries, the first ones with what begins the transaction, and returns them with their rows.
    pub(super) async fn ask(
        &mut self,
        begin: Option<&'static str>,
        queries: SentStatements,
    ) -> Result<RoundTrip, StoreError> {
        let client = self.client.as_ref().ok_or_else(unanswered)?;
        let sent: Vec<_> = queries.outgoing().collect();
        let bounds = Bounds { begin: begin.filter(|_| !self.begun), end: None };
        self.begun |= bounds.begin.is_some();
        match within(Some(self.limit), exchange(client, &self.traffic, bounds, &sent)).await {
            Ok(answered) => {
                let answers = answered.map_err(|failed| failed.error)?;
                drop(sent);
                Ok(queries.answered(Ok(answers)))
            }
            Err(_) => {
                // Removed from the pool and closed.
                drop(self.client.take().map(Object::take));
                Err(unanswered())
            }
        }
    }
}

impl Drop for SnapshotConnection {
    fn drop(&mut self) {
        let Some(client) = self.client.as_ref().filter(|_| self.begun) else { return };
        self.traffic.count_unanswered(1);
        // The statement is sent when its future is polled first.
        let ending = pin!(client.batch_execute(ROLL_BACK));
        let _ = ending.poll(&mut Context::from_waker(Waker::noop()));
    }
}
