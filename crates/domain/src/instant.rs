//! The stored form of instants: whole microseconds since 1970, up to a last instant that can be read back.
//!
//! TPPs write 9999-12-31T23:59:59Z for "never" (RW-080, AIS-125). The calendar of `jiff` ends before that, at
//! [`Timestamp::MAX`], which has a fraction of a second: as whole microseconds it is out of the range that `jiff` reads.
//! This module defines the bound. A later instant is stored as [`LAST`], and a stored [`Timestamp::MAX`] of an older
//! release is read as [`LAST`].

use jiff::Timestamp;

/// The last stored instant: 9999-12-30T22:00:00Z. Any later instant means "never".
pub const LAST: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// [`LAST`] in microseconds since 1970.
const LAST_MICROS: i64 = 253_402_207_200_000_000;

/// [`Timestamp::MAX`] in whole microseconds, as stored by releases without [`LAST`].
const MAX_MICROS: i64 = LAST_MICROS.saturating_add(999_999);

/// The instant after a round trip through storage: [`from_micros`] of its [`to_micros`].
pub fn truncate_to_micros(at: Timestamp) -> Timestamp {
    from_micros(to_micros(at)).unwrap_or(LAST)
}

/// An instant in microseconds since 1970, at most [`LAST`]. Fractions of a microsecond are truncated towards 1970.
pub fn to_micros(at: Timestamp) -> i64 {
    at.min(LAST).as_microsecond()
}

/// The instant of a number of microseconds since 1970, at most [`LAST`].
///
/// # Errors
/// [`jiff::Error`] for a number that no release's [`to_micros`] produces.
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
