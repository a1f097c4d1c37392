//! The two clocks: the wall clock for tokens, TLS and signatures; the bank's clock for money, consents and schedules.

#[cfg(any(test, feature = "testing"))]
mod manual;

#[cfg(any(test, feature = "testing"))]
pub use manual::ManualClock;

pub use crate::known_bank_time::KnownBankTime;
use crate::known_bank_time::OFFSET;
use crate::store::{SettingStore, StoreError};
use jiff::Timestamp;
use lombard_domain::instant;
use std::fmt;
use std::num::ParseIntError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// A source of the present time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place where the wall clock is read")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The wall clock and the bank's clock. Clones share both.
#[derive(Debug, Clone)]
pub struct Clocks(Arc<SharedClocks>);

#[derive(Debug)]
struct SharedClocks {
    wall: Arc<dyn Clock>,
    /// The lead of the bank's clock over the wall clock, in microseconds, as known to this process.
    offset: AtomicI64,
    /// Whether the bank's clock can be moved, by this process or another.
    is_movable: AtomicBool,
}

impl Clocks {
    /// Clocks with the same time until the bank's clock is moved.
    pub fn new(wall: Arc<dyn Clock>) -> Self {
        Self(Arc::new(SharedClocks { wall, offset: AtomicI64::default(), is_movable: AtomicBool::default() }))
    }

    /// Clocks on the system clock.
    pub fn system() -> Self {
        Self::new(Arc::new(SystemClock))
    }

    fn now(&self) -> Timestamp {
        self.0.wall.now()
    }

    /// The wall clock: TLS, JWTs, tokens, sessions, rate limits, signatures, SET times. In whole microseconds.
    pub fn wall_now(&self) -> Timestamp {
        whole_micros(self.now(), 0)
    }

    /// The bank's clock: consents, schedules, postings, resource timestamps. In whole microseconds. If another process moves the
    /// bank's clock, this process follows with a delay; decisions that depend on the time use [`Clocks::read_bank_time`].
    pub fn bank_now(&self) -> Timestamp {
        whole_micros(self.now(), self.0.offset.load(Ordering::SeqCst))
    }

    /// Both clocks read at the same moment, the wall clock first. Used to convert an instant of one clock into an instant of the
    /// other.
    pub fn wall_and_bank(&self) -> (Timestamp, Timestamp) {
        let now = self.now();
        (whole_micros(now, 0), whole_micros(now, self.0.offset.load(Ordering::SeqCst)))
    }

    /// The bank's time by the offset in the database, so that a transaction never uses a clock value that another process has
    /// superseded. If the clock cannot be moved, no query is made. Whole microseconds.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read_bank_time(&self, tx: &mut (impl SettingStore + ?Sized)) -> Result<Timestamp, StoreError> {
        if !self.0.is_movable.load(Ordering::SeqCst) {
            return Ok(self.bank_now());
        }
        Ok(whole_micros(self.now(), read_bank_offset_micros(tx)?))
    }

    /// The bank's time as this process knows it.
    pub fn known_bank_time(&self) -> KnownBankTime {
        let offset = self.0.offset.load(Ordering::SeqCst);
        let offset_micros = self.0.is_movable.load(Ordering::SeqCst).then_some(offset);
        KnownBankTime { now: whole_micros(self.now(), offset), offset_micros }
    }

    /// Records that the bank's clock can be moved and that its offset is stored in the database.
    pub fn mark_bank_clock_movable(&self) {
        self.0.is_movable.store(true, Ordering::SeqCst);
    }

    /// Sets the offset of the bank's clock for this process. The stored offset in the database is authoritative.
    pub fn set_bank_offset_micros(&self, offset: i64) {
        self.0.offset.store(offset, Ordering::SeqCst);
    }
}

/// The stored offset of the bank's clock from the wall clock, in microseconds.
///
/// # Errors
/// [`StoreError::Corrupt`] if the stored value is not a number, [`StoreError`] otherwise.
pub fn read_bank_offset_micros(tx: &mut (impl SettingStore + ?Sized)) -> Result<i64, StoreError> {
    let Some(text) = tx.setting(OFFSET)? else { return Ok(0) };
    text.parse().map_err(|error: ParseIntError| tx.setting_corrupt(OFFSET, error.into()))
}

/// Stores the offset for every process.
///
/// # Errors
/// [`StoreError`].
pub fn write_bank_offset_micros(tx: &mut (impl SettingStore + ?Sized), offset: i64) -> Result<(), StoreError> {
    tx.setting_put(OFFSET, &offset.to_string())
}

fn whole_micros(time: Timestamp, offset: i64) -> Timestamp {
    instant::from_micros(instant::to_micros(time).saturating_add(offset)).unwrap_or(instant::LAST)
}
