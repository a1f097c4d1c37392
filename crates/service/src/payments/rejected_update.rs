//! Status updates that the state of an order, or of its payment, does not allow.

use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::TransitionError;
use lombard_ports::bank::StatusUpdate;

/// Such an update: it changes nothing.
#[derive(Debug, Clone)]
pub(super) struct RejectedUpdate {
    order: OrderId,
    number: u32,
    error: TransitionError,
}

impl RejectedUpdate {
    pub(super) fn new(update: &StatusUpdate, error: TransitionError) -> Self {
        Self { order: update.order.clone(), number: update.number, error }
    }

    /// Logs and counts it. Called when its transaction is committed: the closure of one may run more than once.
    pub(super) fn record(&self) {
        let Self { order, number, error } = self;
        tracing::warn!(order.id = order.as_str(), number, %error, "a status update was rejected: the order's state does not allow it");
        metrics::counter!("lombard_status_updates_rejected_total").increment(1);
    }
}
