//! Step 6: how often a client may call, by group of endpoints. Source: RW-112, EVT-014.

use crate::catalogue::Group;
use crate::error::ApiError;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;

/// Clients remembered until those that are within their rate are forgotten.
const CLIENTS_MAX: usize = 4096;

const MICROS_OF_A_SECOND: i64 = 1_000_000;

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Calls a second in the long run; at least one.
    pub per_second: u32,
    /// Calls at once after a rest; at least one.
    pub burst: u32,
}

/// Keeps clients within their rates; groups without a rate are free. Times are the wall clock's.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    rates: HashMap<Group, Rate>,
    /// When each client will have used up what it may call at once.
    spent: Mutex<HashMap<(Group, ClientId), Timestamp>>,
}

impl Throttle {
    pub(crate) fn new(rates: HashMap<Group, Rate>) -> Self {
        Self { rates, spent: Mutex::default() }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// [`ApiError::TooManyRequests`]; the call does not count then.
    pub(crate) fn pass(&self, group: Group, client: &ClientId, now: Timestamp) -> Result<(), ApiError> {
        let Some(rate) = self.rates.get(&group) else { return Ok(()) };
        let each = SignedDuration::from_micros(MICROS_OF_A_SECOND / i64::from(rate.per_second.max(1)));
        let ahead_max = each * i32::try_from(rate.burst.saturating_sub(1)).unwrap_or(i32::MAX);
        let mut spent = self.spent.lock();
        if spent.len() >= CLIENTS_MAX {
            spent.retain(|_, until| *until > now);
        }
        let until = spent.entry((group, client.clone())).or_insert(now);
        let from = (*until).max(now);
        let ahead = from.duration_since(now);
        if ahead > ahead_max {
            let wait = ahead - ahead_max;
            // Whole seconds, and never too early.
            let retry_after_secs = wait.as_secs() + i64::from(wait.subsec_nanos() > 0);
            return Err(ApiError::TooManyRequests { retry_after_secs });
        }
        *until = from.saturating_add(each).unwrap_or(Timestamp::MAX);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(per_second: u32, burst: u32) -> Throttle {
        Throttle::new(HashMap::from([(Group::Events, Rate { per_second, burst })]))
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_767_225_600_000 + millis).unwrap()
    }

    fn passes(throttle: &Throttle, client: &str, millis: i64) -> bool {
        throttle.pass(Group::Events, &client.into(), at(millis)).is_ok()
    }

    #[test]
    fn evt_014_a_burst_and_then_the_rate() {
        let it = throttle(10, 3);
        let passed: Vec<_> = (0..5).map(|_| passes(&it, "t", 0)).collect();
        assert_eq!(passed, [true, true, true, false, false]);
        assert!(passes(&it, "rival", 0), "each client has its own");
        assert!(!passes(&it, "t", 99));
        assert!(passes(&it, "t", 100) && !passes(&it, "t", 100));
        let rested: Vec<_> = (0..4).map(|_| passes(&it, "t", 60_000)).collect();
        assert_eq!(rested, [true, true, true, false], "a rest earns a burst and no more");
    }

    #[test]
    fn rw_112_who_is_too_fast_learns_when_to_come_again() {
        let it = throttle(1, 1);
        assert!(passes(&it, "t", 0));
        for (millis, secs) in [(0, 1), (1, 1), (999, 1)] {
            let refused = it.pass(Group::Events, &"t".into(), at(millis));
            assert!(matches!(refused, Err(ApiError::TooManyRequests { retry_after_secs }) if retry_after_secs == secs));
        }
        assert!(passes(&it, "t", 1_000));
        assert!(it.pass(Group::Payments, &"t".into(), at(1_000)).is_ok(), "groups without a rate are free");
    }

    #[test]
    fn clients_that_rest_are_forgotten() {
        let it = throttle(10, 3);
        for number in 0..CLIENTS_MAX {
            assert!(passes(&it, &number.to_string(), 0));
        }
        assert!(passes(&it, "t", 10_000));
        assert_eq!(it.spent.lock().len(), 1);
    }
}
