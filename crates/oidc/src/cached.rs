//! A cache of one document of the provider.

use crate::error::ProviderError;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use std::sync::Arc;

/// How long a document is used without another fetch.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// How long a document is used while further fetches fail.
const STALE: SignedDuration = SignedDuration::from_hours(24);
/// The shortest time between two fetches, so that requests that name unknown keys cannot cause more.
const REFETCH_INTERVAL_MIN: SignedDuration = SignedDuration::from_secs(60);
/// How long a failure is repeated without another fetch, if there is no usable document.
const FAILURE: SignedDuration = SignedDuration::from_secs(1);

/// A document that is fetched when it is needed; only one fetch runs at a time.
pub(crate) struct Cached<T> {
    state: Mutex<State<T>>,
    fetching: tokio::sync::Mutex<()>,
}

struct State<T> {
    value: Option<Arc<T>>,
    fetched_at: Option<Timestamp>,
    tried_at: Option<Timestamp>,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        let state = State { value: None, fetched_at: None, tried_at: None };
        Self { state: Mutex::new(state), fetching: tokio::sync::Mutex::default() }
    }
}

impl<T> Cached<T> {
    /// The document. It is fetched if it is old, or if it does not suffice and no fetch was tried recently. If the fetch fails, the last
    /// good document is returned.
    pub(crate) async fn value(
        &self,
        now: Timestamp,
        suffices: impl Fn(&T) -> bool,
        fetch: impl AsyncFnOnce() -> Result<T, ProviderError>,
    ) -> Result<Arc<T>, ProviderError> {
        if let Some(known) = self.known(now, &suffices) {
            return known;
        }
        let _one_at_a_time = self.fetching.lock().await;
        if let Some(known) = self.known(now, &suffices) {
            return known;
        }
        let fetched = fetch().await;
        let mut state = self.state.lock();
        state.tried_at = Some(now);
        match fetched {
            Ok(value) => {
                let value = Arc::new(value);
                state.value = Some(Arc::clone(&value));
                state.fetched_at = Some(now);
                Ok(value)
            }
            Err(error) => {
                let is_usable = within(state.fetched_at, STALE, now);
                state.value.clone().filter(|_| is_usable).ok_or(error)
            }
        }
    }

    /// The cached document or recent failure; `None` if a fetch is needed.
    fn known(&self, now: Timestamp, suffices: &impl Fn(&T) -> bool) -> Option<Result<Arc<T>, ProviderError>> {
        let state = self.state.lock();
        let Some(value) = state.value.clone().filter(|_| within(state.fetched_at, STALE, now)) else {
            return within(state.tried_at, FAILURE, now).then_some(Err(ProviderError::Recently));
        };
        let is_good = within(state.fetched_at, FRESH, now) && suffices(&value);
        (is_good || within(state.tried_at, REFETCH_INTERVAL_MIN, now)).then_some(Ok(value))
    }
}

fn within(then: Option<Timestamp>, span: SignedDuration, now: Timestamp) -> bool {
    then.is_some_and(|then| now.duration_since(then) < span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[tokio::test]
    async fn a_document_is_fetched_only_when_stale_or_lacking_a_requested_part() {
        let cached = Cached::default();
        let ask = async |second, answer: Result<i32, ProviderError>, suffices: fn(&i32) -> bool| {
            let mut asked = false;
            let found = cached
                .value(at(second), suffices, async || {
                    asked = true;
                    answer
                })
                .await;
            (found.ok().map(|found| *found), asked)
        };
        let down = || Err(ProviderError::Unusable("down"));
        assert_eq!(ask(0, down(), |_| true).await, (None, true));
        assert_eq!(ask(0, Ok(1), |_| true).await, (None, false), "a failure is kept for a moment");
        assert_eq!(ask(1, Ok(1), |_| true).await, (Some(1), true));
        assert_eq!(ask(3_600, Ok(2), |_| true).await, (Some(1), false));
        assert_eq!(ask(3_601, Ok(2), |_| true).await, (Some(2), true));
        assert_eq!(ask(3_610, Ok(3), |it| *it == 3).await, (Some(2), false), "not more than once a minute");
        assert_eq!(ask(3_661, Ok(3), |it| *it == 3).await, (Some(3), true));
        assert_eq!(ask(3_661 + 86_399, down(), |_| true).await, (Some(3), true), "the last good one for a day");
        assert_eq!(ask(3_661 + 86_461, down(), |_| true).await, (None, true));
    }
}
