//! What a use-case reports.

use super::{ChangeKind, EventResource};
use crate::ids::{ClientId, FapiInteractionId};

/// A change of a resource, as the use-case reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceChange {
    /// Whose resource it is: the client that made it, or the consent above it. Source: EVT-058.
    pub client: ClientId,
    /// What it happened to.
    pub resource: EventResource,
    /// What happened.
    pub kind: ChangeKind,
    /// The call that caused it, if that is another one than the call it happens in: what the bank does to an order later was
    /// caused by the call that made the order. Source: SET-016.
    pub cause: Option<FapiInteractionId>,
}
