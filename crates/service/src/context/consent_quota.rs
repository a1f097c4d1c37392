//! Limits the number of a client's consents that no customer has decided on. Source: RW-279.
//!
//! Undecided consents are the only rows that a client creates without a customer. Only those of the last day count, because
//! customers abandon journeys, and abandoned consents of a large client must not add up over the years.
//!
//! The consents are counted in storage, by an index, but not at each request. After a count, a client may create half of its
//! remaining quota before the next count, so that two nodes together stay within the quota.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How long an undecided consent counts (bank clock).
pub(crate) const COUNTED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// The number of seconds after which a client that has reached its quota may retry and is counted again (wall clock).
pub(crate) const RETRY_SECS: i64 = 10;

/// The default quota.
pub const OPEN_CONSENTS_MAX: u32 = 100_000;

/// The quota of undecided consents of each client, with this node's knowledge of its use. Clones share it.
#[derive(Debug, Clone)]
pub struct ConsentQuota {
    max: u32,
    known: Arc<Mutex<HashMap<ClientId, KnownUse>>>,
}

/// The knowledge about a client since its last count.
#[derive(Debug, Clone, Copy)]
enum KnownUse {
    /// The client may create this number of consents before the next count.
    Below(u32),
    /// The client had reached its quota. It is not counted again before this time.
    ReachedUntil(Timestamp),
}

impl ConsentQuota {
    /// A quota of this many undecided consents for each client.
    pub fn new(max: u32) -> Self {
        Self { max, known: Arc::default() }
    }

    /// The largest number of undecided consents of a client.
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// Decides without a count whether one more consent may be created; `None` if the client must be counted.
    pub(crate) fn judge_known(&self, client: &ClientId, now: Timestamp) -> Option<bool> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_mut(client)? {
            KnownUse::Below(left) => left.checked_sub(1).map(|less| {
                *left = less;
                true
            }),
            KnownUse::ReachedUntil(until) => (now < *until).then_some(false),
        }
    }

    /// Stores a count, and decides by it whether one more consent may be created.
    pub(crate) fn judge_counted(&self, client: &ClientId, counted: u32, now: Timestamp) -> bool {
        let left = self.max.saturating_sub(counted);
        let found = if left == 0 {
            KnownUse::ReachedUntil(now.saturating_add(SignedDuration::from_secs(RETRY_SECS)).unwrap_or(Timestamp::MAX))
        } else {
            KnownUse::Below((left / 2).saturating_sub(1))
        };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(client.clone(), found);
        left > 0
    }
}

impl Default for ConsentQuota {
    fn default() -> Self {
        Self::new(OPEN_CONSENTS_MAX)
    }
}
