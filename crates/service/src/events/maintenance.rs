//! Background work of event queues: stores deliveries, drops old events, sets gauges.

use super::meters;
use super::polling::EventPolling;
use crate::Context;
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use lombard_ports::store::{EventDelivery, ServerTransaction, StoreError};

/// The approximate number of deliveries stored in one transaction, and of rows examined for removal in one.
const BATCH: u32 = 500;

/// The largest number of queues with metrics of their own.
const QUEUES_MAX: u32 = 500;

/// The number up to which the events of one queue are counted for its metric.
const COUNTED_MAX: u32 = 10_000;

impl EventPolling {
    /// Stores the deliveries made since the last run. The function may run twice and on every node.
    ///
    /// # Errors
    /// [`StoreError`]; deliveries that were not stored are kept for the next run.
    pub async fn write_deliveries(&self) -> Result<(), StoreError> {
        loop {
            let some = self.deliveries().take_some(usize::try_from(BATCH).unwrap_or(usize::MAX));
            if some.is_empty() {
                return Ok(());
            }
            let mut deliveries: Vec<EventDelivery> =
                some.iter().flat_map(|(_, events)| events.values().cloned()).collect();
            deliveries.sort_unstable_by(|a, b| a.id.cmp(&b.id));
            let (limit, now) = (self.settings().deliveries_max, self.context().clocks.wall_now());
            let written =
                self.context().store.write(move |tx| tx.events_record_deliveries(&deliveries, limit, now)).await;
            if let Err(error) = written {
                for (client, events) in some {
                    self.deliveries().put(&client, events.into_values());
                }
                return Err(error);
            }
        }
    }
}

impl EventPolling {
    /// Drops events that are too old, in batches until none is left, and events beyond a queue's limit; then sets the gauges.
    ///
    /// # Errors
    /// [`StoreError`]; the next activation continues.
    pub async fn drop_expired_events(&self) -> Result<(), StoreError> {
        let (context, keeping) = (self.context(), self.settings().retention);
        let ago = |age| context.clocks.wall_now().saturating_sub(age).unwrap_or(Timestamp::MIN);
        let (dropped_before, forgotten_before) = (keeping.retention.map(ago), ago(keeping.remembered));
        loop {
            let purge = move |tx: &mut dyn ServerTransaction| tx.events_purge(dropped_before, forgotten_before, BATCH);
            let gone = context.store.write(purge).await?;
            if gone.dropped > 0 {
                meters::dropped(gone.dropped);
                tracing::warn!(events = gone.dropped, "events were dropped that nobody acknowledged in time");
            }
            if gone.dropped == 0 && gone.forgotten == 0 {
                break;
            }
        }
        // Events of orders of a deleted client are dropped as well (DCR-043).
        while context.store.write(|tx| tx.events_drop_of_deleted_clients(BATCH)).await? > 0 {}
        if let Some(queue_max) = keeping.queue_max {
            let clients = context.store.read(|tx| tx.client_ids()).await?;
            let mut trimmed = Ok(());
            for client in clients {
                trimmed = trimmed.and(trim(context, &client, queue_max).await);
            }
            trimmed?;
        }
        self.measure().await
    }

    /// Sets the gauges of all queues together and of each queue. Source: EVT-086.
    async fn measure(&self) -> Result<(), StoreError> {
        let context = self.context();
        let read = |tx: &mut dyn ServerTransaction| {
            let queues = tx.events_queues(QUEUES_MAX, COUNTED_MAX)?;
            Ok::<_, StoreError>((tx.events_oldest()?, tx.events_parked_count()?, queues))
        };
        let (oldest, parked, queues) = context.store.read(read).await?;
        let now = context.clocks.wall_now();
        let age = |since: Timestamp| now.duration_since(since).as_secs_f64().max(0.0);
        meters::waiting(oldest.map(age).unwrap_or_default(), parked);
        self.queue_meters().set(queues.into_iter().map(|queue| (queue.client, queue.waiting, age(queue.oldest_at))));
        Ok(())
    }
}

async fn trim(context: &Context, client: &ClientId, queue_max: u32) -> Result<(), StoreError> {
    loop {
        let id = client.clone();
        let gone = context.store.write(move |tx| tx.events_drop_beyond(&id, queue_max, BATCH)).await?;
        if gone == 0 {
            return Ok(());
        }
        meters::dropped(gone);
        tracing::error!(client.id = client.as_str(), events = gone, "a queue is full: its oldest events were dropped");
    }
}
