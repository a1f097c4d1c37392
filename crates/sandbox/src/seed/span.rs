//! The period of a history: whole months before the bank's present, and times within its days. All times are UTC.

use super::random::SeededRandom;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// The number of full months of history before the bank's current month.
pub(super) const FULL_MONTHS: i32 = 25;

/// The time between the end of a history and the present. Equal booking times are moved forward by seconds, so without this margin some
/// would be in the future.
const MARGIN: SignedDuration = SignedDuration::from_mins(1);

/// The period of a history.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistorySpan {
    first_day: Date,
    this_month: Date,
    present: Timestamp,
}

impl HistorySpan {
    /// The history of a bank whose clock shows this time.
    pub(super) fn before(bank_now: Timestamp) -> Self {
        let present = bank_now.saturating_sub(MARGIN).unwrap_or(bank_now);
        let this_month = day_of(bank_now).first_of_month();
        Self { first_day: this_month.saturating_sub(FULL_MONTHS.months()), this_month, present }
    }

    pub(super) const fn first_day(&self) -> Date {
        self.first_day
    }

    /// The first day of the bank's current month.
    pub(super) const fn this_month(&self) -> Date {
        self.this_month
    }

    /// The end of the period; nothing is booked after it.
    pub(super) const fn present(&self) -> Timestamp {
        self.present
    }

    /// Whether one of the full months ends with this day.
    pub(super) fn ends_full_month(&self, day: Date) -> bool {
        day == day.last_of_month() && day < self.this_month
    }

    pub(super) fn days(&self) -> impl Iterator<Item = Date> + use<> {
        let last_day = day_of(self.present);
        self.first_day.series(1.day()).take_while(move |day| *day <= last_day)
    }
}

/// The day of a time.
pub(super) fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// The first moment of a day.
pub(super) fn midnight(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |midnight| midnight.timestamp())
}

/// The instant at which an hour of a day begins; hour 24 is the end of the day.
pub(super) fn moment_of(day: Date, hour: i8) -> Timestamp {
    midnight(day).saturating_add(SignedDuration::from_hours(i64::from(hour))).unwrap_or(Timestamp::MAX)
}

/// A random second of a day, between the beginning of the first hour and the beginning of the second.
pub(super) fn moment(day: Date, hours: (i8, i8), chance: &mut SeededRandom) -> Timestamp {
    let [from, until] = [hours.0, hours.1].map(|hour| i64::from(hour).saturating_mul(3_600));
    let second = chance.between(from, until.saturating_sub(1).max(from));
    midnight(day).saturating_add(SignedDuration::from_secs(second)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_has_its_full_months_and_ends_in_the_past() {
        for (now, first, last) in [
            ("2026-11-20T17:00:00Z", "2024-10-01", "2026-11-20"),
            ("2024-02-29T12:00:00Z", "2022-01-01", "2024-02-29"),
            ("2026-03-01T00:00:00Z", "2024-02-01", "2026-02-28"),
            ("2025-12-31T23:59:59Z", "2023-11-01", "2025-12-31"),
        ] {
            let span = HistorySpan::before(now.parse().unwrap());
            assert_eq!(span.first_day().to_string(), first);
            assert_eq!(span.days().last().unwrap().to_string(), last);
        }
    }

    #[test]
    fn a_moment_lies_in_its_hours() {
        let day = jiff::civil::date(2026, 1, 2);
        let mut chance = SeededRandom::named(1, "moments");
        for _ in 0..200 {
            let zoned = moment(day, (9, 11), &mut chance).to_zoned(TimeZone::UTC);
            assert!(zoned.date() == day && (9..11).contains(&zoned.hour()), "{zoned}");
        }
    }
}
