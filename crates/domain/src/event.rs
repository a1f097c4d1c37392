//! Events in a TPP's queue, as claims; signing and delivery come elsewhere (D9).

use crate::ids::{ClientId, EventId, FapiInteractionId};
use jiff::Timestamp;

/// An event to be offered to one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its `jti`.
    pub id: EventId,
    /// Whose queue it is in.
    pub client: ClientId,
    /// The request that caused it (`txn`).
    pub cause: FapiInteractionId,
    /// When it happened (wall clock).
    pub occurred_at: Timestamp,
    /// The claims of the SET, as a JSON document.
    pub claims: String,
}
