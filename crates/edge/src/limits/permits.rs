//! Permits with a limit in total and a limit for each key, so that no key can use all of them.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The most concurrent requests of one kind on a node.
#[derive(Debug, Clone, Copy)]
pub struct ClientPermitLimits {
    /// The limit for all clients together.
    pub all_max: usize,
    /// The limit for one client.
    pub client_max: usize,
}

/// The most waiters for each permit of a key.
const WAITERS_PER_PERMIT: usize = 4;

/// Permits with a total number and a smaller number for each key. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct KeyedPermits<K> {
    all: Arc<Semaphore>,
    of_one_max: usize,
    by_key: Arc<Mutex<HashMap<K, Weak<KeyedSemaphores>>>>,
}

/// The semaphores of one key.
#[derive(Debug)]
struct KeyedSemaphores {
    permits: Arc<Semaphore>,
    /// The semaphore with a permit for each caller of [`KeyedPermits::take_within`] that has a permit or waits for one.
    queue: Arc<Semaphore>,
}

/// A permit, which is freed when it is dropped.
#[derive(Debug)]
pub struct KeyedPermit {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
    _queued: Option<OwnedSemaphorePermit>,
    _share: Arc<KeyedSemaphores>,
}

impl<K: Clone + Eq + Hash> KeyedPermits<K> {
    /// Makes permits with this total number and this number for one key.
    pub(crate) fn new(all_max: usize, of_one_max: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all_max)), of_one_max, by_key: Arc::default() }
    }

    /// Takes a permit for this key, if one is free now.
    pub(crate) fn try_take(&self, key: &K) -> Option<KeyedPermit> {
        let share = self.of(key);
        let own = Arc::clone(&share.permits).try_acquire_owned().ok()?;
        let all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(KeyedPermit { _own: own, _all: all, _queued: None, _share: share })
    }

    /// Waits for a permit for this key, for at most the given time; `None` at once if too many callers already wait.
    pub(crate) async fn take_within(&self, key: &K, wait_max: Duration) -> Option<KeyedPermit> {
        let share = self.of(key);
        let queued = Arc::clone(&share.queue).try_acquire_owned().ok()?;
        let permit = timeout(wait_max, self.take_of(share)).await.ok().flatten()?;
        Some(KeyedPermit { _queued: Some(queued), ..permit })
    }

    /// Waits for a permit for this key. `None` only if the semaphores were closed, which they never are.
    pub(crate) async fn take(&self, key: &K) -> Option<KeyedPermit> {
        self.take_of(self.of(key)).await
    }

    async fn take_of(&self, share: Arc<KeyedSemaphores>) -> Option<KeyedPermit> {
        let own = Arc::clone(&share.permits).acquire_owned().await.ok()?;
        let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(KeyedPermit { _own: own, _all: all, _queued: None, _share: share })
    }

    fn of(&self, key: &K) -> Arc<KeyedSemaphores> {
        let mut known = self.by_key.lock();
        if let Some(own) = known.get(key).and_then(Weak::upgrade) {
            return own;
        }
        // A permit, or a waiter for one, keeps the entry of its key.
        known.retain(|_, own| own.strong_count() > 0);
        let queue = self.of_one_max.saturating_mul(WAITERS_PER_PERMIT.saturating_add(1)).min(Semaphore::MAX_PERMITS);
        let own = Arc::new(KeyedSemaphores {
            permits: Arc::new(Semaphore::new(self.of_one_max)),
            queue: Arc::new(Semaphore::new(queue)),
        });
        known.insert(key.clone(), Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{Instant, sleep};

    #[test]
    fn rw_112_a_key_has_few_permits_and_all_together_have_some() {
        let permits = KeyedPermits::new(8, 4);
        let mut held: Vec<_> = (0..4).map(|_| permits.try_take(&"a").unwrap()).collect();
        assert!(permits.try_take(&"a").is_none());
        held.pop();
        held.push(permits.try_take(&"a").unwrap());
        held.extend((0..4).map(|_| permits.try_take(&"b").unwrap()));
        assert!(permits.try_take(&"c").is_none(), "nobody takes them all alone, and together they do not either");
        held.clear();
        assert!(permits.try_take(&"c").is_some());
        drop(permits.try_take(&"d"));
        assert_eq!(permits.by_key.lock().len(), 1, "keys without permits are forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn rw_112_few_wait_for_the_permits_of_a_key() {
        let permits = KeyedPermits::new(8, 2);
        let wait_max = Duration::from_secs(5);
        let _held =
            [permits.take_within(&"a", wait_max).await.unwrap(), permits.take_within(&"a", wait_max).await.unwrap()];
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..2 * WAITERS_PER_PERMIT {
            let permits = permits.clone();
            waiting.spawn(async move { permits.take_within(&"a", wait_max).await.is_none() });
        }
        tokio::task::yield_now().await;
        let began = Instant::now();
        assert!(permits.take_within(&"a", wait_max).await.is_none() && began.elapsed().is_zero(), "one too many");
        assert!(permits.take_within(&"b", wait_max).await.is_some(), "another key has its own");
        assert_eq!(waiting.join_all().await, [true; 2 * WAITERS_PER_PERMIT]);
        assert_eq!(began.elapsed(), wait_max);
    }

    /// A late permit of the key leaves less time for the permit of the total.
    #[tokio::test(start_paused = true)]
    async fn both_waits_together_last_no_longer_than_said() {
        let permits = KeyedPermits::new(2, 1);
        let wait_max = Duration::from_secs(5);
        let held = (permits.try_take(&"a").unwrap(), permits.try_take(&"b").unwrap());
        let began = Instant::now();
        // This call waits for the total before "a" does, and gets the permit that "a" returns.
        let ahead = tokio::spawn({
            let permits = permits.clone();
            async move { permits.take_within(&"c", wait_max).await }
        });
        let late = tokio::spawn({
            let permits = permits.clone();
            async move { permits.take_within(&"a", wait_max).await.map(drop) }
        });
        sleep(Duration::from_secs(4)).await;
        drop(held.0);
        let ahead = ahead.await.unwrap();
        assert!(ahead.is_some() && late.await.unwrap().is_none());
        assert_eq!(began.elapsed().as_secs(), 5);
    }
}
