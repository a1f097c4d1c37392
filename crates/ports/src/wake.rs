//! Wake-ups for waiting polls, on this node and others.
//!
//! Storage notifies after a commit that appended events to a client's queue. A wake-up is a hint without data: a wake-up may be
//! repeated, late or lost. The queue is authoritative.

use lombard_domain::ids::ClientId;
use std::fmt;

/// Receives wake-ups. Must not block: storage calls it between commits.
pub trait Wake: Send + Sync + fmt::Debug {
    /// Events were added to this client's queue, on this node or another.
    fn wake_client(&self, client: &ClientId);

    /// Wakes every waiter, because notifications may have been lost.
    fn wake_all(&self);

    /// Whether wake-ups of other nodes are received. While they are not received, held polls query the queue periodically.
    fn receives_remote_wakes(&self, receives: bool);
}
