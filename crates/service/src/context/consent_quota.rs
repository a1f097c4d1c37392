//! Limits the number of a client's consents that no customer has decided on. Source: RW-279.
//!
//! Undecided consents are all that a client makes without a customer. Only those of the last day count: customers abandon
//! journeys, and what they abandon must not add up over the years of a large client.
//!
//! They are counted in storage, by an index, and not for each request: a client that was far below its quota makes half of what it
//! had left before it is counted again, so that two nodes together stay within the quota.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How long an undecided consent counts (bank clock).
pub(crate) const COUNTED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// After how many seconds a client that has reached its quota may try again, and is counted again (wall clock).
pub(crate) const RETRY_SECS: i64 = 10;

/// The quota that is in force unless another is set.
pub const OPEN_CONSENTS_MAX: u32 = 100_000;

/// The quota of undecided consents of each client, and what this node knows of its use. Cloning shares it.
#[derive(Debug, Clone)]
pub struct ConsentQuota {
    max: u32,
    known: Arc<Mutex<HashMap<ClientId, KnownUse>>>,
}

/// What is known of a client since it was counted.
#[derive(Debug, Clone, Copy)]
enum KnownUse {
    /// It may make so many more before it is counted again.
    Below(u32),
    /// It had reached its quota, and is not counted again until then.
    ReachedUntil(Timestamp),
}

impl ConsentQuota {
    /// At most so many for each client.
    pub fn new(max: u32) -> Self {
        Self { max, known: Arc::default() }
    }

    /// Most undecided consents of a client.
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// What is known without counting: whether one more may be made; `None` if the client must be counted.
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

    /// Keeps what was counted, and judges by it whether one more may be made.
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
