//! Retries of contended transactions: the number of attempts and the pauses between them.

use crate::metrics::EngineMetrics;
use lombard_ports::store::StoreError;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The largest number of attempts. After that the caller gets [`StoreError::Contended`].
const ATTEMPTS: u32 = 12;

/// The longest pause after the first attempt. The pause doubles with every further attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(200);

/// Spreads the pauses of competing transactions, on all nodes.
#[derive(Debug, Default)]
pub(crate) struct RetryPauses {
    // The entropy port is not needed, because jitter affects only the length of pauses.
    jitter: RandomState,
}

impl RetryPauses {
    /// Repeats the attempt while it fails with [`StoreError::Contended`], up to the limit.
    pub(crate) fn run<T>(
        &self,
        meters: &EngineMetrics,
        pause: impl Fn(Duration),
        mut attempt: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        for number in 1..ATTEMPTS {
            match attempt() {
                Err(StoreError::Contended) => {
                    meters.retried();
                    pause(self.pause_after(number, &attempt));
                }
                settled => return settled,
            }
        }
        attempt()
    }

    /// A pause between half and all of the current maximum.
    fn pause_after<T>(&self, number: u32, whose: *const T) -> Duration {
        let whole = FIRST_PAUSE.saturating_mul(1 << number.min(16)).min(PAUSE_MAX) / 2;
        // The hash differs for each transaction (by address) and each attempt.
        let spread = self.jitter.hash_one((whose.addr(), number));
        let half = whole / 2;
        half + half.mul_f64(f64::from(u16::try_from(spread & 0xffff).unwrap_or(0)) / f64::from(u16::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn run(fail: u32) -> (Result<u32, StoreError>, Vec<Duration>) {
        let pauses = RefCell::new(Vec::new());
        let mut attempts = 0;
        let outcome = RetryPauses::default().run(
            &EngineMetrics::new("test"),
            |pause| pauses.borrow_mut().push(pause),
            || {
                attempts += 1;
                if attempts <= fail { Err(StoreError::Contended) } else { Ok(attempts) }
            },
        );
        (outcome, pauses.into_inner())
    }

    #[test]
    fn contention_is_tried_again_a_bounded_number_of_times() {
        assert!(matches!(run(0), (Ok(1), pauses) if pauses.is_empty()));
        assert!(matches!(run(3), (Ok(4), pauses) if pauses.len() == 3));
        assert!(matches!(run(ATTEMPTS - 1), (Ok(ATTEMPTS), _)));
        let (outcome, pauses) = run(ATTEMPTS);
        assert!(matches!(outcome, Err(StoreError::Contended)));
        assert!(pauses.iter().all(|pause| *pause <= PAUSE_MAX));
    }

    #[test]
    fn other_errors_are_not_tried_again() {
        let mut attempts = 0;
        let outcome: Result<(), _> = RetryPauses::default().run(
            &EngineMetrics::new("test"),
            |_| (),
            || {
                attempts += 1;
                Err(StoreError::Duplicate("consents"))
            },
        );
        assert!(matches!((outcome, attempts), (Err(StoreError::Duplicate("consents")), 1)));
    }
}
