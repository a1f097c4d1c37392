//! The circuit breaker: after several failures in a row, calls fail at once for a while; then one call tries again.

use parking_lot::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// The settings of the circuit breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerSettings {
    /// The number of consecutive failures that opens the breaker; with 0 the breaker never opens.
    pub failures: u32,
    /// How long the breaker stays open before a trial call.
    pub open_for: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { failures: 8, open_for: Duration::from_secs(5) }
    }
}

/// The state of the breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakerState {
    /// Calls are made. Holds the number of consecutive failures.
    Closed(u32),
    /// Calls fail at once until this moment.
    Open(Instant),
    /// One trial call is made; other calls fail at once until this moment. The limit prevents that an unanswered trial call keeps the
    /// breaker in this state.
    HalfOpen(Instant),
}

/// The outcome of a call for the breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// The core answered, possibly with an error.
    Answered,
    /// The core did not answer, or answered that it is unavailable.
    Failed,
    /// The caller gave up before the deadline, which gives no information about the core.
    GivenUp,
}

/// The permission to make a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admission {
    /// For the trial call: until when other calls fail at once.
    trial_until: Option<Instant>,
}

/// The breaker of one core.
#[derive(Debug)]
pub(crate) struct Breaker {
    settings: BreakerSettings,
    state: Mutex<BreakerState>,
}

impl Breaker {
    pub(crate) const fn new(settings: BreakerSettings) -> Self {
        Self { settings, state: Mutex::new(BreakerState::Closed(0)) }
    }

    /// Admits a call, or returns when the next call may be made. The outcome of an admitted call must be recorded with
    /// [`record_outcome`](Self::record_outcome), even if the caller gives up.
    pub(crate) fn admit(&self, now: Instant) -> Result<Admission, Instant> {
        let mut state = self.state.lock();
        match *state {
            BreakerState::Closed(_) => Ok(Admission { trial_until: None }),
            BreakerState::Open(until) | BreakerState::HalfOpen(until) if now < until => Err(until),
            BreakerState::Open(_) | BreakerState::HalfOpen(_) => {
                let until = self.reopening(now);
                *state = BreakerState::HalfOpen(until);
                Ok(Admission { trial_until: Some(until) })
            }
        }
    }

    /// Records the outcome of a call. Returns the new state if the breaker has opened or closed.
    pub(crate) fn record_outcome(
        &self,
        admission: Admission,
        outcome: CallOutcome,
        now: Instant,
    ) -> Option<BreakerState> {
        let mut state = self.state.lock();
        let before = *state;
        *state = match (outcome, before) {
            // The next call becomes the trial call.
            (CallOutcome::GivenUp, BreakerState::HalfOpen(until)) if admission.trial_until == Some(until) => {
                BreakerState::Open(now)
            }
            (CallOutcome::GivenUp, before) => before,
            (CallOutcome::Answered, _) => BreakerState::Closed(0),
            (CallOutcome::Failed, BreakerState::Closed(failures)) => {
                let failures = failures.saturating_add(1);
                let opens = self.settings.failures > 0 && failures >= self.settings.failures;
                if opens { BreakerState::Open(self.reopening(now)) } else { BreakerState::Closed(failures) }
            }
            (CallOutcome::Failed, BreakerState::HalfOpen(_)) => BreakerState::Open(self.reopening(now)),
            // This call was made before the breaker opened.
            (CallOutcome::Failed, BreakerState::Open(until)) => BreakerState::Open(until),
        };
        let is_open = |state: BreakerState| !matches!(state, BreakerState::Closed(_));
        let has_failed_again = outcome == CallOutcome::Failed && matches!(before, BreakerState::HalfOpen(_));
        let changed = is_open(before) != is_open(*state) || has_failed_again;
        changed.then_some(*state)
    }

    /// When the trial call may be made; at once if that time exceeds the range of the clock.
    fn reopening(&self, now: Instant) -> Instant {
        now.checked_add(self.settings.open_for).unwrap_or(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN_FOR: Duration = Duration::from_secs(10);

    /// Makes instants, counted in seconds from a common start.
    fn moments() -> impl Fn(u64) -> Instant {
        let began = Instant::now();
        move |second| began.checked_add(Duration::from_secs(second)).unwrap()
    }

    #[test]
    fn failures_in_a_row_open_it_one_call_tries_again_and_an_answer_closes_it() {
        let at = moments();
        let breaker = Breaker::new(BreakerSettings { failures: 3, open_for: OPEN_FOR });
        let ordinary = breaker.admit(at(0)).unwrap();
        let failed = |second| breaker.record_outcome(ordinary, CallOutcome::Failed, at(second));
        assert_eq!((failed(0), failed(0)), (None, None));
        assert_eq!(breaker.record_outcome(ordinary, CallOutcome::Answered, at(0)), None, "not in a row");
        assert_eq!((failed(0), failed(0), failed(1)), (None, None, Some(BreakerState::Open(at(11)))));
        assert_eq!(breaker.admit(at(10)), Err(at(11)));
        let trial = breaker.admit(at(11)).expect("the one that tries");
        assert_eq!(breaker.admit(at(11)), Err(at(21)), "the others wait for it");
        assert_eq!(breaker.record_outcome(trial, CallOutcome::Failed, at(12)), Some(BreakerState::Open(at(22))));
        let unanswered = breaker.admit(at(22)).unwrap();
        let second = breaker.admit(at(32)).expect("the one that tried was never answered");
        assert_eq!(breaker.record_outcome(unanswered, CallOutcome::GivenUp, at(33)), None);
        assert_eq!(breaker.admit(at(33)), Err(at(42)), "another has taken its place");
        assert_eq!(breaker.record_outcome(second, CallOutcome::Answered, at(33)), Some(BreakerState::Closed(0)));
        assert!(breaker.admit(at(33)).is_ok());
    }

    #[test]
    fn an_abandoned_call_is_not_a_failure_and_admits_the_next_trial_call() {
        let at = moments();
        let breaker = Breaker::new(BreakerSettings { failures: 2, open_for: OPEN_FOR });
        let early = breaker.admit(at(0)).unwrap();
        for _ in 0..9 {
            assert_eq!(breaker.record_outcome(early, CallOutcome::GivenUp, at(0)), None);
        }
        assert_eq!(breaker.record_outcome(early, CallOutcome::Failed, at(0)), None);
        assert_eq!(breaker.record_outcome(early, CallOutcome::GivenUp, at(0)), None);
        assert_eq!(
            breaker.record_outcome(early, CallOutcome::Failed, at(0)),
            Some(BreakerState::Open(at(10))),
            "in a row"
        );
        let trial = breaker.admit(at(10)).unwrap();
        assert_eq!(breaker.record_outcome(early, CallOutcome::GivenUp, at(11)), None);
        assert_eq!(breaker.admit(at(11)), Err(at(20)), "it was not the one that tries");
        assert_eq!(breaker.record_outcome(trial, CallOutcome::GivenUp, at(12)), None);
        let next = breaker.admit(at(12)).expect("at once");
        assert_eq!(breaker.admit(at(12)), Err(at(22)), "one at a time");
        assert_eq!(breaker.record_outcome(next, CallOutcome::Answered, at(13)), Some(BreakerState::Closed(0)));
    }

    #[test]
    fn a_late_failure_does_not_extend_the_open_state_and_zero_never_opens_it() {
        let at = moments();
        let breaker = Breaker::new(BreakerSettings { failures: 1, open_for: OPEN_FOR });
        let early = breaker.admit(at(0)).unwrap();
        assert_eq!(breaker.record_outcome(early, CallOutcome::Failed, at(0)), Some(BreakerState::Open(at(10))));
        assert_eq!(breaker.record_outcome(early, CallOutcome::Failed, at(9)), None);
        assert!(breaker.admit(at(10)).is_ok());
        let never = Breaker::new(BreakerSettings { failures: 0, open_for: OPEN_FOR });
        let fails = |_| never.record_outcome(never.admit(at(0)).unwrap(), CallOutcome::Failed, at(0)).is_none();
        assert!((0..100).all(fails) && never.admit(at(0)).is_ok());
    }
}
