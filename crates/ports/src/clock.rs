//! The two clocks: the wall for tokens, TLS and signatures; the bank's for money, consents and schedules.

#[cfg(any(test, feature = "testing"))]
mod manual;

#[cfg(any(test, feature = "testing"))]
pub use manual::ManualClock;

use crate::store::{SettingStore, StoreError};
use jiff::Timestamp;
use lombard_domain::instant;
use std::fmt;
use std::num::ParseIntError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The setting that keeps how far the bank's clock was moved. Absent while nobody has moved it.
const OFFSET: &str = "sandbox.clock_offset_micros";

/// Something that knows the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place where the wall clock is read")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Both clocks. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Clocks {
    wall: Arc<dyn Clock>,
    /// Microseconds the bank's clock is ahead of the wall, as far as this process knows.
    offset: Arc<AtomicI64>,
    /// Whether it can be moved, by this process or another.
    is_movable: Arc<AtomicBool>,
}

impl Clocks {
    /// Clocks whose bank time equals the wall's until it is moved.
    pub fn new(wall: Arc<dyn Clock>) -> Self {
        Self { wall, offset: Arc::default(), is_movable: Arc::default() }
    }

    /// The machine's clocks.
    pub fn system() -> Self {
        Self::new(Arc::new(SystemClock))
    }

    /// The wall clock: TLS, JWTs, tokens, sessions, rate limits, signatures, SET times. Whole microseconds.
    pub fn wall_now(&self) -> Timestamp {
        whole_micros(self.wall.now(), 0)
    }

    /// The bank's clock: consents, schedules, postings, resource timestamps. Whole microseconds. Where it can be moved, a
    /// process that did not move it itself follows a moment later: what is changed by the time is changed by
    /// [`Clocks::read_bank_time`].
    pub fn bank_now(&self) -> Timestamp {
        whole_micros(self.wall.now(), self.offset.load(Ordering::SeqCst))
    }

    /// Both at one moment, the wall's first: for converting an instant of one into the other's.
    pub fn wall_and_bank(&self) -> (Timestamp, Timestamp) {
        let now = self.wall.now();
        (whole_micros(now, 0), whole_micros(now, self.offset.load(Ordering::SeqCst)))
    }

    /// The bank's time as the database has it, for a transaction that acts on it: no transaction uses a clock value that
    /// another process has superseded. Costs nothing where the clock cannot be moved. Whole microseconds.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read_bank_time(&self, tx: &mut (impl SettingStore + ?Sized)) -> Result<Timestamp, StoreError> {
        if !self.is_movable.load(Ordering::SeqCst) {
            return Ok(self.bank_now());
        }
        Ok(whole_micros(self.wall.now(), read_bank_offset_micros(tx)?))
    }

    /// Tells this process that the bank's clock can be moved, and that where to is kept in the database.
    pub fn mark_bank_clock_movable(&self) {
        self.is_movable.store(true, Ordering::SeqCst);
    }

    /// Tells this process how far the bank's clock is ahead. The truth is what the database keeps.
    pub fn set_bank_offset_micros(&self, offset: i64) {
        self.offset.store(offset, Ordering::SeqCst);
    }
}

/// How far the bank's clock was moved ahead of the wall, in microseconds, as the database keeps it.
///
/// # Errors
/// [`StoreError::Corrupt`] if what is kept is no number, [`StoreError`] otherwise.
pub fn read_bank_offset_micros(tx: &mut (impl SettingStore + ?Sized)) -> Result<i64, StoreError> {
    let Some(text) = tx.setting(OFFSET)? else { return Ok(0) };
    text.parse().map_err(|error: ParseIntError| tx.setting_corrupt(OFFSET, error.into()))
}

/// Keeps it, for every process.
///
/// # Errors
/// [`StoreError`].
pub fn write_bank_offset_micros(tx: &mut (impl SettingStore + ?Sized), offset: i64) -> Result<(), StoreError> {
    tx.setting_put(OFFSET, &offset.to_string())
}

fn whole_micros(time: Timestamp, offset: i64) -> Timestamp {
    instant::from_micros(instant::to_micros(time).saturating_add(offset)).unwrap_or(instant::LAST)
}
