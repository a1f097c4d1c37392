//! The outbox turns resource changes into events of the client that owns the resource, by the event matrix. All events are raised
//! by this module.

use lombard_domain::consent::Consent;
use lombard_domain::event::{Event, ResourceAddresses, ResourceChange};
use lombard_domain::ids::{EventId, FapiInteractionId};
use lombard_domain::payment::order::{Order, Transition};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{EventQueue, StoreError};
use std::sync::Arc;

/// Raises events. Clones share one source.
#[derive(Debug, Clone)]
pub struct Outbox {
    source: Arc<EventSource>,
    interaction_id: Option<FapiInteractionId>,
}

/// The members that every event is made from.
#[derive(Debug)]
struct EventSource {
    addresses: ResourceAddresses,
    ids: IdGenerator,
    clocks: Clocks,
}

impl Outbox {
    /// An outbox that uses these resource addresses in events.
    pub fn new(addresses: ResourceAddresses, ids: IdGenerator, clocks: Clocks) -> Self {
        Self { source: Arc::new(EventSource { addresses, ids, clocks }), interaction_id: None }
    }

    /// The same outbox for a call with this interaction id, or for no call. The call is the cause of every change that names no
    /// other cause. Source: SET-016.
    #[must_use]
    pub fn caused_by(&self, interaction_id: Option<&FapiInteractionId>) -> Self {
        Self { source: Arc::clone(&self.source), interaction_id: interaction_id.cloned() }
    }

    /// The interaction id of the present call, if there is one.
    pub fn interaction_id(&self) -> Option<&FapiInteractionId> {
        self.interaction_id.as_ref()
    }

    /// Raises the event of a change in the transaction of the change, so the event is delivered if and only if the transaction
    /// commits (EVT-062). Returns the event's id, if the change raises an event.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn raise(&self, queue: &mut dyn EventQueue, change: &ResourceChange) -> Result<Option<EventId>, StoreError> {
        Ok(self.raise_all(queue, std::slice::from_ref(change))?.pop())
    }

    /// Raises several changes at once.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn raise_all(
        &self,
        queue: &mut dyn EventQueue,
        changes: &[ResourceChange],
    ) -> Result<Vec<EventId>, StoreError> {
        let events: Vec<Event> = changes.iter().filter_map(|change| self.event(change)).collect();
        if !events.is_empty() {
            queue.events_append(&events)?;
        }
        Ok(events.into_iter().map(|event| event.id).collect())
    }

    /// Raises the events that a change of a consent requires.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn raise_of_consent(
        &self,
        queue: &mut dyn EventQueue,
        before: &Consent,
        now: &Consent,
    ) -> Result<(), StoreError> {
        self.raise_all(queue, &now.changes_since(before)).map(drop)
    }

    /// Raises an event for each transition of an order that its version shows.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn raise_of_order(
        &self,
        queue: &mut dyn EventQueue,
        order: &Order,
        moves: impl IntoIterator<Item = Transition>,
    ) -> Result<(), StoreError> {
        let changes: Vec<_> = moves.into_iter().filter_map(|moved| order.change(moved)).collect();
        self.raise_all(queue, &changes).map(drop)
    }

    fn causing_interaction<'a>(&'a self, change: &'a ResourceChange) -> Option<&'a FapiInteractionId> {
        change.interaction_id.as_ref().or(self.interaction_id.as_ref())
    }

    fn event(&self, change: &ResourceChange) -> Option<Event> {
        let claims = self.source.addresses.claims(change)?;
        let id: EventId = self.source.ids.ordered();
        let now = self.source.clocks.wall_now();
        Some(Event {
            interaction_id: self
                .causing_interaction(change)
                .cloned()
                .unwrap_or_else(|| FapiInteractionId::new(id.as_str())),
            id,
            client: change.client.clone(),
            occurred_at: now,
            recorded_at: now,
            claims,
            scope: change.resource.kind.scope(),
        })
    }
}
