//! Status updates that the state of an order, or of its payment, does not allow.

use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::TransitionError;
use lombard_ports::bank::StatusUpdate;

/// A status update that the state does not allow; it has no effect.
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

    /// Logs and counts the update. Call it only after the commit, because a transaction's closure may run more than once.
    pub(super) fn record(&self) {
        let Self { order, number, error } = self;
        tracing::warn!(order.id = order.as_str(), number, %error, "a status update was rejected: the order's state does not allow it");
        metrics::counter!("lombard_status_updates_rejected_total").increment(1);
    }
}
