//! The outbox of events. The events issue fills in delivery; appending is already part of every transaction.

use super::StoreError;
use lombard_domain::event::Event;
use lombard_domain::ids::ClientId;

/// Events in storage.
pub trait EventQueue {
    /// Appends an event to its client's queue.
    ///
    /// # Errors
    /// [`StoreError`].
    fn event_append(&mut self, event: &Event) -> Result<(), StoreError>;

    /// A client's events, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn events(&mut self, client: &ClientId, limit: u32) -> Result<Vec<Event>, StoreError>;
}
