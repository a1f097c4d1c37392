//! The connections of one caller, at most so many at a time: of a network those without a client certificate, of a client those
//! on which it has shown its certificate.
//!
//! Each takes some ten KiB. A further one of the same caller ends the one that has been idle for longest, and waits if none is.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The connections of one caller. Cloning shares them.
#[derive(Debug, Clone)]
pub(super) struct CallerConnections {
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<IdleConnections>>,
}

/// Those that wait for a request, the one that has waited longest first.
#[derive(Debug, Default)]
struct IdleConnections {
    next: u64,
    by_age: BTreeMap<u64, CancellationToken>,
}

/// One of them; dropped when it ends, or when the client has shown its certificate and the connection counts as the client's.
#[derive(Debug)]
pub(super) struct CallerConnection {
    /// Cancelled when another connection of the caller needs its place and it is idle.
    pub(super) superseded: CancellationToken,
    of: CallerConnections,
    /// Its number among the idle ones while it is one of them.
    number: Mutex<Option<u64>>,
    _permit: OwnedSemaphorePermit,
}

impl CallerConnections {
    /// So many at a time; at least one.
    pub(super) fn new(connections_max: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(connections_max.max(1))), idle: Arc::default() }
    }

    /// Waits until there may be one more; none if there will be no more. An idle one is ended for it.
    pub(super) async fn begin(&self) -> Option<CallerConnection> {
        if self.permits.available_permits() == 0 {
            self.end_longest_idle();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        Some(CallerConnection {
            superseded: CancellationToken::new(),
            of: self.clone(),
            number: Mutex::new(None),
            _permit: permit,
        })
    }

    fn end_longest_idle(&self) {
        if let Some((_, connection)) = self.idle.lock().by_age.pop_first() {
            connection.cancel();
        }
    }
}

impl CallerConnection {
    /// It waits for a request from now on, unless `is_busy` says otherwise. That is asked under the lock that
    /// [`Self::mark_busy`] takes too: a request that begins meanwhile is seen by one of the two.
    pub(super) fn mark_idle(&self, is_busy: impl FnOnce() -> bool) {
        let mut idle = self.of.idle.lock();
        if is_busy() {
            return;
        }
        let number = idle.next;
        idle.next = number.wrapping_add(1);
        idle.by_age.insert(number, self.superseded.clone());
        if let Some(before) = self.number.lock().replace(number) {
            idle.by_age.remove(&before);
        }
    }

    /// It has a request from now on.
    pub(super) fn mark_busy(&self) {
        let mut idle = self.of.idle.lock();
        if let Some(number) = self.number.lock().take() {
            idle.by_age.remove(&number);
        }
    }
}

impl Drop for CallerConnection {
    fn drop(&mut self) {
        self.mark_busy();
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
        assert_eq!([&busy, &older, &newer].map(|it| it.superseded.is_cancelled()), [false, true, false]);
        drop(older);
        let further = further.await.unwrap();
        // It waits if nobody is idle.
        newer.mark_busy();
        let mut last = Box::pin(connections.begin());
        assert!(futures_util::poll!(&mut last).is_pending());
        assert!(![&busy, &newer, &further].iter().any(|it| it.superseded.is_cancelled()));
        drop(busy);
        assert!(last.await.is_some());
        drop((newer, further));
        assert!(connections.idle.lock().by_age.is_empty(), "nothing is left behind");
    }
}
