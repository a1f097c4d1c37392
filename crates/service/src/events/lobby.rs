//! Where polls wait: a bell for each, rung by client. Nothing else is held while waiting (EVT-079).

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

/// How often who waits looks for itself, in case a wake-up was lost.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The same while other nodes cannot be heard: an event may wait no longer (EVT-062).
const LOOK_EVERY_WHEN_DEAF: Duration = Duration::from_secs(1);

/// The lobby of a node. Cloning shares it.
#[derive(Clone, Default)]
pub struct Lobby(Arc<Shared>);

#[derive(Default)]
struct Shared {
    inside: Mutex<Inside>,
    /// Whether other nodes cannot be heard.
    deaf: AtomicBool,
}

#[derive(Default)]
struct Inside {
    rooms: HashMap<ClientId, Vec<Arc<WaiterSignal>>>,
    /// Polls that are held, over all clients.
    held: usize,
    /// Nobody is held any more: the server stops.
    closed: bool,
}

/// What a poll waits for. It stays rung until it is heard, so a ring before the waiting is not lost.
#[derive(Debug, Default)]
struct WaiterSignal {
    rung: Notify,
    /// Whether the poll is held; until then it only listens.
    held: AtomicBool,
    /// Told to go, with nothing.
    dismissed: AtomicBool,
}

/// How many polls may be held. Source: EVT-076.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub(super) per_client: usize,
    pub(super) in_all: usize,
}

/// Why the waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WakeReason {
    /// There may be an event.
    Look,
    /// Another poll of the client took the place, or the server stops.
    Dismissed,
}

/// A poll's place. It hears every ring from the moment it has it; dropping it gives it up.
pub(super) struct Waiter {
    lobby: Lobby,
    client: ClientId,
    bell: Arc<WaiterSignal>,
}

impl fmt::Debug for Lobby {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lobby").field("held", &self.held()).finish_non_exhaustive()
    }
}

impl Lobby {
    /// How many polls are held.
    pub fn held(&self) -> usize {
        self.0.inside.lock().held
    }

    /// Sends everybody away and lets nobody wait any more. Source: EVT-078.
    pub fn close(&self) {
        let mut inside = self.0.inside.lock();
        inside.closed = true;
        for bell in inside.rooms.values().flatten() {
            bell.dismissed.store(true, Ordering::Release);
            bell.rung.notify_one();
        }
    }

    /// A place from which every ring for the client is heard. To be taken before looking for events.
    pub(super) fn enter(&self, client: &ClientId) -> Waiter {
        let bell = Arc::<WaiterSignal>::default();
        self.0.inside.lock().rooms.entry(client.clone()).or_default().push(Arc::clone(&bell));
        Waiter { lobby: self.clone(), client: client.clone(), bell }
    }

    fn requery_interval(&self) -> Duration {
        if self.0.deaf.load(Ordering::Relaxed) { LOOK_EVERY_WHEN_DEAF } else { LOOK_EVERY }
    }
}

impl Waiter {
    /// Whether the poll may be held. At the client's limit its oldest one goes; at the limit of all nobody may.
    pub(super) fn hold(&self, places: Places) -> bool {
        let mut inside = self.lobby.0.inside.lock();
        if inside.closed {
            return false;
        }
        let is_held = |bell: &&Arc<WaiterSignal>| bell.held.load(Ordering::Acquire);
        let room = inside.rooms.get(&self.client).map(Vec::as_slice).unwrap_or_default();
        if room.iter().filter(is_held).count() >= places.per_client {
            // In the order they entered.
            let Some(oldest) = room.iter().find(is_held) else { return false };
            oldest.held.store(false, Ordering::Release);
            oldest.dismissed.store(true, Ordering::Release);
            oldest.rung.notify_one();
        } else if inside.held < places.in_all {
            inside.held += 1;
        } else {
            return false;
        }
        self.bell.held.store(true, Ordering::Release);
        metrics::gauge!("lombard_events_held_polls").set(f64::from(u32::try_from(inside.held).unwrap_or(u32::MAX)));
        true
    }

    /// Waits for the next ring, the time to look anyway, or the deadline.
    pub(super) async fn wait(&self, deadline: Instant) -> WakeReason {
        let until = deadline.min(Instant::now() + self.lobby.requery_interval());
        // Too late is a reason to look, too.
        let _late = timeout_at(until, self.bell.rung.notified()).await;
        if self.bell.dismissed.load(Ordering::Acquire) { WakeReason::Dismissed } else { WakeReason::Look }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut inside = self.lobby.0.inside.lock();
        if let Some(room) = inside.rooms.get_mut(&self.client) {
            room.retain(|bell| !Arc::ptr_eq(bell, &self.bell));
            if room.is_empty() {
                inside.rooms.remove(&self.client);
            }
        }
        if self.bell.held.load(Ordering::Acquire) {
            inside.held = inside.held.saturating_sub(1);
            metrics::gauge!("lombard_events_held_polls").set(f64::from(u32::try_from(inside.held).unwrap_or(u32::MAX)));
        }
    }
}

impl Wake for Lobby {
    fn client(&self, client: &ClientId) {
        if let Some(room) = self.0.inside.lock().rooms.get(client) {
            room.iter().for_each(|bell| bell.rung.notify_one());
        }
    }

    fn everyone(&self) {
        self.0.inside.lock().rooms.values().flatten().for_each(|bell| bell.rung.notify_one());
    }

    fn receives_remote_wakes(&self, hears: bool) {
        self.0.deaf.store(!hears, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: Places = Places { per_client: 2, in_all: 3 };

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(3)
    }

    #[tokio::test(start_paused = true)]
    async fn evt_079_a_ring_before_the_waiting_is_heard() {
        let lobby = Lobby::default();
        let seat = lobby.enter(&"t".into());
        lobby.client(&"t".into());
        let before = Instant::now();
        assert_eq!(seat.wait(soon()).await, WakeReason::Look);
        assert_eq!(Instant::now(), before, "at once");
        lobby.client(&"rival".into());
        assert_eq!(seat.wait(soon()).await, WakeReason::Look);
        assert_eq!(Instant::now(), before + Duration::from_secs(3), "not at another's ring");
    }

    #[tokio::test(start_paused = true)]
    async fn who_hears_no_other_node_looks_often() {
        let lobby = Lobby::default();
        let seat = lobby.enter(&"t".into());
        let far = Instant::now() + Duration::from_secs(60);
        for (hears, every) in [(true, LOOK_EVERY), (false, LOOK_EVERY_WHEN_DEAF), (true, LOOK_EVERY)] {
            lobby.receives_remote_wakes(hears);
            let before = Instant::now();
            assert_eq!(seat.wait(far).await, WakeReason::Look);
            assert_eq!(before.elapsed(), every);
        }
        lobby.everyone();
        let before = Instant::now();
        assert_eq!(seat.wait(far).await, WakeReason::Look);
        assert_eq!(before, Instant::now());
    }

    #[tokio::test(start_paused = true)]
    async fn evt_076_a_further_poll_of_a_client_releases_its_oldest() {
        let lobby = Lobby::default();
        let seats: Vec<_> = (0..3).map(|_| lobby.enter(&"t".into())).collect();
        assert!(seats.iter().all(|seat| seat.hold(PLACES)));
        assert_eq!(lobby.held(), 2);
        assert_eq!(seats[0].wait(soon()).await, WakeReason::Dismissed);
        assert_eq!(seats[1].wait(soon()).await, WakeReason::Look);
        drop(seats);
        assert_eq!(lobby.held(), 0);
        assert!(lobby.0.inside.lock().rooms.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn evt_076_there_is_a_limit_over_all_clients() {
        let lobby = Lobby::default();
        let seats: Vec<_> = (0..4).map(|number| lobby.enter(&number.to_string().into())).collect();
        let held: Vec<_> = seats.iter().map(|seat| seat.hold(PLACES)).collect();
        assert_eq!(held, [true, true, true, false]);
        let mut seats = seats;
        drop(seats.remove(0));
        assert!(seats[2].hold(PLACES));
    }

    #[tokio::test(start_paused = true)]
    async fn evt_078_closing_sends_everybody_away() {
        let lobby = Lobby::default();
        let (held, listening) = (lobby.enter(&"t".into()), lobby.enter(&"t".into()));
        assert!(held.hold(PLACES));
        lobby.close();
        let before = Instant::now();
        assert_eq!(held.wait(soon()).await, WakeReason::Dismissed);
        assert_eq!(Instant::now(), before);
        assert!(!listening.hold(PLACES), "and nobody comes after");
    }
}
