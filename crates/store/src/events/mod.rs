//! The queues of events.

mod keep;
mod tell;

use crate::records::ClaimsRecord;
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_domain::event::{Event, Report};
use lombard_domain::ids::{ClientId, EventId, KeyId};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{
    Delivery, EventDetails, EventOwner, EventQueue, OfferedEvent, PurgedEvents, QueueSize, ReportedEvent, StoreError,
};

#[cfg(test)]
pub(crate) use {keep::STATEMENTS as KEEP, tell::STATEMENTS as TELL};

/// A test whether an id is in a list: an array on PostgreSQL, a JSON array on SQLite.
macro_rules! in_list {
    (sqlite $number:literal) => {
        concat!("IN (SELECT value FROM json_each($", $number, "))")
    };
    (postgres $number:literal) => {
        concat!("= ANY($", $number, ")")
    };
}
use in_list;

impl EventQueue for Rows<'_, '_> {
    fn events_append(&mut self, events: &[Event]) -> Result<(), StoreError> {
        tell::append(self, events)?;
        self.queued_for(events.iter().map(|event| &event.client));
        Ok(())
    }

    fn events_waiting(
        &mut self,
        client: &ClientId,
        scopes: Option<Scopes>,
        published: &[KeyId],
        limit: u32,
    ) -> Result<Vec<OfferedEvent>, StoreError> {
        tell::waiting(self, client, scopes, published, limit)
    }

    fn events_acknowledge(
        &mut self,
        client: &ClientId,
        ids: &[EventId],
        now: Timestamp,
    ) -> Result<Vec<EventId>, StoreError> {
        tell::acknowledge(self, client, ids, now)
    }

    fn events_report(
        &mut self,
        client: &ClientId,
        reports: &[Report],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<Vec<ReportedEvent>, StoreError> {
        tell::report(self, client, reports, limit, now)
    }

    fn events_delivered(
        &mut self,
        deliveries: &[Delivery],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        tell::delivered(self, deliveries, limit, now)
    }

    fn events_known(&mut self, ids: &[EventId]) -> Result<Vec<EventOwner>, StoreError> {
        tell::known(self, ids)
    }

    fn events_parked(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
        keep::parked(self, limit)
    }

    fn events_reported(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
        keep::reported(self, limit)
    }

    fn events_parked_count(&mut self) -> Result<u64, StoreError> {
        keep::parked_count(self)
    }

    fn event_requeue(&mut self, id: &EventId) -> Result<bool, StoreError> {
        let client = keep::requeue(self, id)?;
        self.queued_for(client.iter());
        Ok(client.is_some())
    }

    fn events_queues(&mut self, queues_max: u32, events_max: u32) -> Result<Vec<QueueSize>, StoreError> {
        keep::queues(self, queues_max, events_max)
    }

    fn events_oldest(&mut self) -> Result<Option<Timestamp>, StoreError> {
        keep::oldest(self)
    }

    fn events_purge(
        &mut self,
        dropped_before: Option<Timestamp>,
        forgotten_before: Timestamp,
        limit: u32,
    ) -> Result<PurgedEvents, StoreError> {
        keep::purge(self, dropped_before, forgotten_before, limit)
    }

    fn events_trim(&mut self, client: &ClientId, keep: u32, limit: u32) -> Result<u64, StoreError> {
        keep::trim(self, client, keep, limit)
    }
}
