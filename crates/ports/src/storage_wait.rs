//! How long a request has waited for an answer of storage.
//!
//! Each call of storage has time limits of its own, and a request makes several calls. The time that its calls have spent without an
//! answer is counted here, so that their limits are not added up while storage is silent. An answer begins the count anew: work that
//! advances may take long.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

tokio::task_local! {
    /// The wait of the request that this task answers.
    static OF_REQUEST: StorageWait;
}

/// The time that a request has waited since the last answer of storage. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct StorageWait(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    time: Mutex<WaitedTime>,
    is_unlimited: AtomicBool,
}

#[derive(Debug, Default)]
struct WaitedTime {
    /// The wait in calls that have ended without an answer.
    before: Duration,
    /// The number of calls in progress, and when the wait in them began.
    calls: Option<(u32, Instant)>,
}

/// A call in progress. The request waits until it is dropped.
#[derive(Debug)]
pub struct StorageCall(StorageWait);

impl StorageWait {
    /// Runs the work of a request, and counts the waits of its calls of storage. The function is not `async`, so that the future does not
    /// contain the work twice.
    pub fn counted<W: Future>(&self, work: W) -> impl Future<Output = W::Output> + use<W> {
        OF_REQUEST.scope(self.clone(), work)
    }

    /// The wait of the request that this task answers; `None` in work that belongs to no request.
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

    /// Records that storage has answered: the wait begins anew.
    pub fn record_answer(&self) {
        let mut time = self.0.time.lock();
        time.before = Duration::ZERO;
        time.calls = time.calls.map(|(calls, _)| (calls, Instant::now()));
    }

    /// The wait since the last answer.
    pub fn since_answer(&self) -> Duration {
        let time = self.0.time.lock();
        time.before.saturating_add(time.calls.map_or(Duration::ZERO, |(_, since)| since.elapsed()))
    }

    /// Permits rare work on whole tables, one statement of which may take long.
    pub fn lift_limit(&self) {
        self.0.is_unlimited.store(true, Ordering::Relaxed);
    }

    /// Whether the limit was lifted.
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
        assert_eq!(wait.since_answer(), Duration::ZERO);
        let one = wait.begin_call();
        let since = Instant::now();
        let other = wait.begin_call();
        while since.elapsed() < Duration::from_millis(2) {
            std::hint::spin_loop();
        }
        drop(one);
        drop(other);
        let waited = wait.since_answer();
        assert!(waited >= Duration::from_millis(2), "{waited:?}");
        assert_eq!(wait.since_answer(), waited, "no call is in progress");
        wait.record_answer();
        assert_eq!(wait.since_answer(), Duration::ZERO, "the wait begins anew");
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
