//! The bank's clock. Its offset from the wall clock is a setting in the bank's database and in the server's database; every node follows
//! this setting.

use crate::joint::JointStore;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_corebank::lock_due_work;
use lombard_corebank::storage::{BankStore, BankTransaction};
use lombard_ports::clock::{Clocks, read_bank_offset_micros, write_bank_offset_micros};
use lombard_ports::controls::{BankControls, ClockMove, ControlError};
use lombard_ports::store::{ServerTransaction, Store, StoreError};
use std::fmt;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The setting with the time of the last move (wall clock). A move writes it before it reads the offset, so this row acts as a lock. Of two
/// concurrent moves, the second waits and adds to the offset of the first.
const MOVED_AT: &str = "sandbox.clock_moved_at";

/// The first instant the bank's clock can show: 2000-01-01T00:00:00Z.
const FIRST: Timestamp = Timestamp::constant(946_684_800, 0);
/// The first instant after the clock's range: 2100-01-01T00:00:00Z.
const END: Timestamp = Timestamp::constant(4_102_444_800, 0);

/// Storage of the offset of the bank's clock, in microseconds.
#[async_trait]
pub trait ClockOffset: Send + Sync + fmt::Debug {
    /// The offset that is in force now.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn read_offset(&self) -> Result<i64, ControlError>;

    /// Moves the clock and returns the new offset. Moves exclude each other and due work.
    ///
    /// # Errors
    /// [`ControlError::Refused`] if the new time is out of range; the offset is unchanged then.
    async fn move_offset(&self, wall: Timestamp, to: ClockMove) -> Result<i64, ControlError>;

    /// The offset that this installation last knew, for use while the present offset cannot be read.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn last_known_offset(&self) -> Result<i64, ControlError> {
        self.read_offset().await
    }
}

/// Stores the offset in the bank's own database.
#[async_trait]
impl ClockOffset for BankStore {
    async fn read_offset(&self) -> Result<i64, ControlError> {
        Ok(self.read(|tx| read_bank_offset_micros(&mut *tx)).await?)
    }

    async fn move_offset(&self, wall: Timestamp, to: ClockMove) -> Result<i64, ControlError> {
        self.write(move |tx| move_bank_offset(tx, wall, to)).await
    }
}

/// Stores the offset where server and bank share a database: one transaction moves the clock for both.
#[async_trait]
impl ClockOffset for JointStore {
    async fn read_offset(&self) -> Result<i64, ControlError> {
        Ok(self.read(|tx| read_bank_offset_micros(&mut *tx.server())).await?)
    }

    async fn move_offset(&self, wall: Timestamp, to: ClockMove) -> Result<i64, ControlError> {
        self.write(move |tx| {
            let offset = move_bank_offset(&mut *tx.bank(), wall, to)?;
            store_server_offset(&mut *tx.server(), offset)?;
            Ok(offset)
        })
        .await
    }
}

/// The clock of a bank in another process. The server's database keeps a copy of the offset, which the server's transactions read.
#[derive(Debug, Clone)]
pub struct FollowedClock {
    bank: Arc<dyn BankControls>,
    server: Store,
}

impl FollowedClock {
    /// Follows the clock of this bank, with a copy of its offset in the server's store.
    pub fn new(bank: Arc<dyn BankControls>, server: Store) -> Self {
        Self { bank, server }
    }

    /// Stores the bank's offset in the server's database. It asks the bank again after each change, because another node may have stored a
    /// newer offset meanwhile.
    async fn copy(&self, mut offset: i64) -> Result<i64, ControlError> {
        while self.last_known_offset().await? != offset {
            self.server.write(move |tx| store_server_offset(tx, offset)).await?;
            offset = self.bank.clock_offset().await?;
        }
        Ok(offset)
    }
}

#[async_trait]
impl ClockOffset for FollowedClock {
    async fn read_offset(&self) -> Result<i64, ControlError> {
        self.copy(self.bank.clock_offset().await?).await
    }

    async fn move_offset(&self, _: Timestamp, to: ClockMove) -> Result<i64, ControlError> {
        self.copy(self.bank.clock_move(to).await?).await
    }

    async fn last_known_offset(&self) -> Result<i64, ControlError> {
        Ok(self.server.read(|tx| read_bank_offset_micros(&mut *tx)).await?)
    }
}

/// The bank's clock on this node. Cloning shares it.
#[derive(Debug, Clone)]
pub struct BankClock {
    stored: Arc<dyn ClockOffset>,
    clocks: Clocks,
    /// Locked from reading the setting until this node's clocks are set, so that an older value never replaces a newer one.
    lock: Arc<Mutex<()>>,
}

impl BankClock {
    /// The bank's clock with its offset in `stored`. Moving it moves the given clocks, which are marked as movable.
    pub fn new(stored: impl ClockOffset + 'static, clocks: Clocks) -> Self {
        clocks.mark_bank_clock_movable();
        Self { stored: Arc::new(stored), clocks, lock: Arc::new(Mutex::new(())) }
    }

    /// The clocks that this clock moves.
    pub(super) fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The bank's present time as this node knows it.
    pub(super) fn now(&self) -> Timestamp {
        self.clocks.bank_now()
    }

    /// Adopts the stored offset, which any node may have changed, and returns it in microseconds.
    ///
    /// # Errors
    /// [`ControlError`]; the clock is unchanged then.
    pub async fn adopt_stored_offset(&self) -> Result<i64, ControlError> {
        let _lock = self.lock.lock().await;
        let offset = self.stored.read_offset().await?;
        self.clocks.set_bank_offset_micros(offset);
        Ok(offset)
    }

    /// Adopts the offset that this installation last knew. A node uses it when it starts while the bank does not answer.
    ///
    /// # Errors
    /// [`ControlError`]; the clock is unchanged then.
    pub async fn adopt_last_known_offset(&self) -> Result<(), ControlError> {
        let _lock = self.lock.lock().await;
        self.clocks.set_bank_offset_micros(self.stored.last_known_offset().await?);
        Ok(())
    }

    /// Moves the clock for all nodes, on this node at once, and returns the new time. Due work runs either before the move with the old
    /// time, or after it with the new time.
    ///
    /// # Errors
    /// [`ControlError::Refused`] if the new time is out of range, otherwise storage's failure; the clock is unchanged then.
    pub async fn move_to(&self, to: ClockMove) -> Result<Timestamp, ControlError> {
        self.move_offset(to).await?;
        Ok(self.now())
    }

    /// Moves the clock like [`move_to`](Self::move_to), and returns the new offset in microseconds.
    pub(super) async fn move_offset(&self, to: ClockMove) -> Result<i64, ControlError> {
        let _lock = self.lock.lock().await;
        let offset = self.stored.move_offset(self.clocks.wall_now(), to).await?;
        self.clocks.set_bank_offset_micros(offset);
        Ok(offset)
    }
}

/// Locks the clock until the transaction ends. Other moves of the clock and the scheduler wait.
///
/// # Errors
/// [`StoreError`].
pub(super) fn lock_clock(bank: &mut dyn BankTransaction, wall: Timestamp) -> Result<(), StoreError> {
    lock_due_work(bank, wall)?;
    bank.setting_put(MOVED_AT, &wall.to_string())
}

/// Stores the offset at the bank. The caller must have locked the clock; the nodes adopt the offset later.
///
/// # Errors
/// [`StoreError`].
pub(super) fn store_bank_offset(bank: &mut dyn BankTransaction, offset: i64) -> Result<(), StoreError> {
    write_bank_offset_micros(bank, offset)
}

/// Stores the offset at the server, whose transactions read it to know the bank's time.
///
/// # Errors
/// [`StoreError`].
pub(super) fn store_server_offset(server: &mut dyn ServerTransaction, offset: i64) -> Result<(), StoreError> {
    write_bank_offset_micros(server, offset)
}

/// Moves the clock in the bank's tables, and returns the new offset.
fn move_bank_offset(bank: &mut dyn BankTransaction, wall: Timestamp, to: ClockMove) -> Result<i64, ControlError> {
    lock_clock(bank, wall)?;
    let offset = moved(wall, read_bank_offset_micros(bank)?, to).ok_or(OUT_OF_REACH)?;
    store_bank_offset(bank, offset)?;
    Ok(offset)
}

/// The new offset in microseconds; `None` if the new time is out of range.
fn moved(wall: Timestamp, offset: i64, to: ClockMove) -> Option<i64> {
    let now = Timestamp::from_microsecond(wall.as_microsecond().checked_add(offset)?).ok()?;
    let there = match to {
        ClockMove::By(by) => now.checked_add(by).ok()?,
        ClockMove::To(there) => there,
    };
    let shown = FIRST <= there && there < END;
    shown.then(|| there.as_microsecond().checked_sub(wall.as_microsecond())).flatten()
}

const OUT_OF_REACH: ControlError =
    ControlError::refused("the bank's clock goes from 2000-01-01T00:00:00Z to the end of 2099");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::{self, JointTransaction};
    use jiff::SignedDuration;
    use lombard_ports::clock::ManualClock;

    fn wall() -> Timestamp {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn node(store: &JointStore) -> (BankClock, Clocks, ManualClock) {
        let wall = ManualClock::starting_at(wall());
        let clocks = Clocks::new(Arc::new(wall.clone()));
        (BankClock::new(store.clone(), clocks.clone()), clocks, wall)
    }

    #[test]
    fn the_clock_shows_this_century() {
        let by = |secs| moved(wall(), 0, ClockMove::By(SignedDuration::from_secs(secs)));
        let to = |at: Timestamp| moved(wall(), 0, ClockMove::To(at));
        let micro = SignedDuration::from_micros(1);
        assert_eq!((by(0), by(90), by(-90)), (Some(0), Some(90_000_000), Some(-90_000_000)));
        assert!(to(FIRST).is_some() && to(FIRST - micro).is_none());
        assert!(to(END - micro).is_some() && to(END).is_none());
        assert_eq!(moved(wall(), i64::MAX, ClockMove::By(SignedDuration::ZERO)), None);
    }

    #[tokio::test]
    async fn the_wall_stays_where_the_bank_moves() {
        let (_, _, store) = joint::open_temporary_store().await.unwrap();
        let (clock, clocks, _) = node(&store);
        clock.move_to(ClockMove::By(SignedDuration::from_hours(24))).await.unwrap();
        assert_eq!(clocks.wall_now(), wall());
        assert_eq!(clocks.bank_now(), wall() + SignedDuration::from_hours(24));
    }

    #[tokio::test]
    async fn another_node_and_a_restart_follow() {
        let (_, _, store) = joint::open_temporary_store().await.unwrap();
        let (clock, _, _) = node(&store);
        let there = clock.move_to(ClockMove::To("2026-12-31T23:59:59Z".parse().unwrap())).await.unwrap();
        let (other, clocks, time) = node(&store);
        assert_eq!(clocks.bank_now(), wall());
        other.adopt_stored_offset().await.unwrap();
        assert_eq!(clocks.bank_now(), there);
        time.advance(SignedDuration::from_secs(5));
        assert_eq!(clocks.bank_now(), there + SignedDuration::from_secs(5), "it goes on from there");
    }

    #[tokio::test]
    async fn a_transaction_reads_the_moved_clock_and_a_fixed_clock_reads_nothing() {
        let (_, _, store) = joint::open_temporary_store().await.unwrap();
        let ((clock, _, _), (_, clocks, _)) = (node(&store), node(&store));
        let there = clock.move_to(ClockMove::By(SignedDuration::from_hours(-24))).await.unwrap();
        let inside = clocks.clone();
        let unmoved = Clocks::new(Arc::new(ManualClock::starting_at(wall())));
        let asked = move |tx: &mut dyn JointTransaction| {
            let mut bank = tx.bank();
            Ok::<_, StoreError>((inside.read_bank_time(&mut *bank)?, unmoved.read_bank_time(&mut *bank)?))
        };
        assert_eq!(store.read(asked).await.unwrap(), (there, wall()));
        assert_eq!(clocks.bank_now(), wall());
        let spoilt = move |tx: &mut dyn JointTransaction| {
            tx.bank().setting_put("sandbox.clock_offset_micros", "soon")?;
            clocks.read_bank_time(&mut *tx.bank())
        };
        let refused = store.write(spoilt).await;
        assert!(matches!(refused, Err(StoreError::Corrupt { table: "bank_settings", .. })), "{refused:?}");
    }

    #[tokio::test]
    async fn moves_at_once_add_up() {
        let (_, _, store) = joint::open_temporary_store().await.unwrap();
        let nodes: Vec<_> = (0..4).map(|_| node(&store)).collect();
        let second = ClockMove::By(SignedDuration::from_secs(1));
        let moves = nodes.iter().flat_map(|(clock, _, _)| [clock.move_to(second), clock.move_to(second)]);
        for moved in futures_util::future::join_all(moves).await {
            moved.unwrap();
        }
        nodes[0].0.adopt_stored_offset().await.unwrap();
        assert_eq!(nodes[0].1.bank_now(), wall() + SignedDuration::from_secs(8));
    }
}
