//! Events: changes of a resource that its client is notified of. Signing and delivery are elsewhere.
//!
//! A use-case reports a [`ResourceChange`]. [`ResourceAddresses::claims`] makes the claims of its event, or none, by
//! the matrix of [`EventType`]s. An [`Event`] never changes once it is stored.

mod change;
mod claims;
mod matrix;
mod poll;

pub use change::ResourceChange;
pub use claims::{EventClaims, ResourceAddresses, VersionedLink};
pub use matrix::{AccountReason, ChangeKind, EventResource, EventType, ResourceType};
pub use poll::{EventErrorReport, EventPoll};

use crate::ids::{ClientId, EventId, FapiInteractionId};
use crate::scope::Scope;
use jiff::Timestamp;

/// An event in the queue of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its `jti`: ordered by time, never reused. Source: SET-013, EVT-087.
    pub id: EventId,
    /// The client whose queue it is in; the `aud`. Source: SET-014.
    pub client: ClientId,
    /// The `txn`: the interaction id of the cause, else the event's own id. Source: SET-016.
    pub interaction_id: FapiInteractionId,
    /// When the change happened (wall clock); the `toe`. Source: SET-012.
    pub occurred_at: Timestamp,
    /// When it was stored (wall clock); the `iat`, the same at every delivery.
    pub recorded_at: Timestamp,
    /// Its claims.
    pub claims: EventClaims,
    /// The scope with which the resource was created. Source: EVT-006.
    pub scope: Scope,
}
