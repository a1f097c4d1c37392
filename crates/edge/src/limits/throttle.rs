//! Step 6 of request processing: limits how often a client may call, by group of endpoints. Source: RW-112, EVT-014.
//!
//! Every node counts for itself, in memory. The keys are authenticated clients, trusted client certificates, sessions, and networks with
//! connections, so that nobody can fill the memory with invented keys.

use crate::endpoint_facts::RateGroup;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use lombard_domain::network::Network;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;

/// The number of entries at which those within their rate are removed.
const CALLERS_MAX: usize = 4096;

const MICROS_OF_A_SECOND: i64 = 1_000_000;

/// The sustained rate and the burst of a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// The sustained calls per second; at least one.
    pub per_second: u32,
    /// The most calls at once after a pause; at least one.
    pub burst: u32,
}

/// The caller that a rate limit counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RateLimitKey {
    /// An authenticated client.
    Client(ClientId),
    /// The holder of a client certificate, by its thumbprint; failed authentications count against it.
    Certificate(Digest),
    /// A session of a developer at the portal, by the digest of its secret.
    Session(Digest),
    /// All callers from a network.
    Network(Network),
}

impl From<IpAddr> for RateLimitKey {
    fn from(address: IpAddr) -> Self {
        Self::Network(Network::from_address(address))
    }
}

impl From<&ClientId> for RateLimitKey {
    fn from(client: &ClientId) -> Self {
        Self::Client(client.clone())
    }
}

/// The error for an exceeded rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateExceeded {
    /// Seconds after which a call will be within the rate.
    pub retry_after_secs: i64,
}

/// The remaining calls of a caller under a rate limit. Source: RW-061.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemainingCalls {
    /// The most calls at once after a pause.
    pub quota: u32,
    /// The seconds after which the whole quota is available again once it is used up.
    pub window_secs: i64,
    /// The calls that are within the rate now.
    pub remaining: i64,
    /// The seconds until the whole quota is available again.
    pub reset_secs: i64,
}

/// Enforces the rate limits of callers; groups without a rate are not limited. Times are of the wall clock.
#[derive(Debug, Default)]
pub struct RateLimiter {
    rates: HashMap<RateGroup, RateLimit>,
    spent: Mutex<HashMap<(RateGroup, RateLimitKey), RateUsage>>,
}

/// The part of a rate that a caller has used.
#[derive(Debug, Clone, Copy)]
struct RateUsage {
    /// When the used calls will be available again.
    until: Timestamp,
    /// The attempts that are being checked.
    open: u32,
}

impl RateLimiter {
    pub(crate) fn new(rates: HashMap<RateGroup, RateLimit>) -> Self {
        Self { rates, spent: Mutex::default() }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// [`RateExceeded`]; the call does not count then.
    pub fn count_call(
        &self,
        group: RateGroup,
        who: impl Into<RateLimitKey>,
        now: Timestamp,
    ) -> Result<(), RateExceeded> {
        self.spend(1, group, who, now, 0)
    }

    /// Counts more calls for an admitted one that turned out to be large. This may exceed the caller's rate by far, in which case the
    /// caller must wait longer.
    ///
    /// # Errors
    /// [`RateExceeded`] if other calls have used up the rate meanwhile; these calls do not count then.
    pub fn count_further_calls(
        &self,
        calls: u32,
        group: RateGroup,
        who: impl Into<RateLimitKey>,
        now: Timestamp,
    ) -> Result<(), RateExceeded> {
        if calls == 0 { Ok(()) } else { self.spend(calls, group, who, now, 1) }
    }

    /// Counts these calls if one more is within the rate, leaving the given number of admitted calls out of the check.
    fn spend(
        &self,
        calls: u32,
        group: RateGroup,
        who: impl Into<RateLimitKey>,
        now: Timestamp,
        passed: u32,
    ) -> Result<(), RateExceeded> {
        let Some(rate) = self.rates.get(&group) else { return Ok(()) };
        let mut spent = self.spent.lock();
        let caller = usage_entry(&mut spent, (group, who.into()), now);
        RateLimit { burst: rate.burst.saturating_add(passed), ..*rate }.admit(caller, now)?;
        caller.spend(*rate, calls, now);
        Ok(())
    }

    /// The remaining calls of a caller now; `None` for a group without a rate.
    pub fn remaining_calls(
        &self,
        group: RateGroup,
        who: impl Into<RateLimitKey>,
        now: Timestamp,
    ) -> Option<RemainingCalls> {
        let rate = *self.rates.get(&group)?;
        let used = self.spent.lock().get(&(group, who.into())).copied();
        Some(rate.standing(used.unwrap_or(RateUsage { until: now, open: 0 }), now))
    }

    /// Begins an attempt that counts only if it fails. It also counts while it is being checked, so that concurrent attempts cannot exceed
    /// the rate.
    ///
    /// # Errors
    /// [`RateExceeded`]; the attempt does not count then.
    pub fn attempt(
        &self,
        group: RateGroup,
        who: impl Into<RateLimitKey>,
        now: Timestamp,
    ) -> Result<Attempt<'_>, RateExceeded> {
        let Some(rate) = self.rates.get(&group) else { return Ok(Attempt(None)) };
        let key = (group, who.into());
        let mut spent = self.spent.lock();
        let caller = usage_entry(&mut spent, key.clone(), now);
        rate.admit(caller, now)?;
        caller.open = caller.open.saturating_add(1);
        Ok(Attempt(Some(OpenAttempt { limiter: self, rate: *rate, key, begun_at: now })))
    }

    fn end(&self, attempt: &OpenAttempt<'_>, has_failed: bool) {
        if let Some(caller) = self.spent.lock().get_mut(&attempt.key) {
            caller.open = caller.open.saturating_sub(1);
            if has_failed {
                caller.spend(attempt.rate, 1, attempt.begun_at);
            }
        }
    }
}

/// The entry of a caller, which is added if there is none.
fn usage_entry(
    spent: &mut HashMap<(RateGroup, RateLimitKey), RateUsage>,
    key: (RateGroup, RateLimitKey),
    now: Timestamp,
) -> &mut RateUsage {
    if spent.len() >= CALLERS_MAX {
        spent.retain(|_, caller| caller.until > now || caller.open > 0);
    }
    spent.entry(key).or_insert(RateUsage { until: now, open: 0 })
}

impl RateUsage {
    fn spend(&mut self, rate: RateLimit, calls: u32, now: Timestamp) {
        let cost = rate.each().saturating_mul(i32::try_from(calls).unwrap_or(i32::MAX));
        self.until = self.until.max(now).saturating_add(cost).unwrap_or(Timestamp::MAX);
    }
}

/// An attempt that is being checked. An attempt that is dropped, for example because its caller left, counts as failed.
#[must_use]
#[derive(Debug, Default)]
pub struct Attempt<'a>(Option<OpenAttempt<'a>>);

#[derive(Debug)]
struct OpenAttempt<'a> {
    limiter: &'a RateLimiter,
    rate: RateLimit,
    key: (RateGroup, RateLimitKey),
    begun_at: Timestamp,
}

impl Attempt<'_> {
    /// Removes the attempt from the count, because it succeeded or could not be checked.
    pub fn uncount(mut self) {
        if let Some(open) = self.0.take() {
            open.limiter.end(&open, false);
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if let Some(open) = self.0.take() {
            open.limiter.end(&open, true);
        }
    }
}

impl RateLimit {
    /// The time in which one call becomes available again.
    fn each(self) -> SignedDuration {
        SignedDuration::from_micros(MICROS_OF_A_SECOND / i64::from(self.per_second.max(1)))
    }

    /// The time in which this many calls become available again.
    fn several(self, calls: u32) -> SignedDuration {
        self.each().saturating_mul(i32::try_from(calls).unwrap_or(i32::MAX))
    }

    /// The seconds in which the calls of a burst become available again.
    pub fn window_secs(self) -> i64 {
        whole_secs(self.several(self.burst))
    }

    /// The time by which the usage of a caller is ahead of the present.
    fn ahead(self, spent: &RateUsage, now: Timestamp) -> SignedDuration {
        spent.until.max(now).duration_since(now).saturating_add(self.several(spent.open))
    }

    /// Checks that one more call is within the rate for this usage.
    fn admit(self, spent: &RateUsage, now: Timestamp) -> Result<(), RateExceeded> {
        let ahead_max = self.several(self.burst.saturating_sub(1));
        let ahead = self.ahead(spent, now);
        if ahead <= ahead_max {
            return Ok(());
        }
        Err(RateExceeded { retry_after_secs: whole_secs(ahead - ahead_max) })
    }

    /// The remaining calls of a caller with this usage.
    fn standing(self, spent: RateUsage, now: Timestamp) -> RemainingCalls {
        let ahead = self.ahead(&spent, now);
        let whole = self.several(self.burst);
        let left = whole.saturating_sub(ahead).max(SignedDuration::ZERO);
        let each = self.each().as_micros().max(1);
        RemainingCalls {
            quota: self.burst,
            window_secs: self.window_secs(),
            remaining: i64::try_from(left.as_micros() / each).unwrap_or(i64::MAX),
            reset_secs: whole_secs(ahead),
        }
    }
}

/// Whole seconds, rounded up so that a retry is never too early.
fn whole_secs(time: SignedDuration) -> i64 {
    time.as_secs().saturating_add(i64::from(time.subsec_nanos() > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter::new(HashMap::from([(RateGroup::Events, RateLimit { per_second, burst })]))
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_767_225_600_000 + millis).unwrap()
    }

    fn passes(throttle: &RateLimiter, client: &str, millis: i64) -> bool {
        throttle.count_call(RateGroup::Events, &ClientId::from(client), at(millis)).is_ok()
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
    fn rw_061_how_a_client_stands_with_its_rate() {
        let it = throttle(10, 30);
        let standing = |millis| it.remaining_calls(RateGroup::Events, &ClientId::from("t"), at(millis));
        let at_rest = RemainingCalls { quota: 30, window_secs: 3, remaining: 30, reset_secs: 0 };
        assert_eq!(standing(0), Some(at_rest), "a client that has not called yet");
        assert!((0..10).all(|_| passes(&it, "t", 0)));
        assert_eq!(standing(0), Some(RemainingCalls { remaining: 20, reset_secs: 1, ..at_rest }));
        assert_eq!(standing(450), Some(RemainingCalls { remaining: 24, reset_secs: 1, ..at_rest }));
        assert_eq!(standing(1_000), Some(at_rest));
        assert!((0..30).all(|_| passes(&it, "t", 2_000)));
        assert_eq!(standing(2_000), Some(RemainingCalls { remaining: 0, reset_secs: 3, ..at_rest }));
        assert_eq!(it.remaining_calls(RateGroup::Payments, &ClientId::from("t"), at(0)), None, "no rate, no headers");
    }

    #[test]
    fn rw_112_who_is_too_fast_learns_when_to_come_again() {
        let it = throttle(1, 1);
        assert!(passes(&it, "t", 0));
        for (millis, secs) in [(0, 1), (1, 1), (999, 1)] {
            let refused = Err(RateExceeded { retry_after_secs: secs });
            assert_eq!(it.attempt(RateGroup::Events, &ClientId::from("t"), at(millis)).map(Attempt::uncount), refused);
            assert_eq!(it.count_call(RateGroup::Events, &ClientId::from("t"), at(millis)), refused);
        }
        assert!(passes(&it, "t", 1_000));
        assert!(
            it.count_call(RateGroup::Payments, &ClientId::from("t"), at(1_000)).is_ok(),
            "groups without a rate are free"
        );
    }

    #[test]
    fn rw_112_what_is_right_counts_nothing_and_a_certificate_is_not_a_client() {
        let it = throttle(1, 1);
        let holder = || RateLimitKey::Certificate(Digest([1; 32]));
        for _ in 0..9 {
            assert_eq!(it.attempt(RateGroup::Events, holder(), at(0)).map(Attempt::uncount), Ok(()));
        }
        assert_eq!(it.count_call(RateGroup::Events, holder(), at(0)), Ok(()));
        assert!(it.attempt(RateGroup::Events, holder(), at(0)).is_err());
        assert_eq!(it.count_call(RateGroup::Events, RateLimitKey::Certificate(Digest([2; 32])), at(0)), Ok(()));
        assert!(passes(&it, "t", 0));
    }

    #[test]
    fn rw_112_attempts_at_the_same_time_count_before_they_are_judged() {
        let it = throttle(1, 3);
        let attempt = |millis| it.attempt(RateGroup::Events, &ClientId::from("t"), at(millis));
        let mut open: Vec<_> = (0..3).map(|_| attempt(0).unwrap()).collect();
        assert_eq!(attempt(0).map(Attempt::uncount), Err(RateExceeded { retry_after_secs: 1 }));
        open.pop().unwrap().uncount();
        assert_eq!(attempt(0).map(Attempt::uncount), Ok(()), "what was right is given back");
        drop(open);
        attempt(0).map(drop).unwrap();
        assert!(attempt(0).is_err(), "three have failed");
        assert!(attempt(999).is_err());
        assert_eq!(attempt(1_000).map(Attempt::uncount), Ok(()));
    }

    #[test]
    fn evt_014_a_large_call_is_waited_for_and_large_calls_at_once_are_refused() {
        let it = throttle(10, 1);
        let who = ClientId::from("t");
        assert!(passes(&it, "t", 0));
        assert_eq!(it.count_further_calls(0, RateGroup::Events, &who, at(0)), Ok(()));
        assert_eq!(it.count_further_calls(19, RateGroup::Events, &who, at(0)), Ok(()));
        assert_eq!(
            it.count_further_calls(19, RateGroup::Events, &who, at(0)),
            Err(RateExceeded { retry_after_secs: 2 })
        );
        assert!(!passes(&it, "t", 1_999) && passes(&it, "t", 2_000));
    }

    #[test]
    fn a_subscriber_is_an_ipv4_address_or_the_first_half_of_an_ipv6_address() {
        let of = |address: &str| RateLimitKey::from(address.parse::<IpAddr>().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
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
