//! Limits the connections of one caller: those of a network without a client certificate, or those of a client with its certificate.
//!
//! Each connection takes some ten KiB. A further connection of the same caller ends the one that has been idle for longest; it waits if
//! none is idle.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The instant from which idle times are counted.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The connections of one caller. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct CallerConnections {
    permits: Arc<Semaphore>,
    open: Arc<Mutex<OpenConnections>>,
}

/// All open connections. Requests do not take this lock: the entry of each connection stores since when it has been idle.
#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, Arc<ConnectionActivity>>,
}

/// The activity of a connection.
#[derive(Debug)]
struct ConnectionActivity {
    /// The number of requests in progress; or [`IDLE`] and since when there are none, in nanoseconds. With [`ENDED`] if the connection was
    /// ended.
    state: AtomicU64,
    /// Notified once, when the connection is idle and another connection of the caller needs its permit.
    superseded: Notify,
}

/// The bit of a connection without a request.
const IDLE: u64 = 1 << 63;
/// The bit of a connection that is ended for another one and does not become idle again.
const ENDED: u64 = 1 << 62;

/// One connection of a caller. It is dropped when the connection ends, or when the client has shown its certificate and the connection
/// counts as the client's.
#[derive(Debug)]
pub(super) struct CallerConnection {
    activity: Arc<ConnectionActivity>,
    of: CallerConnections,
    number: u64,
    _permit: OwnedSemaphorePermit,
}

impl CallerConnections {
    /// Limits connections to this number, at least one.
    pub(super) fn new(connections_max: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(connections_max.max(1))), open: Arc::default() }
    }

    /// Waits for a permit for one more connection; `None` if the listener has ended. An idle connection is ended for it. The handshake
    /// counts as the first request.
    pub(super) async fn begin(&self) -> Option<CallerConnection> {
        if self.permits.available_permits() == 0 {
            self.open.lock().end_longest_idle();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        let activity = ConnectionActivity { state: AtomicU64::new(1), superseded: Notify::new() };
        let activity = Arc::new(activity);
        let mut open = self.open.lock();
        let number = open.next;
        open.next = number.wrapping_add(1);
        open.by_number.insert(number, Arc::clone(&activity));
        Some(CallerConnection { activity, of: self.clone(), number, _permit: permit })
    }
}

impl OpenConnections {
    fn end_longest_idle(&self) {
        let states = || self.by_number.values().map(|it| (it.state.load(Ordering::Relaxed), it));
        let longest_idle = || states().filter(|(state, _)| *state & IDLE != 0).min_by_key(|(state, _)| *state);
        // A connection that gets a request meanwhile is skipped, and the next one is sought.
        while let Some((state, longest)) = longest_idle() {
            if longest.state.compare_exchange(state, ENDED, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return longest.superseded.notify_one();
            }
        }
    }
}

impl CallerConnection {
    /// Records that a request begins.
    pub(super) fn begin_request(&self) {
        self.change(|state| if state & IDLE == 0 { state.saturating_add(1) } else { 1 });
    }

    /// Records that a request, or the handshake, has ended. Without another request the connection is idle from now on.
    pub(super) fn end_request(&self) {
        self.change(|state| match state & !ENDED {
            0 | 1 if state & ENDED == 0 => IDLE | u64::try_from(BEGAN.elapsed().as_nanos()).unwrap_or_default(),
            _ => state.saturating_sub(1),
        });
    }

    fn change(&self, to: impl Fn(u64) -> u64) {
        // Readers of this value depend on no other memory, so relaxed ordering suffices.
        let _ = self.activity.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |state| Some(to(state)));
    }

    /// Waits until another connection of the caller needs the permit of this one.
    pub(super) async fn superseded(&self) {
        self.activity.superseded.notified().await;
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
    use std::task::{Context, Waker};

    fn is_ended(it: &CallerConnection) -> bool {
        let is_told = std::pin::pin!(it.superseded()).poll(&mut Context::from_waker(Waker::noop())).is_ready();
        assert_eq!(is_told, it.activity.state.load(Ordering::Relaxed) & ENDED != 0);
        is_told
    }

    #[tokio::test]
    async fn tls_016_a_further_connection_closes_the_longest_idle_connection() {
        let connections = CallerConnections::new(3);
        let [busy, older, newer] = [(); 3].map(|()| connections.begin());
        let busy = busy.await.unwrap();
        let older = older.await.unwrap();
        let newer = newer.await.unwrap();
        for one in [&busy, &newer, &older] {
            one.end_request();
        }
        busy.begin_request();
        newer.begin_request();
        newer.end_request();
        let mut further = Box::pin(connections.begin());
        assert!(futures_util::poll!(&mut further).is_pending());
        assert_eq!([&busy, &older, &newer].map(is_ended), [false, true, false]);
        drop(older);
        let further = further.await.unwrap();
        // The new connection waits if none is idle.
        newer.begin_request();
        let mut last = Box::pin(connections.begin());
        assert!(futures_util::poll!(&mut last).is_pending());
        assert!(![&busy, &newer, &further].map(is_ended).contains(&true));
        drop(busy);
        assert!(last.await.is_some());
        drop((newer, further));
        assert!(connections.open.lock().by_number.is_empty(), "nothing is left behind");
    }
}
