//! How long a request has waited for storage.
//!
//! Each call of storage has time limits of its own, and a request makes several calls. What a request has waited so far is known
//! here, so that all its calls together wait no longer than one may.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

tokio::task_local! {
    /// That of the request that this task answers.
    static OF_REQUEST: StorageWait;
}

/// The time that a request has waited for storage. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct StorageWait(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    time: Mutex<WaitedTime>,
    is_unlimited: AtomicBool,
}

#[derive(Debug, Default)]
struct WaitedTime {
    /// By calls that are over.
    before: Duration,
    /// Calls under way, and when the first of them began.
    calls: Option<(u32, Instant)>,
}

/// A call under way. The request waits until it is dropped.
#[derive(Debug)]
pub struct StorageCall(StorageWait);

impl StorageWait {
    /// Answers a request, whose calls of storage are counted. No `async fn`, which would hold the work twice.
    pub fn counted<W: Future>(&self, work: W) -> impl Future<Output = W::Output> + use<W> {
        OF_REQUEST.scope(self.clone(), work)
    }

    /// That of the request that is answered here; `None` in work that is of no request.
    pub fn of_request() -> Option<Self> {
        OF_REQUEST.try_with(Clone::clone).ok()
    }

    /// Begins a call. Calls at the same time are counted as one.
    pub fn begin_call(&self) -> StorageCall {
        let mut time = self.0.time.lock();
        time.calls = Some(match time.calls {
            Some((calls, since)) => (calls.saturating_add(1), since),
            None => (1, Instant::now()),
        });
        drop(time);
        StorageCall(self.clone())
    }

    /// What the request has waited so far.
    pub fn so_far(&self) -> Duration {
        let time = self.0.time.lock();
        time.before.saturating_add(time.calls.map_or(Duration::ZERO, |(_, since)| since.elapsed()))
    }

    /// The request does rare work on whole tables, for which there is no limit.
    pub fn lift_limit(&self) {
        self.0.is_unlimited.store(true, Ordering::Relaxed);
    }

    /// Whether the request may wait for as long as it takes.
    pub fn is_unlimited(&self) -> bool {
        self.0.is_unlimited.load(Ordering::Relaxed)
    }
}

impl Drop for StorageCall {
    fn drop(&mut self) {
        let mut time = self.0.0.time.lock();
        match time.calls {
            Some((calls @ 2.., since)) => time.calls = Some((calls - 1, since)),
            Some((_, since)) => {
                time.before = time.before.saturating_add(since.elapsed());
                time.calls = None;
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn calls_at_the_same_time_count_as_one() {
        let wait = StorageWait::default();
        assert_eq!(wait.so_far(), Duration::ZERO);
        let one = wait.begin_call();
        let since = Instant::now();
        let other = wait.begin_call();
        while since.elapsed() < Duration::from_millis(2) {
            std::hint::spin_loop();
        }
        drop(one);
        drop(other);
        let waited = wait.so_far();
        assert!(waited >= Duration::from_millis(2), "{waited:?}");
        assert_eq!(wait.so_far(), waited, "no call is under way");
    }

    #[test]
    fn only_work_of_a_request_has_one() {
        assert!(StorageWait::of_request().is_none());
        let wait = StorageWait::default();
        let work = pin!(wait.counted(async { StorageWait::of_request().unwrap().lift_limit() }));
        assert!(matches!(work.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(())));
        assert!(wait.is_unlimited());
    }
}
