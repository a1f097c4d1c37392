//! Compares the clock of this machine with that of the database's server, which all nodes share.

use jiff::{SignedDuration, Timestamp};
use lombard_database::Database;
use lombard_ports::clock::{Clock, SystemClock};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

const SKEW: &str = "lombard_clock_skew_seconds";
const ANSWERS: &str = "lombard_database_answers";

/// The difference from which a warning is logged.
const WARNED_FROM: SignedDuration = SignedDuration::from_secs(2);

/// The time limit of a comparison. A slower answer says nothing about the clocks.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);

/// The skew of this machine's clock, as it was found last. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct NodeClock {
    database: Database,
    skew_max: SignedDuration,
    /// In microseconds; positive if this machine's clock is ahead.
    skew: Arc<AtomicI64>,
}

impl NodeClock {
    /// A clock that is in step until it is compared.
    pub(super) fn new(database: Database, skew_max_secs: u64) -> Self {
        let skew_max = SignedDuration::from_secs(i64::try_from(skew_max_secs).unwrap_or(i64::MAX));
        Self { database, skew_max, skew: Arc::default() }
    }

    /// Whether the difference is larger than `clock.skew_max_secs`.
    pub(super) fn is_out_of_step(&self) -> bool {
        self.skew().abs() > self.skew_max
    }

    /// Compares the clocks and records the difference. A database that does not answer in time leaves it as it was.
    ///
    /// # Errors
    /// The database's failure.
    pub(super) async fn compare(&self) -> Result<(), StoreError> {
        // The system clock is read directly, because a test may give the server another clock.
        let before = SystemClock.now();
        let answer = timeout(ANSWERED_WITHIN, self.database.ping()).await;
        metrics::gauge!(ANSWERS).set(if matches!(answer, Ok(Ok(_))) { 1.0 } else { 0.0 });
        let Ok(answer) = answer else { return Ok(()) };
        let Some(theirs) = answer? else { return Ok(()) };
        self.record(find_skew(before, SystemClock.now(), theirs));
        Ok(())
    }

    /// Records the difference. The warning is logged once, until the clocks agree again.
    fn record(&self, skew: SignedDuration) {
        let was_warned = self.skew().abs() > WARNED_FROM;
        self.skew.store(i64::try_from(skew.as_micros()).unwrap_or(i64::MAX), Ordering::Relaxed);
        metrics::gauge!(SKEW).set(skew.as_secs_f64());
        if skew.abs() > WARNED_FROM && !was_warned {
            tracing::warn!(
                clock.skew_secs = skew.as_secs_f64(),
                "the clock of this machine differs from that of the database's server; correct it (NTP)"
            );
        }
    }

    fn skew(&self) -> SignedDuration {
        SignedDuration::from_micros(self.skew.load(Ordering::Relaxed))
    }
}

/// How far this machine's clock is ahead of a time that the server stated between these two moments: nothing, if the time lies
/// between them.
fn find_skew(before: Timestamp, after: Timestamp, theirs: Timestamp) -> SignedDuration {
    if theirs < before {
        before.duration_since(theirs)
    } else if after < theirs {
        after.duration_since(theirs)
    } else {
        SignedDuration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_database::StoreOptions;

    #[test]
    fn the_time_that_an_answer_took_is_no_skew() {
        let at = |millis: i64| Timestamp::from_millisecond(1_000_000 + millis).unwrap();
        let millis = SignedDuration::from_millis;
        for (theirs, skew) in [(-3_000, 3_000), (0, 0), (200, 0), (400, 0), (5_400, -5_000)] {
            assert_eq!(find_skew(at(0), at(400), at(theirs)), millis(skew), "{theirs}");
        }
    }

    #[tokio::test]
    async fn a_node_is_out_of_step_beyond_the_setting_in_either_direction() {
        let options = StoreOptions::new("sqlite::memory:");
        let database = Database::open(&options, &[]).await.unwrap();
        let clock = NodeClock::new(database, 10);
        clock.compare().await.unwrap();
        assert!(!clock.is_out_of_step(), "SQLite has no server");
        for (secs, expected) in [(10, false), (-10, false), (11, true), (-11, true), (0, false)] {
            clock.record(SignedDuration::from_secs(secs));
            assert_eq!(clock.is_out_of_step(), expected, "{secs}");
        }
    }
}
