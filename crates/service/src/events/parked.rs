//! The events that operators handle: events that clients reported as faulty, and parked events. Source: EVT-042.

use crate::Context;
use lombard_domain::audit::AuditRecord;
use lombard_domain::ids::EventId;
use lombard_ports::store::{EventDetails, ServerTransaction, StoreError};

/// The largest number of events of each kind that are shown at once.
const SHOWN_MAX: u32 = 1_000;

/// Parked events, in the order in which they were parked.
///
/// # Errors
/// [`StoreError`].
pub async fn list_parked_events(context: &Context) -> Result<Vec<EventDetails>, StoreError> {
    context.store.read(|tx| tx.events_parked(SHOWN_MAX)).await
}

/// Events that clients reported as unreadable and that are still offered, oldest first.
///
/// # Errors
/// [`StoreError`].
pub async fn list_reported_events(context: &Context) -> Result<Vec<EventDetails>, StoreError> {
    context.store.read(|tx| tx.events_reported(SHOWN_MAX)).await
}

/// Offers a parked event again, as if it were new. `false` if it is not parked.
///
/// # Errors
/// [`StoreError`].
pub async fn requeue_event(context: &Context, id: &EventId, record: AuditRecord) -> Result<bool, StoreError> {
    let wanted = id.clone();
    let requeue = move |tx: &mut dyn ServerTransaction| {
        let is_requeued = tx.event_requeue(&wanted)?;
        if is_requeued {
            tx.audit_append(&record)?;
        }
        Ok(is_requeued)
    };
    let done = context.store.write::<_, StoreError, _>(requeue).await?;
    tracing::info!(event.id = id.as_str(), done, "a parked event is to be offered again");
    Ok(done)
}
