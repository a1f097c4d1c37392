//! Waking those who wait for events, on this node and the others.
//!
//! Storage says that a client's queue has got longer, after the commit that made it so. It is a hint: it may come twice,
//! late or never, and carries no event. The queue is the truth.

use lombard_domain::ids::ClientId;
use std::fmt;

/// Hears that queues have got longer. Must be quick: storage calls it between commits.
pub trait Wake: Send + Sync + fmt::Debug {
    /// This client's queue has got longer, on whichever node.
    fn client(&self, client: &ClientId);

    /// Any queue may have got longer: something was missed.
    fn everyone(&self);

    /// Whether other nodes can be heard at present. While they cannot, who waits must look for itself, and often.
    fn receives_remote_wakes(&self, hears: bool);
}
