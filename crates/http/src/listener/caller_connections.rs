//! The connections of one caller, at most so many at a time: of a network those without a client certificate, of a client those
//! on which it has shown its certificate.
//!
//! Each takes some ten KiB. A further one of the same caller ends the one that has been idle for longest, and waits if none is.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// From when on idle times are counted.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The connections of one caller. Cloning shares them.
#[derive(Debug, Clone)]
pub(super) struct CallerConnections {
    permits: Arc<Semaphore>,
    open: Arc<Mutex<OpenConnections>>,
}

/// All of them. Requests do not lock this: each connection says by itself since when it has been idle.
#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, Arc<IdleConnection>>,
}

/// A connection that may be idle.
#[derive(Debug, Default)]
struct IdleConnection {
    /// Since when, nanoseconds; [`BUSY`] while it has a request, or when it was ended.
    since: AtomicU64,
    /// Cancelled when another connection of the caller needs its place and it is idle.
    superseded: CancellationToken,
}

/// Not idle.
const BUSY: u64 = 0;

/// One of them; dropped when it ends, or when the client has shown its certificate and the connection counts as the client's.
#[derive(Debug)]
pub(super) struct CallerConnection {
    idle: Arc<IdleConnection>,
    of: CallerConnections,
    number: u64,
    _permit: OwnedSemaphorePermit,
}

impl CallerConnections {
    /// So many at a time; at least one.
    pub(super) fn new(connections_max: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(connections_max.max(1))), open: Arc::default() }
    }

    /// Waits until there may be one more; none if there will be no more. An idle one is ended for it.
    pub(super) async fn begin(&self) -> Option<CallerConnection> {
        if self.permits.available_permits() == 0 {
            self.open.lock().end_longest_idle();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        let idle = Arc::<IdleConnection>::default();
        let mut open = self.open.lock();
        let number = open.next;
        open.next = number.wrapping_add(1);
        open.by_number.insert(number, Arc::clone(&idle));
        Some(CallerConnection { idle, of: self.clone(), number, _permit: permit })
    }
}

impl OpenConnections {
    fn end_longest_idle(&self) {
        let idle = || self.by_number.values().map(|it| (it.since.load(Ordering::SeqCst), it));
        // One that gets a request meanwhile is left, and the next one is sought.
        while let Some((since, longest)) = idle().filter(|(since, _)| *since != BUSY).min_by_key(|(since, _)| *since) {
            if longest.mark_busy_if(since) {
                return longest.superseded.cancel();
            }
        }
    }
}

impl IdleConnection {
    /// Marks it busy if it has been idle since then.
    fn mark_busy_if(&self, since: u64) -> bool {
        self.since.compare_exchange(since, BUSY, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

impl CallerConnection {
    /// It waits for a request from now on, unless `is_busy` says otherwise. That is asked before and after it is marked: a request
    /// that begins meanwhile counts itself first and marks it busy then, so one of the two sees the other. `is_busy` must be in the total order
    /// of [`Ordering::SeqCst`].
    pub(super) fn mark_idle(&self, is_busy: impl Fn() -> bool) {
        if is_busy() {
            return;
        }
        let since = u64::try_from(BEGAN.elapsed().as_nanos()).unwrap_or(u64::MAX).max(BUSY + 1);
        self.idle.since.store(since, Ordering::SeqCst);
        if is_busy() {
            self.idle.mark_busy_if(since);
        }
    }

    /// It has a request from now on.
    pub(super) fn mark_busy(&self) {
        self.idle.since.store(BUSY, Ordering::SeqCst);
    }

    /// Waits until another connection of the caller needs its place.
    pub(super) async fn superseded(&self) {
        self.idle.superseded.cancelled().await;
    }
}

impl Drop for CallerConnection {
    fn drop(&mut self) {
        self.of.open.lock().by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tls_016_a_further_connection_ends_the_one_that_has_been_idle_for_longest() {
        let connections = CallerConnections::new(3);
        let [busy, older, newer] = [(); 3].map(|()| connections.begin());
        let (busy, older, newer) = (busy.await.unwrap(), older.await.unwrap(), newer.await.unwrap());
        for one in [&busy, &newer, &older] {
            one.mark_idle(|| false);
        }
        busy.mark_busy();
        newer.mark_busy();
        newer.mark_idle(|| false);
        let mut further = Box::pin(connections.begin());
        assert!(futures_util::poll!(&mut further).is_pending());
        assert_eq!([&busy, &older, &newer].map(|it| it.idle.superseded.is_cancelled()), [false, true, false]);
        drop(older);
        let further = further.await.unwrap();
        // It waits if nobody is idle.
        newer.mark_busy();
        let mut last = Box::pin(connections.begin());
        assert!(futures_util::poll!(&mut last).is_pending());
        assert!(![&busy, &newer, &further].iter().any(|it| it.idle.superseded.is_cancelled()));
        drop(busy);
        assert!(last.await.is_some());
        drop((newer, further));
        assert!(connections.open.lock().by_number.is_empty(), "nothing is left behind");
    }
}
