//! How often somebody may guess, over all journeys, sessions and nodes. Source: AS-143.
//!
//! An attempt counts before it is judged, so that guesses made at once count each, and is taken off again when it was
//! right. Unknown users count as known ones do. Only digests of names and addresses are kept.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_ports::store::{AttemptStore, StoreError};
use std::net::IpAddr;

/// How far back failures count.
const WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// Failures of one user that stop further attempts.
const USER_FAILURES_MAX: usize = 5;

/// Failures from one address that stop further attempts.
const ADDRESS_FAILURES_MAX: usize = 20;

/// Too many failures: nobody is let try before this instant (wall clock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throttled {
    /// When the next attempt is judged again.
    pub until: Timestamp,
}

/// Against whom an attempt counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guess {
    user: Digest,
    address: Digest,
}

impl Guess {
    /// An attempt to be this user, from this address.
    pub(crate) fn new(user: &str, from: IpAddr) -> Self {
        let named = |kind: &str, name: &str| lombard_jose::sha256(format!("{kind}\n{name}").as_bytes());
        Self { user: named("user", &user.trim().to_lowercase()), address: named("address", &network(from)) }
    }

    /// Counts the attempt, unless there were too many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn count_in<S: AttemptStore + ?Sized>(
        &self,
        store: &mut S,
        now: Timestamp,
    ) -> Result<Result<(), Throttled>, StoreError> {
        let mut counted = Vec::new();
        for (subject, most) in [(&self.user, USER_FAILURES_MAX), (&self.address, ADDRESS_FAILURES_MAX)] {
            let mut made = recent(store.attempts_for_update(subject)?, now);
            if let Some(until) = blocked_until(&made, most) {
                return Ok(Err(Throttled { until }));
            }
            made.push(now);
            counted.push((subject, made));
        }
        for (subject, made) in counted {
            store.attempts_update(subject, &made, end_of(now))?;
        }
        Ok(Ok(()))
    }

    /// Takes off an attempt that was counted at this instant: it was right, or could not be judged.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn forgive_in<S: AttemptStore + ?Sized>(
        &self,
        store: &mut S,
        counted_at: Timestamp,
    ) -> Result<(), StoreError> {
        for subject in [&self.user, &self.address] {
            let mut made = store.attempts_for_update(subject)?;
            if let Some(position) = made.iter().position(|at| *at == counted_at) {
                made.remove(position);
            }
            store.attempts_update(subject, &made, end_of(counted_at))?;
        }
        Ok(())
    }
}

/// Whoever has an IPv6 network has all its addresses: they count as one.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

fn end_of(attempt: Timestamp) -> Timestamp {
    attempt.checked_add(WINDOW).unwrap_or(Timestamp::MAX)
}

fn recent(mut made: Vec<Timestamp>, now: Timestamp) -> Vec<Timestamp> {
    made.retain(|at| now < end_of(*at));
    made.sort_unstable();
    made
}

/// When enough of these attempts will have been forgotten, if there are too many.
fn blocked_until(made: &[Timestamp], most: usize) -> Option<Timestamp> {
    let deciding = made.len().checked_sub(most)?;
    made.get(deciding).map(|at| end_of(*at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ports::store::Store;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn from(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    async fn count(store: &Store, user: &str, from: IpAddr, second: i64) -> Result<(), Throttled> {
        let guess = Guess::new(user, from);
        store.write::<_, StoreError, _>(move |tx| guess.count_in(tx, at(second))).await.unwrap()
    }

    async fn forgive(store: &Store, user: &str, from: IpAddr, second: i64) {
        let guess = Guess::new(user, from);
        store.write::<_, StoreError, _>(move |tx| guess.forgive_in(tx, at(second))).await.unwrap();
    }

    #[tokio::test]
    async fn as_143_five_failures_of_a_user_stop_the_sixth_from_anywhere_for_ten_minutes() {
        let store = lombard_store::open_temporary().await.unwrap();
        for second in 0..5 {
            assert_eq!(count(&store, "amelia", from(1), second).await, Ok(()));
        }
        let stopped = Err(Throttled { until: at(600) });
        assert_eq!(count(&store, "amelia", from(1), 5).await, stopped);
        assert_eq!(count(&store, " Amelia", from(2), 599).await, stopped, "wherever, and however it is written");
        assert_eq!(count(&store, "bashir", from(2), 5).await, Ok(()));
        assert_eq!(count(&store, "amelia", from(1), 600).await, Ok(()), "what was stopped did not count");
        assert_eq!(count(&store, "amelia", from(1), 600).await, Err(Throttled { until: at(601) }));
    }

    #[tokio::test]
    async fn as_143_twenty_failures_from_an_address_stop_it_whoever_it_tries_to_be() {
        let store = lombard_store::open_temporary().await.unwrap();
        for number in 0..20 {
            assert_eq!(count(&store, &format!("user-{number}"), from(1), number).await, Ok(()));
        }
        assert_eq!(count(&store, "somebody", from(1), 30).await, Err(Throttled { until: at(600) }));
        assert_eq!(count(&store, "somebody", from(2), 30).await, Ok(()));
    }

    #[tokio::test]
    async fn as_143_what_was_right_does_not_count() {
        let store = lombard_store::open_temporary().await.unwrap();
        for second in 0..50 {
            assert_eq!(count(&store, "amelia", from(1), second).await, Ok(()));
            forgive(&store, "amelia", from(1), second).await;
        }
    }

    #[test]
    fn as_143_an_ipv6_network_is_one_address() {
        let guess = |address: &str| Guess::new("amelia", address.parse().unwrap());
        assert_eq!(guess("2001:db8:1:2::1"), guess("2001:db8:1:2:ffff::9"));
        assert_ne!(guess("2001:db8:1:2::1"), guess("2001:db8:1:3::1"));
        assert_eq!(guess("::ffff:192.0.2.1"), guess("192.0.2.1"));
        assert_ne!(guess("192.0.2.1"), guess("192.0.2.2"));
    }
}
