//! Events that are no longer offered, for operators. Source: EVT-042.

use crate::Context;
use lombard_domain::ids::EventId;
use lombard_ports::store::{ParkedEvent, StoreError};

/// Most parked events shown at once.
const SHOWN_MAX: u32 = 1_000;

/// Parked events, those parked first first.
///
/// # Errors
/// [`StoreError`].
pub async fn parked(context: &Context) -> Result<Vec<ParkedEvent>, StoreError> {
    context.store.read(|tx| tx.events_parked(SHOWN_MAX)).await
}

/// Offers a parked event again, as if it were new. `false` if it is not parked.
///
/// # Errors
/// [`StoreError`].
pub async fn requeue(context: &Context, id: &EventId) -> Result<bool, StoreError> {
    let wanted = id.clone();
    let done = context.store.write(move |tx| tx.event_requeue(&wanted)).await?;
    tracing::info!(event.id = id.as_str(), done, "a parked event is to be offered again");
    Ok(done)
}
