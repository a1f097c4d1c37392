//! Status updates that the state of an order, or of its payment, does not allow.

use lombard_domain::order::TransitionError;
use lombard_ports::bank::StatusUpdate;

/// Logs and counts such an update: it changes nothing.
pub(super) fn log_rejected_update(update: &StatusUpdate, error: &TransitionError) {
    tracing::warn!(order.id = update.order.as_str(), number = update.number, %error, "a status update was rejected: the order's state does not allow it");
    metrics::counter!("lombard_status_updates_rejected_total").increment(1);
}
