//! The events that operators handle: events that clients reported as faulty, and parked events. Source: EVT-042.

use crate::Context;
use lombard_domain::ids::EventId;
use lombard_ports::store::{EventDetails, StoreError};

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
pub async fn requeue_event(context: &Context, id: &EventId) -> Result<bool, StoreError> {
    let wanted = id.clone();
    let done = context.store.write(move |tx| tx.event_requeue(&wanted)).await?;
    tracing::info!(event.id = id.as_str(), done, "a parked event is to be offered again");
    Ok(done)
}
