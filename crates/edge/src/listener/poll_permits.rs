//! Permits for work that arrives in bursts: only a limited number of futures of a kind are polled at a time.
//!
//! The runtime polls tasks in the order in which they became ready. Four hundred handshakes that begin at once, or
//! connections that each receive a byte at once, would delay every request until the last of them has been polled. With
//! permits all but a few of them wait outside the runtime's queue. A permit lasts for one poll: a future that waits for
//! a slow peer holds none.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

/// The permits of one kind of future. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct FuturePollPermits(Arc<Semaphore>);

impl FuturePollPermits {
    /// Makes permits for at most half of the machine's processors, at least one.
    pub(super) fn of_half_the_machine() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(processors / 2)
    }

    fn new(turns: usize) -> Self {
        Self(Arc::new(Semaphore::new(turns.max(1))))
    }

    /// Wraps a future, so that it is polled only with a permit.
    pub(super) fn limit_future<F: Future + Unpin>(&self, work: F) -> PolledWithPermit<F> {
        PolledWithPermit { permits: PollSemaphore::new(Arc::clone(&self.0)), work }
    }
}

/// A future that is polled only with a permit.
#[derive(Debug)]
pub(super) struct PolledWithPermit<F> {
    permits: PollSemaphore,
    work: F,
}

impl<F: Future + Unpin> Future for PolledWithPermit<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // The semaphore is never closed; if it were, the future would be polled without a permit.
        let _turn = ready!(self.permits.poll_acquire(cx));
        Pin::new(&mut self.work).poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};
    use tokio::task::JoinSet;

    /// Keeps a processor busy for this number of polls.
    async fn compute(polls: usize, at_once: Arc<[AtomicUsize; 2]>) {
        for _ in 0..polls {
            let [now, most] = &*at_once;
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let began = Instant::now();
            while began.elapsed() < Duration::from_micros(200) {
                std::hint::spin_loop();
            }
            now.fetch_sub(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn tls_016_a_burst_is_computed_a_few_at_a_time() {
        let turns = FuturePollPermits::new(2);
        let at_once = Arc::new([const { AtomicUsize::new(0) }; 2]);
        let mut burst = JoinSet::new();
        for _ in 0..40 {
            burst.spawn(turns.limit_future(Box::pin(compute(5, Arc::clone(&at_once)))));
        }
        while let Some(done) = burst.join_next().await {
            done.unwrap();
        }
        let [now, most] = &*at_once;
        assert_eq!(now.load(Ordering::SeqCst), 0);
        assert!(most.load(Ordering::SeqCst) <= 2);
    }

    #[tokio::test]
    async fn a_turn_is_free_while_its_work_waits() {
        let turns = FuturePollPermits::new(1);
        let stuck = tokio::spawn(turns.limit_future(Box::pin(poll_fn(|_| Poll::<()>::Pending))));
        tokio::task::yield_now().await;
        assert_eq!(turns.limit_future(std::future::ready(7)).await, 7);
        stuck.abort();
    }
}
