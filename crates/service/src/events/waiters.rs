//! The waiters of held polls, notified by client. A held poll uses no other resource (EVT-079).

use lombard_domain::ids::ClientId;
use lombard_ports::wake::Wake;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// The interval at which a held poll queries the queue again, in case a wake-up was lost.
const REQUERY_INTERVAL: Duration = Duration::from_secs(5);

/// The interval while wake-ups of other nodes are not received, which keeps the delivery delay within EVT-062.
const REQUERY_INTERVAL_WITHOUT_NOTIFY: Duration = Duration::from_secs(1);

/// The waiters of a node, by client. Clones share the registry.
#[derive(Clone, Default)]
pub struct WaiterRegistry(Arc<RegistryShared>);

#[derive(Default)]
struct RegistryShared {
    state: Mutex<RegistryState>,
    /// Whether wake-ups of other nodes are not received.
    is_without_notifications: AtomicBool,
}

#[derive(Default)]
struct RegistryState {
    waiters_by_client: HashMap<ClientId, Vec<Arc<WaiterSignal>>>,
    /// The number of held polls of all clients.
    held: usize,
    /// Whether polls are no longer held, because the server stops.
    closed: bool,
}

/// The signal of one waiter. A notification is kept until it is consumed, so one that precedes the wait is not lost.
#[derive(Debug, Default)]
struct WaiterSignal {
    notify: Notify,
    /// Whether the poll is held; until then its waiter is only registered.
    held: AtomicBool,
    /// Whether the poll was released with an empty response.
    is_released: AtomicBool,
}

/// The limits on the number of held polls. Source: EVT-076.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldPollLimits {
    pub(super) per_client: usize,
    pub(super) in_all: usize,
}

/// Why the waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WakeReason {
    /// The queue may contain an event.
    Requery,
    /// A newer poll of the client is held instead, the server stops, or maintenance has begun.
    Released,
}

/// The registration of one poll. It receives every wake-up of its client from then on; dropping it unregisters it.
pub(super) struct Waiter {
    registry: WaiterRegistry,
    client: ClientId,
    signal: Arc<WaiterSignal>,
}

impl fmt::Debug for WaiterRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaiterRegistry").field("held", &self.held_polls()).finish_non_exhaustive()
    }
}

impl WaiterRegistry {
    /// The number of held polls.
    pub fn held_polls(&self) -> usize {
        self.0.state.lock().held
    }

    /// Releases every held poll, and holds no further polls. Source: EVT-078.
    pub fn release_all(&self) {
        let mut state = self.0.state.lock();
        state.closed = true;
        state.release();
    }

    /// Releases every held poll; later polls may be held again. Source: DTN-006.
    pub(super) fn release_held(&self) {
        self.0.state.lock().release();
    }

    /// Registers a waiter for the client. Must be called before the queue is queried.
    pub(super) fn register(&self, client: &ClientId) -> Waiter {
        let signal = Arc::<WaiterSignal>::default();
        self.0.state.lock().waiters_by_client.entry(client.clone()).or_default().push(Arc::clone(&signal));
        Waiter { registry: self.clone(), client: client.clone(), signal }
    }

    fn requery_interval(&self) -> Duration {
        if self.0.is_without_notifications.load(Ordering::Relaxed) {
            REQUERY_INTERVAL_WITHOUT_NOTIFY
        } else {
            REQUERY_INTERVAL
        }
    }
}

impl RegistryState {
    /// Releases every registered poll.
    fn release(&self) {
        for signal in self.waiters_by_client.values().flatten() {
            signal.is_released.store(true, Ordering::Release);
            signal.notify.notify_one();
        }
    }
}

impl Waiter {
    /// Holds the poll if the limits allow it. At the client's limit its oldest held poll is released; at the total limit the
    /// poll is not held.
    pub(super) fn hold(&self, limits: HeldPollLimits) -> bool {
        let mut state = self.registry.0.state.lock();
        if state.closed {
            return false;
        }
        let is_held = |signal: &&Arc<WaiterSignal>| signal.held.load(Ordering::Acquire);
        let waiters = state.waiters_by_client.get(&self.client).map(Vec::as_slice).unwrap_or_default();
        if waiters.iter().filter(is_held).count() >= limits.per_client {
            // Waiters are in the order of registration.
            let Some(oldest) = waiters.iter().find(is_held) else { return false };
            oldest.held.store(false, Ordering::Release);
            oldest.is_released.store(true, Ordering::Release);
            oldest.notify.notify_one();
        } else if state.held < limits.in_all {
            state.held += 1;
        } else {
            return false;
        }
        self.signal.held.store(true, Ordering::Release);
        metrics::gauge!("lombard_events_held_polls").set(f64::from(u32::try_from(state.held).unwrap_or(u32::MAX)));
        true
    }

    /// Waits for the next wake-up, the requery interval, or the deadline.
    pub(super) async fn wait(&self, deadline: Instant) -> WakeReason {
        let until = deadline.min(Instant::now() + self.registry.requery_interval());
        // A timeout also leads to a query.
        let _late = timeout_at(until, self.signal.notify.notified()).await;
        if self.signal.is_released.load(Ordering::Acquire) { WakeReason::Released } else { WakeReason::Requery }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut state = self.registry.0.state.lock();
        if let Some(waiters) = state.waiters_by_client.get_mut(&self.client) {
            waiters.retain(|signal| !Arc::ptr_eq(signal, &self.signal));
            if waiters.is_empty() {
                state.waiters_by_client.remove(&self.client);
            }
        }
        if self.signal.held.load(Ordering::Acquire) {
            state.held = state.held.saturating_sub(1);
            metrics::gauge!("lombard_events_held_polls").set(f64::from(u32::try_from(state.held).unwrap_or(u32::MAX)));
        }
    }
}

impl Wake for WaiterRegistry {
    fn wake_client(&self, client: &ClientId) {
        if let Some(waiters) = self.0.state.lock().waiters_by_client.get(client) {
            waiters.iter().for_each(|signal| signal.notify.notify_one());
        }
    }

    fn wake_all(&self) {
        self.0.state.lock().waiters_by_client.values().flatten().for_each(|signal| signal.notify.notify_one());
    }

    fn receives_remote_wakes(&self, receives: bool) {
        self.0.is_without_notifications.store(!receives, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: HeldPollLimits = HeldPollLimits { per_client: 2, in_all: 3 };

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(3)
    }

    #[tokio::test(start_paused = true)]
    async fn evt_079_a_wake_up_before_the_wait_is_not_lost() {
        let waiters = WaiterRegistry::default();
        let waiter = waiters.register(&"t".into());
        waiters.wake_client(&"t".into());
        let before = Instant::now();
        assert_eq!(waiter.wait(soon()).await, WakeReason::Requery);
        assert_eq!(Instant::now(), before, "at once");
        waiters.wake_client(&"rival".into());
        assert_eq!(waiter.wait(soon()).await, WakeReason::Requery);
        assert_eq!(Instant::now(), before + Duration::from_secs(3), "not woken for another client");
    }

    #[tokio::test(start_paused = true)]
    async fn without_notifications_of_other_nodes_it_queries_more_often() {
        let waiters = WaiterRegistry::default();
        let waiter = waiters.register(&"t".into());
        let far = Instant::now() + Duration::from_secs(60);
        for (receives, every) in
            [(true, REQUERY_INTERVAL), (false, REQUERY_INTERVAL_WITHOUT_NOTIFY), (true, REQUERY_INTERVAL)]
        {
            waiters.receives_remote_wakes(receives);
            let before = Instant::now();
            assert_eq!(waiter.wait(far).await, WakeReason::Requery);
            assert_eq!(before.elapsed(), every);
        }
        waiters.wake_all();
        let before = Instant::now();
        assert_eq!(waiter.wait(far).await, WakeReason::Requery);
        assert_eq!(before, Instant::now());
    }

    #[tokio::test(start_paused = true)]
    async fn evt_076_a_further_poll_of_a_client_releases_its_oldest() {
        let waiters = WaiterRegistry::default();
        let registered: Vec<_> = (0..3).map(|_| waiters.register(&"t".into())).collect();
        assert!(registered.iter().all(|waiter| waiter.hold(LIMITS)));
        assert_eq!(waiters.held_polls(), 2);
        assert_eq!(registered[0].wait(soon()).await, WakeReason::Released);
        assert_eq!(registered[1].wait(soon()).await, WakeReason::Requery);
        drop(registered);
        assert_eq!(waiters.held_polls(), 0);
        assert!(waiters.0.state.lock().waiters_by_client.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn evt_076_there_is_a_limit_over_all_clients() {
        let waiters = WaiterRegistry::default();
        let registered: Vec<_> = (0..4).map(|number| waiters.register(&number.to_string().into())).collect();
        let held: Vec<_> = registered.iter().map(|waiter| waiter.hold(LIMITS)).collect();
        assert_eq!(held, [true, true, true, false]);
        let mut registered = registered;
        drop(registered.remove(0));
        assert!(registered[2].hold(LIMITS));
    }

    #[tokio::test(start_paused = true)]
    async fn evt_078_closing_releases_every_poll() {
        let waiters = WaiterRegistry::default();
        let (held, listening) = (waiters.register(&"t".into()), waiters.register(&"t".into()));
        assert!(held.hold(LIMITS));
        waiters.release_all();
        let before = Instant::now();
        assert_eq!(held.wait(soon()).await, WakeReason::Released);
        assert_eq!(Instant::now(), before);
        assert!(!listening.hold(LIMITS), "and no further one is held");
    }
}
