//! Permits for long operations of clients, with a limit in total and a limit for each client, so that no client can use all of them. Source:
//! RW-112.

use super::throttle::RateExceeded;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;
use tokio::time::timeout;

/// The most concurrent operations of one kind on a node.
#[derive(Debug, Clone, Copy)]
pub struct ClientPermitLimits {
    /// The limit for all clients together.
    pub all_max: usize,
    /// The limit for one client.
    pub client_max: usize,
}

impl ClientPermitLimits {
    /// The limits for work on the threads that also run database transactions: half the number of the machine's processors, at least one,
    /// and one for each client.
    #[must_use]
    pub fn for_threads() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { all_max: (processors / 2).max(1), client_max: 1 }
    }
}

/// How long a caller waits for a permit, and the seconds after which one that got none may try again.
const WAIT_SECS: u32 = 5;

/// The most waiters for each permit of a client.
const WAITERS_PER_PERMIT: usize = 4;

/// The permits for one kind of operation. Clones share them.
#[derive(Debug, Clone)]
pub struct ClientPermits {
    all: Arc<Semaphore>,
    client_max: usize,
    by_client: Arc<Mutex<HashMap<ClientId, Weak<ClientSemaphores>>>>,
}

/// The semaphores of one client.
#[derive(Debug)]
struct ClientSemaphores {
    permits: Arc<Semaphore>,
    /// The semaphore with a permit for each caller of [`ClientPermits::take`] that has a permit or waits for one.
    queue: Arc<Semaphore>,
}

/// A permit, which is freed when it is dropped.
#[derive(Debug)]
pub struct ClientPermit {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
    _queued: Option<OwnedSemaphorePermit>,
    _share: Arc<ClientSemaphores>,
}

impl ClientPermits {
    /// Makes permits with these limits.
    #[must_use]
    pub fn new(limits: ClientPermitLimits) -> Self {
        Self { all: Arc::new(Semaphore::new(limits.all_max)), client_max: limits.client_max, by_client: Arc::default() }
    }

    /// Takes a permit for this client, if one is free now.
    ///
    /// # Errors
    /// [`RateExceeded`] if no permit is free.
    pub fn try_take(&self, client: &ClientId) -> Result<ClientPermit, RateExceeded> {
        let share = self.of(client);
        let own = Arc::clone(&share.permits).try_acquire_owned().map_err(|_| later())?;
        let all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| later())?;
        Ok(ClientPermit { _own: own, _all: all, _queued: None, _share: share })
    }

    /// Waits five seconds at most for a permit for this client.
    ///
    /// # Errors
    /// [`RateExceeded`] if no permit is free in time, or at once if too many callers already wait.
    pub async fn take(&self, client: &ClientId) -> Result<ClientPermit, RateExceeded> {
        let share = self.of(client);
        let queued = Arc::clone(&share.queue).try_acquire_owned().map_err(|_| later())?;
        let waited = timeout(Duration::from_secs(WAIT_SECS.into()), self.take_of(share)).await;
        let permit = waited.ok().flatten().ok_or_else(later)?;
        Ok(ClientPermit { _queued: Some(queued), ..permit })
    }

    /// Waits for a permit for this client and runs the work on a thread. Dropping the future while it waits leaves the queue; work that has
    /// started keeps its permit until it ends.
    ///
    /// # Errors
    /// [`JoinError`] when the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        client: &ClientId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let permit = self.take_of(self.of(client)).await;
        let running = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        running.await
    }

    /// Waits for a permit. `None` only if the semaphores were closed, which they never are.
    async fn take_of(&self, share: Arc<ClientSemaphores>) -> Option<ClientPermit> {
        let own = Arc::clone(&share.permits).acquire_owned().await.ok()?;
        let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(ClientPermit { _own: own, _all: all, _queued: None, _share: share })
    }

    fn of(&self, client: &ClientId) -> Arc<ClientSemaphores> {
        let mut known = self.by_client.lock();
        if let Some(own) = known.get(client).and_then(Weak::upgrade) {
            return own;
        }
        // A permit, or a waiter for one, keeps the entry of its client.
        known.retain(|_, own| own.strong_count() > 0);
        let queue = self.client_max.saturating_mul(WAITERS_PER_PERMIT.saturating_add(1)).min(Semaphore::MAX_PERMITS);
        let own = Arc::new(ClientSemaphores {
            permits: Arc::new(Semaphore::new(self.client_max)),
            queue: Arc::new(Semaphore::new(queue)),
        });
        known.insert(client.clone(), Arc::downgrade(&own));
        own
    }
}

fn later() -> RateExceeded {
    RateExceeded { retry_after_secs: WAIT_SECS.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::pin::pin;
    use std::sync::mpsc;
    use tokio::time::{Instant, sleep};

    const WAIT: Duration = Duration::from_secs(5);

    fn permits(all_max: usize, client_max: usize) -> ClientPermits {
        ClientPermits::new(ClientPermitLimits { all_max, client_max })
    }

    #[test]
    fn rw_112_a_client_has_few_permits_and_all_together_have_some() {
        let permits = permits(8, 4);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(ClientId::from);
        let mut held: Vec<_> = (0..4).map(|_| permits.try_take(&a).unwrap()).collect();
        assert!(matches!(permits.try_take(&a), Err(RateExceeded { retry_after_secs: 5 })));
        held.pop();
        held.push(permits.try_take(&a).unwrap());
        held.extend((0..4).map(|_| permits.try_take(&b).unwrap()));
        assert!(permits.try_take(&c).is_err(), "nobody takes them all alone, and together they do not either");
        held.clear();
        assert!(permits.try_take(&c).is_ok());
        drop(permits.try_take(&d));
        assert_eq!(permits.by_client.lock().len(), 1, "clients without permits are forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn rw_112_few_wait_for_the_permits_of_a_client() {
        let permits = permits(8, 2);
        let [a, b] = ["a", "b"].map(ClientId::from);
        let _held = [permits.take(&a).await.unwrap(), permits.take(&a).await.unwrap()];
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..2 * WAITERS_PER_PERMIT {
            let permits = permits.clone();
            let a = a.clone();
            waiting.spawn(async move { permits.take(&a).await.is_err() });
        }
        tokio::task::yield_now().await;
        let began = Instant::now();
        assert!(permits.take(&a).await.is_err() && began.elapsed().is_zero(), "one too many");
        assert!(permits.take(&b).await.is_ok(), "another client has its own");
        assert_eq!(waiting.join_all().await, [true; 2 * WAITERS_PER_PERMIT]);
        assert_eq!(began.elapsed(), WAIT);
    }

    /// A late permit of the client leaves less time for the permit of the total.
    #[tokio::test(start_paused = true)]
    async fn both_waits_together_last_no_longer_than_said() {
        let permits = permits(2, 1);
        let [a, b, c] = ["a", "b", "c"].map(ClientId::from);
        let held = (permits.try_take(&a).unwrap(), permits.try_take(&b).unwrap());
        let began = Instant::now();
        // This call waits for the total before "a" does, and gets the permit that "a" returns.
        let ahead = tokio::spawn({
            let permits = permits.clone();
            async move { permits.take(&c).await }
        });
        let late = tokio::spawn({
            let permits = permits.clone();
            async move { permits.take(&a).await.map(drop) }
        });
        sleep(Duration::from_secs(4)).await;
        drop(held.0);
        let ahead = ahead.await.unwrap();
        assert!(ahead.is_ok() && late.await.unwrap().is_err());
        assert_eq!(began.elapsed(), WAIT);
    }

    #[tokio::test]
    async fn rw_112_work_waits_for_that_of_the_same_client_and_for_a_place_of_all() {
        let permits = permits(2, 1);
        let [a, b, c] = ["a", "b", "c"].map(ClientId::from);
        let (release_a, wait_a) = mpsc::channel::<()>();
        let (release_b, wait_b) = mpsc::channel::<()>();
        let mut first = pin!(permits.run(&a, move || wait_a.recv().is_err()));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second_of_a = pin!(permits.run(&a, || 1));
        assert!(second_of_a.as_mut().now_or_never().is_none(), "a client has one place");
        assert_eq!(permits.run(&b, || 2).await.unwrap(), 2, "another client does not wait for it");
        let mut first_of_b = pin!(permits.run(&b, move || wait_b.recv().is_err()));
        assert!(first_of_b.as_mut().now_or_never().is_none());
        let mut last = pin!(permits.run(&c, || 3));
        assert!(last.as_mut().now_or_never().is_none(), "all places are taken");
        drop((release_a, release_b));
        assert!(first.await.unwrap() && first_of_b.await.unwrap());
        assert_eq!((second_of_a.await.unwrap(), last.await.unwrap()), (1, 3));
    }

    #[tokio::test]
    async fn rw_112_work_that_panics_leaves_its_place() {
        let permits = permits(1, 1);
        let client = ClientId::from("a");
        let panicked = permits.run(&client, || panic!("on purpose")).await;
        assert!(panicked.is_err_and(|error| error.is_panic()));
        assert_eq!(permits.run(&client, || 7).await.unwrap(), 7);
    }
}
