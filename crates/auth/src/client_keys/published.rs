//! A key set that is published at an address: the fetched keys, and when they were fetched.

use jiff::{SignedDuration, Timestamp};
use lombard_jose::KeySet;
use parking_lot::Mutex;
use std::sync::Arc;

/// How long fetched keys are used without another fetch. Source: AS-009.
pub(super) const CACHE_LIFETIME: SignedDuration = SignedDuration::from_hours(1);
/// How long fetched keys are used while further fetches fail. Source: AS-009.
const STALE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The least time between two fetches from one address. Source: AS-009.
const FETCH_INTERVAL_MIN: SignedDuration = SignedDuration::from_secs(60);
/// The age at which a worker fetches keys again, before any request has to wait for that.
pub(super) const REFRESH_AGE: SignedDuration = SignedDuration::from_mins(50);

/// A key set that is published at an address.
#[derive(Default)]
pub(super) struct PublishedKeySet {
    pub(super) state: Mutex<KeySetState>,
    /// Held during a fetch, so that only one fetch runs at a time.
    pub(super) fetching: tokio::sync::Mutex<()>,
}

#[derive(Clone, Default)]
pub(super) struct KeySetState {
    pub(super) keys: Option<Arc<KeySet>>,
    /// When the keys were fetched; for a set without keys, when it was first found empty.
    pub(super) fetched_at: Option<Timestamp>,
    /// When the last fetch was tried, with or without success.
    pub(super) tried_at: Option<Timestamp>,
    /// Whether the last fetch found nothing at the address.
    pub(super) is_gone: bool,
    /// Whether the stored key set was read.
    pub(super) is_loaded: bool,
}

impl PublishedKeySet {
    /// The answer from keys of at most this age, without a fetch; `None` if a fetch is needed.
    #[allow(clippy::option_option, reason = "no answer yet differs from the answer that there are no keys")]
    pub(super) fn answer(
        &self,
        kid: Option<&str>,
        age_max: SignedDuration,
        now: Timestamp,
    ) -> Option<Option<Arc<KeySet>>> {
        let state = self.state.lock().clone();
        let named = |keys: &Arc<KeySet>| kid.is_none_or(|kid| keys.candidates(Some(kid)).next().is_some());
        // For a set without keys, `fetched_at` is not the time of the last fetch.
        let asked_at = if state.has_none() { state.tried_at } else { state.fetched_at };
        let suffices = within(asked_at, age_max, now) && state.keys.as_ref().is_some_and(named);
        (suffices || within(state.tried_at, FETCH_INTERVAL_MIN, now)).then(|| state.usable(now))
    }
}

impl KeySetState {
    /// The last good keys, if they are not too old.
    pub(super) fn usable(&self, now: Timestamp) -> Option<Arc<KeySet>> {
        self.keys.clone().filter(|_| within(self.fetched_at, STALE_LIFETIME, now))
    }

    /// Stores fetched keys and returns the time that counts as their fetch. For a set that stays empty, this is the time when it was first
    /// found empty.
    pub(super) fn take(&mut self, keys: KeySet, now: Timestamp) -> Timestamp {
        let since = self.fetched_at.filter(|_| keys.is_empty() && self.has_none());
        let fetched_at = since.unwrap_or(now);
        (self.keys, self.fetched_at) = (Some(Arc::new(keys)), Some(fetched_at));
        fetched_at
    }

    /// Whether the software has been withdrawn: its directory has revoked keys of it and publishes no other key, or has published no key
    /// for a day. A shorter absence may be a mistake.
    pub(super) fn is_withdrawn(&self, now: Timestamp) -> bool {
        let is_revoked = self.has_none() && self.keys.as_ref().is_some_and(|keys| keys.has_revoked());
        is_revoked || ((self.is_gone || self.has_none()) && self.usable(now).is_none())
    }

    /// Whether the set that was fetched last has no keys.
    fn has_none(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.is_empty())
    }
}

fn within(then: Option<Timestamp>, span: SignedDuration, now: Timestamp) -> bool {
    then.is_some_and(|then| now.duration_since(then) < span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_009_an_address_without_keys_is_asked_no_more_often_than_others() {
        let at = |minutes: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let published = PublishedKeySet::default();
        {
            let mut state = published.state.lock();
            let none = || KeySet::parse(r#"{"keys":[]}"#).unwrap();
            assert_eq!(state.take(none(), at(0)), at(0));
            assert_eq!(state.take(none(), at(50)), at(0), "there have been none since the first time");
            state.tried_at = Some(at(50));
        }
        assert!(published.answer(None, REFRESH_AGE, at(60)).is_some());
        assert!(published.answer(None, REFRESH_AGE, at(101)).is_none());
        assert!(published.answer(Some("a"), REFRESH_AGE, at(52)).is_none(), "a key that is asked for is looked for");
    }
}
