//! What is done beside requests: deliveries written down, old events dropped, gauges set.

use super::desk::Desk;
use super::meters;
use crate::Context;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use lombard_ports::store::{Delivery, StoreError};

/// Deliveries written down in one transaction, about; rows looked at for removal in one.
const BATCH: u32 = 500;

/// How long events are kept. Source: EVT-086.
#[derive(Debug, Clone, Copy)]
pub struct Keeping {
    /// How long an event waits for its acknowledgement, and an acknowledged one is remembered.
    pub retention: SignedDuration,
    /// Most events that wait for a client, if there is a limit.
    pub queue_max: Option<u32>,
}

impl Desk {
    /// Writes down the deliveries made since the last time. Safe to run twice and on every node.
    ///
    /// # Errors
    /// [`StoreError`]; what was not written down is kept for the next time.
    pub async fn write_down(&self) -> Result<(), StoreError> {
        loop {
            let some = self.handed().take_some(usize::try_from(BATCH).unwrap_or(usize::MAX));
            if some.is_empty() {
                return Ok(());
            }
            let mut deliveries: Vec<Delivery> = some.iter().flat_map(|(_, events)| events.values().cloned()).collect();
            deliveries.sort_unstable_by(|a, b| a.id.cmp(&b.id));
            let (limit, now) = (self.settings().deliveries_max, self.context().clocks.wall());
            let written = self.context().store.write(move |tx| tx.events_delivered(&deliveries, limit, now)).await;
            if let Err(error) = written {
                for (client, events) in some {
                    self.handed().put(&client, events.into_values());
                }
                return Err(error);
            }
        }
    }
}

impl Desk {
    /// Drops what is too old, a batch at a time until nothing is, and what is beyond a queue's limit; then sets the gauges.
    ///
    /// # Errors
    /// [`StoreError`]; the next activation goes on.
    pub async fn drop_old(&self, keeping: Keeping) -> Result<(), StoreError> {
        let context = self.context();
        let before = context.clocks.wall().saturating_sub(keeping.retention).unwrap_or(Timestamp::MIN);
        loop {
            let gone = context.store.write(move |tx| tx.events_purge(before, BATCH)).await?;
            if gone.dropped > 0 {
                meters::dropped(gone.dropped);
                tracing::warn!(events = gone.dropped, "events were dropped that nobody acknowledged in time");
            }
            if gone.dropped == 0 && gone.forgotten == 0 {
                break;
            }
        }
        if let Some(queue_max) = keeping.queue_max {
            let clients = context.store.read(|tx| tx.clients()).await?;
            for client in clients {
                trim(context, &client.id, queue_max).await?;
            }
        }
        gauge(context).await
    }
}

async fn trim(context: &Context, client: &ClientId, queue_max: u32) -> Result<(), StoreError> {
    loop {
        let id = client.clone();
        let gone = context.store.write(move |tx| tx.events_trim(&id, queue_max, BATCH)).await?;
        if gone == 0 {
            return Ok(());
        }
        meters::dropped(gone);
        tracing::error!(client.id = client.as_str(), events = gone, "a queue is full: its oldest events were dropped");
    }
}

async fn gauge(context: &Context) -> Result<(), StoreError> {
    let (oldest, parked) =
        context.store.read(|tx| Ok::<_, StoreError>((tx.events_oldest()?, tx.events_parked_count()?))).await?;
    let age = oldest.map(|oldest| context.clocks.wall().duration_since(oldest).as_secs_f64().max(0.0));
    meters::waiting(age.unwrap_or_default(), parked);
    Ok(())
}
