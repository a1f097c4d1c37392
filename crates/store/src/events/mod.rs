//! The queues of events.

mod client_events;
mod delivery;
mod retention;

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_domain::event::{Event, EventErrorReport};
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{
    AcknowledgedEvent, ClientEvent, ClientEventKind, EventDelivery, EventDetails, EventOwner, EventQueue, OfferedEvent,
    PurgedEvents, QueueSize, ReportedEvent, ReusableSignatures, StoreError,
};

#[cfg(test)]
pub(crate) use {
    client_events::STATEMENTS as CLIENT_STATEMENTS, delivery::STATEMENTS as DELIVERY_STATEMENTS,
    retention::STATEMENTS as RETENTION_STATEMENTS,
};

impl EventQueue for Rows<'_, '_> {
    fn events_append(&mut self, events: &[Event]) -> Result<(), StoreError> {
        delivery::append(self, events)?;
        self.queued_for(events.iter().map(|event| &event.client));
        Ok(())
    }

    fn events_waiting(
        &mut self,
        client: &ClientId,
        scopes: Option<Scopes>,
        reusable: &ReusableSignatures,
        limit: u32,
    ) -> Result<Vec<OfferedEvent>, StoreError> {
        delivery::waiting(self, client, scopes, reusable, limit)
    }

    fn events_acknowledge(
        &mut self,
        client: &ClientId,
        ids: &[EventId],
        now: Timestamp,
    ) -> Result<Vec<EventId>, StoreError> {
        delivery::acknowledge(self, client, ids, now)
    }

    fn events_report(
        &mut self,
        client: &ClientId,
        reports: &[EventErrorReport],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<Vec<ReportedEvent>, StoreError> {
        delivery::report(self, client, reports, limit, now)
    }

    fn events_record_deliveries(
        &mut self,
        deliveries: &[EventDelivery],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        delivery::delivered(self, deliveries, limit, now)
    }

    fn event_owners(&mut self, ids: &[EventId]) -> Result<Vec<EventOwner>, StoreError> {
        delivery::known(self, ids)
    }

    fn events_parked(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
        retention::parked(self, limit)
    }

    fn events_reported(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
        retention::reported(self, limit)
    }

    fn events_of_client(
        &mut self,
        client: &ClientId,
        kind: ClientEventKind,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<ClientEvent>, StoreError> {
        client_events::list(self, client, kind, before, limit)
    }

    fn event_of_client(&mut self, client: &ClientId, id: &EventId) -> Result<Option<ClientEvent>, StoreError> {
        client_events::one(self, client, id)
    }

    fn events_acknowledged_lately(
        &mut self,
        client: &ClientId,
        examined: u32,
        limit: u32,
    ) -> Result<Vec<AcknowledgedEvent>, StoreError> {
        client_events::acknowledged_lately(self, client, examined, limit)
    }

    fn events_parked_count(&mut self) -> Result<u64, StoreError> {
        retention::parked_count(self)
    }

    fn event_requeue(&mut self, id: &EventId) -> Result<bool, StoreError> {
        let client = retention::requeue(self, id)?;
        self.queued_for(client.iter());
        Ok(client.is_some())
    }

    fn events_queues(&mut self, queues_max: u32, events_max: u32) -> Result<Vec<QueueSize>, StoreError> {
        retention::queues(self, queues_max, events_max)
    }

    fn events_oldest(&mut self) -> Result<Option<Timestamp>, StoreError> {
        retention::oldest(self)
    }

    fn events_purge(
        &mut self,
        dropped_before: Option<Timestamp>,
        forgotten_before: Timestamp,
        limit: u32,
    ) -> Result<PurgedEvents, StoreError> {
        retention::purge(self, dropped_before, forgotten_before, limit)
    }

    fn events_drop_of_deleted_clients(&mut self, limit: u32) -> Result<u64, StoreError> {
        retention::drop_of_deleted_clients(self, limit)
    }

    fn events_drop_beyond(&mut self, client: &ClientId, keep: u32, limit: u32) -> Result<u64, StoreError> {
        retention::trim(self, client, keep, limit)
    }
}
