//! The event queues, one for each client. Events are appended in the transaction that changes the resource (EVT-062).
//!
//! An event stays in the queue until its client acknowledges it. The bank may limit error reports and deliveries, after which an
//! event is parked, and the retention, after which it is dropped. Queued events are offered in this order: fewest reports, then
//! fewest deliveries, then oldest; the cost of the query does not depend on the length of the queue.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::event::{Event, EventErrorReport, EventType};
use lombard_domain::ids::{ClientId, EventId, KeyId};
use lombard_domain::scope::Scopes;
use std::sync::Arc;

/// The stored signature of a security event token, as it was first delivered. Source: SET-005.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSignature {
    /// The signing key.
    pub key: KeyId,
    /// The `typ` of its header, if it has one. Source: SET-003.
    pub typ: Option<Arc<str>>,
    /// The compact JWS.
    pub token: Arc<str>,
}

/// The stored signatures that may be returned to a poll. The default allows none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReusableSignatures {
    /// The signing keys whose signatures may be returned. Source: SET-005.
    pub keys: Vec<KeyId>,
    /// The `typ` that the header must have; `None` stands for a header without one. Source: SET-003.
    pub typ: Option<Arc<str>>,
}

/// A queued event, signed or not yet signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedEvent {
    /// Its `jti`.
    pub id: EventId,
    /// The number of error reports on it.
    pub reports: i64,
    /// The event, or its reusable signature.
    pub form: OfferedEventForm,
}

/// Whether an event is signed already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferedEventForm {
    /// Signed, and the signature is reusable.
    Signed(StoredSignature),
    /// Not signed, or the signature is not reusable.
    Unsigned(Box<Event>),
}

/// A delivery of an event. The delivery is stored later, or not at all if the event is acknowledged first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDelivery {
    /// The event.
    pub id: EventId,
    /// The number of deliveries.
    pub times: i64,
    /// The signature made for the delivery, with the number of error reports at that time; a later report discards the
    /// signature.
    pub signed: Option<(StoredSignature, i64)>,
}

/// The result of an error report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedEvent {
    /// The event.
    pub id: EventId,
    /// Whether the event is parked now.
    pub parked: bool,
}

/// The owner and state of an event id that a client sent; for the log only. Source: EVT-038, EVT-039.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventOwner {
    /// The id.
    pub id: EventId,
    /// The client whose event it is.
    pub client: ClientId,
    /// Whether it has been acknowledged.
    pub acknowledged: bool,
}

/// An event as shown to operators: one with an error report, or a parked one. Source: EVT-042.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDetails {
    /// Its `jti`.
    pub id: EventId,
    /// The client whose queue it was in.
    pub client: ClientId,
    /// When it was stored (wall clock).
    pub recorded_at: Timestamp,
    /// When it was parked (wall clock); `None` if it is still offered.
    pub parked_at: Option<Timestamp>,
    /// The number of deliveries.
    pub deliveries: i64,
    /// The number of error reports.
    pub reports: i64,
    /// The client's latest error code, control characters escaped.
    pub err: Option<String>,
    /// The client's latest error description, control characters escaped.
    pub description: Option<String>,
    /// Its event types.
    pub types: Vec<EventType>,
    /// The address of its resource.
    pub about: String,
}

/// An event that its client has not acknowledged, as shown to the client's developers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEvent {
    /// The number of the event among all events, by which lists are paged.
    pub number: i64,
    /// The event.
    pub event: Event,
    /// When it was parked (wall clock); `None` if it is still offered.
    pub parked_at: Option<Timestamp>,
    /// The number of deliveries.
    pub deliveries: i64,
    /// The number of error reports.
    pub reports: i64,
    /// The client's latest error code, control characters escaped.
    pub err: Option<String>,
    /// The client's latest error description, control characters escaped.
    pub description: Option<String>,
}

/// A filter for the events of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientEventKind {
    /// Events that are still offered.
    Offered,
    /// Events that are parked.
    Parked,
}

/// An acknowledged event. Its content is no longer stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgedEvent {
    /// Its `jti`.
    pub id: EventId,
    /// When it was acknowledged (wall clock).
    pub at: Timestamp,
}

/// The length of one client's queue, for metrics. Source: EVT-086.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSize {
    /// The client.
    pub client: ClientId,
    /// The number of queued events, counted up to a maximum.
    pub waiting: u64,
    /// When the oldest of them was stored (wall clock).
    pub oldest_at: Timestamp,
}

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurgedEvents {
    /// Events that were dropped without an acknowledgement.
    pub dropped: u64,
    /// Remembered ids of acknowledged events.
    pub forgotten: u64,
}

/// The event queues in storage.
pub trait EventQueue {
    /// Appends events to their clients' queues. Waiting polls are woken after the commit.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an id is taken.
    fn events_append(&mut self, events: &[Event]) -> Result<(), StoreError>;

    /// The queued events of a client: fewest reports first, then fewest deliveries, then oldest; at most `limit`, and
    /// only those of the named scopes, if any are named. Signatures that are not reusable are ignored. Source: EVT-042,
    /// EVT-056.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_waiting(
        &mut self,
        client: &ClientId,
        scopes: Option<Scopes>,
        reusable: &ReusableSignatures,
        limit: u32,
    ) -> Result<Vec<OfferedEvent>, StoreError>;

    /// Removes a client's own events, parked or not, and stores their ids as acknowledged. Returns the removed ones.
    /// Source: EVT-035, EVT-040, EVT-085.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_acknowledge(
        &mut self,
        client: &ClientId,
        ids: &[EventId],
        now: Timestamp,
    ) -> Result<Vec<EventId>, StoreError>;

    /// Records error reports on a client's own queued events, discards their signatures, and parks those with `limit`
    /// reports, if there is a limit. Returns the recorded ones. Source: EVT-042.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_report(
        &mut self,
        client: &ClientId,
        reports: &[EventErrorReport],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<Vec<ReportedEvent>, StoreError>;

    /// Records deliveries and signatures, and parks events with `limit` deliveries, if there is a limit. Events that no
    /// longer exist are skipped. Source: EVT-057.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_record_deliveries(
        &mut self,
        deliveries: &[EventDelivery],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// The owner and state of these ids, for any client; unknown ids are omitted.
    ///
    /// # Errors
    /// [`StoreError`].
    fn event_owners(&mut self, ids: &[EventId]) -> Result<Vec<EventOwner>, StoreError>;

    /// Parked events, in the sequence in which they were parked, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_parked(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError>;

    /// Events with an error report that are still offered, oldest first, at most `limit`. Source: EVT-042.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_reported(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError>;

    /// The offered or the parked events of a client, newest first: at most `limit` of those with a lower number than `before`.
    /// Rows that cannot be read are omitted.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_of_client(
        &mut self,
        client: &ClientId,
        kind: ClientEventKind,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<ClientEvent>, StoreError>;

    /// The event with this id, if it belongs to this client and is not acknowledged.
    ///
    /// # Errors
    /// [`StoreError`].
    fn event_of_client(&mut self, client: &ClientId, id: &EventId) -> Result<Option<ClientEvent>, StoreError>;

    /// The events that a client acknowledged among the latest `examined` acknowledged events of all clients, the newest first; at
    /// most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_acknowledged_lately(
        &mut self,
        client: &ClientId,
        examined: u32,
        limit: u32,
    ) -> Result<Vec<AcknowledgedEvent>, StoreError>;

    /// The number of parked events.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_parked_count(&mut self) -> Result<u64, StoreError>;

    /// Returns a parked event to its queue as if it were new. `false` if it is not parked.
    ///
    /// # Errors
    /// [`StoreError`].
    fn event_requeue(&mut self, id: &EventId) -> Result<bool, StoreError>;

    /// The queues that are not empty, by client id: at most `queues_max`, each counted up to `events_max`. Source:
    /// EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_queues(&mut self, queues_max: u32, events_max: u32) -> Result<Vec<QueueSize>, StoreError>;

    /// When the oldest queued event was stored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_oldest(&mut self) -> Result<Option<Timestamp>, StoreError>;

    /// Removes events that were stored before `dropped_before`, if given, and the records of events acknowledged before
    /// `forgotten_before`; examines the `limit` oldest of each. Source: EVT-085, EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_purge(
        &mut self,
        dropped_before: Option<Timestamp>,
        forgotten_before: Timestamp,
        limit: u32,
    ) -> Result<PurgedEvents, StoreError>;

    /// Removes events of deleted clients, parked or not, at most `limit`. Returns the number removed. Source: DCR-043.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_drop_of_deleted_clients(&mut self, limit: u32) -> Result<u64, StoreError>;

    /// Removes a client's queued events except the newest `keep`, oldest first, at most `limit`. Returns the number
    /// removed. Source: EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_drop_beyond(&mut self, client: &ClientId, keep: u32, limit: u32) -> Result<u64, StoreError>;
}
