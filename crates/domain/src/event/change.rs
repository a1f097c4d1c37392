//! Changes of resources, as use-cases report them.

use super::{ChangeKind, EventResource};
use crate::ids::{ClientId, FapiInteractionId};

/// A change of a resource, as the use-case reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceChange {
    /// The client that created the resource, or the consent above it. Source: EVT-058.
    pub client: ClientId,
    /// The resource that changed.
    pub resource: EventResource,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The interaction id of the request that caused the change, if it is not the current one: an update by the bank is
    /// caused by the request that created the order. Source: SET-016.
    pub interaction_id: Option<FapiInteractionId>,
}
