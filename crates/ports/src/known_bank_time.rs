//! The bank's time as a process knows it.

use jiff::Timestamp;

/// The setting with the offset of the bank's clock; absent until the clock is moved.
pub(crate) const OFFSET: &str = "sandbox.clock_offset_micros";

/// The bank's time as this process knows it: for what is stored only if the bank's clock still stands so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownBankTime {
    /// The time, in whole microseconds.
    pub now: Timestamp,
    /// The offset that it was computed with, where the clock can be moved.
    pub(crate) offset_micros: Option<i64>,
}

impl KnownBankTime {
    /// The setting that must have this value, and its value. One that is absent has the value `0`. `None` where the clock cannot be moved.
    pub fn setting(&self) -> Option<(&'static str, String)> {
        self.offset_micros.map(|offset| (OFFSET, offset.to_string()))
    }
}
