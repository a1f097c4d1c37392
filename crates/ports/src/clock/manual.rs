//! A clock for tests.

use super::Clock;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that changes only by [`ManualClock::advance`].
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock with this time.
    pub fn starting_at(time: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(instant::to_micros(time))))
    }

    /// Moves the clock forward, or back by a negative duration.
    pub fn advance(&self, by: SignedDuration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        instant::from_micros(self.0.load(Ordering::SeqCst)).unwrap_or(instant::LAST)
    }
}
