//! The queues of events, one for each client. Appending is part of the transaction that changed something (EVT-062).
//!
//! An event waits until its client acknowledges it. A bank may also limit reports and deliveries, which parks an event, and
//! the retention, which drops it. What waits is offered by fewest reports, then fewest deliveries, then age; the cost of
//! that does not depend on how much waits.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::event::{Event, EventErrorReport, EventType};
use lombard_domain::ids::{ClientId, EventId, KeyId};
use lombard_domain::scope::Scopes;
use std::sync::Arc;

/// A kept signature: a security event token as it was first delivered. Source: SET-005.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSignature {
    /// The key it was made with.
    pub key: KeyId,
    /// The whole compact JWS.
    pub token: Arc<str>,
}

/// A queued event, signed or not yet signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedEvent {
    /// Its `jti`.
    pub id: EventId,
    /// How often it was reported as unreadable.
    pub reports: i64,
    /// Signed already or not.
    pub form: OfferedEventForm,
}

/// Whether an event is signed already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferedEventForm {
    /// It was, with a key that is still published.
    Signed(StoredSignature),
    /// It was not, or not with such a key.
    Unsigned(Box<Event>),
}

/// An event that was delivered: what is written down later, or never if it is acknowledged before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDelivery {
    /// The event.
    pub id: EventId,
    /// How often it was handed over.
    pub times: i64,
    /// Its signature if it was made for it, and how often the event had been reported then: a later report drops it.
    pub signed: Option<(StoredSignature, i64)>,
}

/// What came of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedEvent {
    /// The event.
    pub id: EventId,
    /// Whether it is parked now.
    pub parked: bool,
}

/// What is known of an id that a client named. For the log alone. Source: EVT-038, EVT-039.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventOwner {
    /// The id.
    pub id: EventId,
    /// Whose event it is.
    pub client: ClientId,
    /// Whether it was acknowledged.
    pub acknowledged: bool,
}

/// An event as operators see it: one that its client reported as unreadable, or that is parked. Source: EVT-042.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDetails {
    /// Its `jti`.
    pub id: EventId,
    /// Whose queue it was in.
    pub client: ClientId,
    /// When it was written down (wall clock).
    pub recorded_at: Timestamp,
    /// When it was parked (wall clock); `None` if it is still offered.
    pub parked_at: Option<Timestamp>,
    /// How often it was handed over.
    pub deliveries: i64,
    /// How often it was reported as unreadable.
    pub reports: i64,
    /// The client's last code, control characters escaped.
    pub err: Option<String>,
    /// What the client said about it, control characters escaped.
    pub description: Option<String>,
    /// What it tells.
    pub types: Vec<EventType>,
    /// The address of the resource it is about.
    pub about: String,
}

/// One client's queue, for metrics. Source: EVT-086.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSize {
    /// Whose it is.
    pub client: ClientId,
    /// How many events wait; counted no further than the caller asked for.
    pub waiting: u64,
    /// When the oldest of them was written down (wall clock).
    pub oldest_at: Timestamp,
}

/// What a purge removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurgedEvents {
    /// Events that were never acknowledged.
    pub dropped: u64,
    /// Remembered ids of acknowledged events.
    pub forgotten: u64,
}

/// Events in storage.
pub trait EventQueue {
    /// Appends events to their clients' queues. Who waits for them is woken after the commit.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an id is taken.
    fn events_append(&mut self, events: &[Event]) -> Result<(), StoreError>;

    /// What waits for a client, fewest reports first, then fewest deliveries, then oldest, at most `limit`; only what these
    /// scopes open, if any are named. Signatures by other keys than the published ones are passed over. Source: EVT-042,
    /// EVT-056.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_waiting(
        &mut self,
        client: &ClientId,
        scopes: Option<Scopes>,
        published: &[KeyId],
        limit: u32,
    ) -> Result<Vec<OfferedEvent>, StoreError>;

    /// Releases a client's own events for good, parked or not, and remembers their ids. Returns those it released.
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

    /// Notes reports on a client's own waiting events, drops their signatures, and parks those reported `limit` times, if
    /// there is a limit. Returns those it noted. Source: EVT-042.
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

    /// Counts deliveries and keeps signatures; parks what was delivered `limit` times, if there is a limit. Events that are
    /// gone are passed over. Source: EVT-057.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_delivered(
        &mut self,
        deliveries: &[EventDelivery],
        limit: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// What is known of these ids, whoever they belong to; unknown ones are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_known(&mut self, ids: &[EventId]) -> Result<Vec<EventOwner>, StoreError>;

    /// Parked events, those parked first first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_parked(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError>;

    /// Events that were reported as unreadable and are still offered, the oldest first, at most `limit`. Source: EVT-042.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_reported(&mut self, limit: u32) -> Result<Vec<EventDetails>, StoreError>;

    /// How many are parked.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_parked_count(&mut self) -> Result<u64, StoreError>;

    /// Offers a parked event again, as if it were new. `false` if it is not parked.
    ///
    /// # Errors
    /// [`StoreError`].
    fn event_requeue(&mut self, id: &EventId) -> Result<bool, StoreError>;

    /// The queues in which events wait, in the order of their clients' ids: at most `queues_max`, each counted up to
    /// `events_max`. Source: EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_queues(&mut self, queues_max: u32, events_max: u32) -> Result<Vec<QueueSize>, StoreError>;

    /// When the oldest event that waits was written down.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_oldest(&mut self) -> Result<Option<Timestamp>, StoreError>;

    /// Removes events that were written down before `dropped_before`, if any are to be dropped, and memories of events
    /// acknowledged before `forgotten_before`; looks at the `limit` oldest of each. Source: EVT-085, EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_purge(
        &mut self,
        dropped_before: Option<Timestamp>,
        forgotten_before: Timestamp,
        limit: u32,
    ) -> Result<PurgedEvents, StoreError>;

    /// Removes a client's oldest waiting events beyond the newest `keep`, at most `limit`. Returns how many went. Source:
    /// EVT-086.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events_trim(&mut self, client: &ClientId, keep: u32, limit: u32) -> Result<u64, StoreError>;
}
