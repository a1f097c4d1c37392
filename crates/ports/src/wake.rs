//! Waking those who wait for events, on this node and the others.
//!
//! Storage says that a client's queue has got longer, after the commit that made it so. It is a hint: it may come twice,
//! late or never, and carries no event. The queue is the truth.

use lombard_domain::ids::ClientId;
use std::fmt;

/// Receives wake-ups for queues that have grown. Must not block: storage calls it between commits.
pub trait Wake: Send + Sync + fmt::Debug {
    /// Events were added to this client's queue, on this node or another.
    fn wake_client(&self, client: &ClientId);

    /// Wakes every waiter, because notifications may have been lost.
    fn wake_all(&self);

    /// Whether wake-ups of other nodes are received. While they are not, held polls query periodically.
    fn receives_remote_wakes(&self, hears: bool);
}
