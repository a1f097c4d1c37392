//! Step 6: how often a client may call, by group of endpoints. Source: RW-112, EVT-014.
//!
//! Every node counts for itself and in memory. Those it counts are clients that have proved who they are, and client
//! certificates that the listener trusts, so that nobody can fill the memory with names of their own making.

use crate::catalogue::RateGroup;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;

/// Callers remembered until those that are within their rate are forgotten.
const CALLERS_MAX: usize = 4096;

const MICROS_OF_A_SECOND: i64 = 1_000_000;

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Calls a second in the long run; at least one.
    pub per_second: u32,
    /// Calls at once after a rest; at least one.
    pub burst: u32,
}

/// Who is kept within a rate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Limited {
    /// A client that has proved who it is.
    Client(ClientId),
    /// Whoever holds this client certificate, by its thumbprint: failures to prove who one is count against it.
    Certificate(Digest),
}

impl From<&ClientId> for Limited {
    fn from(client: &ClientId) -> Self {
        Self::Client(client.clone())
    }
}

/// A rate is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateExceeded {
    /// After how many seconds a call will be within the rate.
    pub(crate) retry_after_secs: i64,
}

/// Keeps callers within their rates; groups without a rate are free. Times are the wall clock's.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    rates: HashMap<RateGroup, Rate>,
    /// When each caller will have used up what it may call at once.
    spent: Mutex<HashMap<(RateGroup, Limited), Timestamp>>,
}

impl RateLimiter {
    pub(crate) fn new(rates: HashMap<RateGroup, Rate>) -> Self {
        Self { rates, spent: Mutex::default() }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// [`RateExceeded`]; the call does not count then.
    pub(crate) fn pass(&self, group: RateGroup, who: impl Into<Limited>, now: Timestamp) -> Result<(), RateExceeded> {
        let Some(rate) = self.rates.get(&group) else { return Ok(()) };
        let mut spent = self.spent.lock();
        if spent.len() >= CALLERS_MAX {
            spent.retain(|_, until| *until > now);
        }
        let until = spent.entry((group, who.into())).or_insert(now);
        rate.admit(*until, now)?;
        *until = (*until).max(now).saturating_add(rate.each()).unwrap_or(Timestamp::MAX);
        Ok(())
    }

    /// Whether a call would pass now; counts nothing.
    ///
    /// # Errors
    /// [`RateExceeded`].
    pub(crate) fn check(&self, group: RateGroup, who: impl Into<Limited>, now: Timestamp) -> Result<(), RateExceeded> {
        let Some(rate) = self.rates.get(&group) else { return Ok(()) };
        match self.spent.lock().get(&(group, who.into())) {
            Some(until) => rate.admit(*until, now),
            None => Ok(()),
        }
    }
}

impl Rate {
    /// What one call takes of the time.
    fn each(self) -> SignedDuration {
        SignedDuration::from_micros(MICROS_OF_A_SECOND / i64::from(self.per_second.max(1)))
    }

    /// Whether one more call is within the rate for a caller who has used up what comes before `until`.
    fn admit(self, until: Timestamp, now: Timestamp) -> Result<(), RateExceeded> {
        let ahead_max = self.each() * i32::try_from(self.burst.saturating_sub(1)).unwrap_or(i32::MAX);
        let ahead = until.max(now).duration_since(now);
        if ahead <= ahead_max {
            return Ok(());
        }
        let wait = ahead - ahead_max;
        // Whole seconds, and never too early.
        Err(RateExceeded { retry_after_secs: wait.as_secs() + i64::from(wait.subsec_nanos() > 0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter::new(HashMap::from([(RateGroup::Events, Rate { per_second, burst })]))
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_767_225_600_000 + millis).unwrap()
    }

    fn passes(throttle: &RateLimiter, client: &str, millis: i64) -> bool {
        throttle.pass(RateGroup::Events, &ClientId::from(client), at(millis)).is_ok()
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
            let refused = Err(RateExceeded { retry_after_secs: secs });
            assert_eq!(it.check(RateGroup::Events, &ClientId::from("t"), at(millis)), refused);
            assert_eq!(it.pass(RateGroup::Events, &ClientId::from("t"), at(millis)), refused);
        }
        assert!(passes(&it, "t", 1_000));
        assert!(
            it.pass(RateGroup::Payments, &ClientId::from("t"), at(1_000)).is_ok(),
            "groups without a rate are free"
        );
    }

    #[test]
    fn rw_112_looking_counts_nothing_and_a_certificate_is_not_a_client() {
        let it = throttle(1, 1);
        let holder = || Limited::Certificate(Digest([1; 32]));
        for _ in 0..9 {
            assert_eq!(it.check(RateGroup::Events, holder(), at(0)), Ok(()));
        }
        assert_eq!(it.pass(RateGroup::Events, holder(), at(0)), Ok(()));
        assert!(it.check(RateGroup::Events, holder(), at(0)).is_err());
        assert_eq!(it.pass(RateGroup::Events, Limited::Certificate(Digest([2; 32])), at(0)), Ok(()));
        assert!(passes(&it, "t", 0));
    }

    #[test]
    fn clients_that_rest_are_forgotten() {
        let it = throttle(10, 3);
        for number in 0..CALLERS_MAX {
            assert!(passes(&it, &number.to_string(), 0));
        }
        assert!(passes(&it, "t", 10_000));
        assert_eq!(it.spent.lock().len(), 1);
    }
}
