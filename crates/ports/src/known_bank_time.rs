//! The bank's time as one process knows it.

use jiff::Timestamp;

/// The setting with the offset of the bank's clock; absent until the clock is moved.
pub(crate) const OFFSET: &str = "sandbox.clock_offset_micros";

/// The bank's time as this process knows it: for writes that are stored only if the bank's clock has not been moved since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownBankTime {
    /// The time, in whole microseconds.
    pub now: Timestamp,
    /// The offset with which the time was computed; `None` if the clock cannot be moved.
    pub(crate) offset_micros: Option<i64>,
}

impl KnownBankTime {
    /// The name of the setting that must be unchanged, and its expected value. An absent setting has the value `0`. `None` if the
    /// clock cannot be moved.
    pub fn setting(&self) -> Option<(&'static str, String)> {
        self.offset_micros.map(|offset| (OFFSET, offset.to_string()))
    }
}
