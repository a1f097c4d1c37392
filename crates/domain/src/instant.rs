//! Instants as they are kept: in whole microseconds since 1970, and never later than one that reads back.
//!
//! TPPs write 9999-12-31T23:59:59Z for "never" (RW-080, AIS-125). The calendar of `jiff` ends before that, at
//! [`Timestamp::MAX`], which has a fraction of a second: as whole microseconds it is out of the range that `jiff` reads.
//! This module is the one bound. What is later than [`LAST`] is kept as [`LAST`], and what an older release stored as
//! [`Timestamp::MAX`] is read as [`LAST`].

use jiff::Timestamp;

/// The last instant that is kept: 9999-12-30T22:00:00Z. Whatever is later means "never".
pub const LAST: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// [`LAST`] in microseconds since 1970.
const LAST_MICROS: i64 = 253_402_207_200_000_000;

/// [`Timestamp::MAX`] in whole microseconds, as it was stored by releases that did not know [`LAST`].
const MAX_MICROS: i64 = LAST_MICROS.saturating_add(999_999);

/// The instant as it is kept: what [`from_micros`] gives for its [`to_micros`].
pub fn truncate_to_micros(at: Timestamp) -> Timestamp {
    from_micros(to_micros(at)).unwrap_or(LAST)
}

/// An instant in microseconds since 1970, [`LAST`] at the latest. What is finer is cut off, towards 1970.
pub fn to_micros(at: Timestamp) -> i64 {
    at.min(LAST).as_microsecond()
}

/// The instant so many microseconds since 1970, [`LAST`] at the latest.
///
/// # Errors
/// [`jiff::Error`] for a number that [`to_micros`] never gave, in this release or an older one.
pub fn from_micros(micros: i64) -> Result<Timestamp, jiff::Error> {
    let micros = if micros <= MAX_MICROS { micros.min(LAST_MICROS) } else { micros };
    Timestamp::from_microsecond(micros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_end_of_the_calendar_reads_back() {
        for at in [LAST, Timestamp::MAX, LAST.checked_add(jiff::SignedDuration::from_nanos(1)).unwrap()] {
            assert_eq!(from_micros(to_micros(at)).unwrap(), LAST, "{at}");
        }
        assert_eq!(from_micros(Timestamp::MAX.as_microsecond()).unwrap(), LAST, "what an older release stored");
        assert_eq!(from_micros(to_micros(Timestamp::MIN)).unwrap(), Timestamp::MIN);
        for micros in [MAX_MICROS.saturating_add(1), i64::MAX, i64::MIN] {
            assert!(from_micros(micros).is_err(), "{micros}");
        }
    }

    proptest! {
        #[test]
        fn every_instant_is_kept_once_and_for_all(
            second in Timestamp::MIN.as_second()..=Timestamp::MAX.as_second(),
            nanos in 0_i32..=999_999_999,
        ) {
            let at = Timestamp::new(second, nanos).unwrap();
            let stored = truncate_to_micros(at);
            prop_assert_eq!(truncate_to_micros(stored), stored);
            prop_assert_eq!(from_micros(to_micros(at)).unwrap(), stored);
            prop_assert!(stored <= LAST && at.duration_since(stored).abs() < jiff::SignedDuration::from_secs(1));
        }
    }
}
