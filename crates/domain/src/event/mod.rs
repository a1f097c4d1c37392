//! Events: what happened to a resource, told to the client it belongs to. Signing and delivery come elsewhere.
//!
//! [`ResourceChange`] is what a use-case says; [`ResourceAddresses::claims`] turns it into what the client is told, or into nothing, by the
//! matrix in [`EventType`]'s table. An [`Event`] never changes once it is stored.

mod change;
mod claims;
mod consents;
mod matrix;
mod poll;

pub use change::ResourceChange;
pub use claims::{EventClaims, ResourceAddresses, VersionedLink};
pub use matrix::{AccountReason, ChangeKind, EventResource, EventType, ResourceType};
pub use poll::{EventErrorReport, Poll};

use crate::ids::{ClientId, EventId, FapiInteractionId};
use crate::scope::Scope;
use jiff::Timestamp;

/// An event to be offered to one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its `jti`: ordered by time, never used again. Source: SET-013, EVT-087.
    pub id: EventId,
    /// Whose queue it is in; the `aud`. Source: SET-014.
    pub client: ClientId,
    /// The `txn`: what caused it, else its own id. Source: SET-016.
    pub cause: FapiInteractionId,
    /// When it happened (wall clock); the `toe`. Source: SET-012.
    pub occurred_at: Timestamp,
    /// When it was written down (wall clock); the `iat`, the same at every delivery.
    pub recorded_at: Timestamp,
    /// What it says.
    pub claims: EventClaims,
    /// The scope that the resource was made with. Source: EVT-006.
    pub scope: Scope,
}
