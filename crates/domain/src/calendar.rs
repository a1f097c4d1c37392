//! The calendar of a British bank: dates in London, and the working days of England and Wales.
//!
//! Bank holidays follow the Banking and Financial Dealings Act 1971 and the proclamations under it; proclamations for a
//! single year are data. For years without proclamations yet, the general rules apply.

#[cfg(test)]
mod published;
mod settlement;

pub use settlement::{Calendar, common_working_day_from, common_working_days_after};

use crate::instant;
use jiff::civil::{Date, DateTime, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use std::sync::LazyLock;

/// British time: UTC, plus one hour from the last Sunday of March to the last of October, changing at 01:00 UTC. In
/// force since 1996, before the bank's first record.
static LONDON: LazyLock<TimeZone> =
    LazyLock::new(|| TimeZone::posix("GMT0BST,M3.5.0/1,M10.5.0/2").unwrap_or(TimeZone::UTC));

/// Days proclaimed as additional bank holidays.
const ADDED: &[Date] = &[
    date(1999, 12, 31),
    date(2002, 6, 3),
    date(2011, 4, 29),
    date(2012, 6, 5),
    date(2022, 6, 3),
    date(2022, 9, 19),
    date(2023, 5, 8),
];

/// Bank holidays moved in a single year: from, to.
const MOVED: &[(Date, Date)] = &[
    (date(2002, 5, 27), date(2002, 6, 4)),
    (date(2012, 5, 28), date(2012, 6, 4)),
    (date(2020, 5, 4), date(2020, 5, 8)),
    (date(2022, 5, 30), date(2022, 6, 2)),
];

/// The date in London at an instant. Source: PIS-154.
pub fn london_date(at: Timestamp) -> Date {
    LONDON.to_datetime(at).date()
}

/// The local date and time in London at an instant.
pub fn london_clock(at: Timestamp) -> DateTime {
    LONDON.to_datetime(at)
}

/// The instant at which a day begins in London; the last stored instant for later days. Source: PIS-154, SCH-006.
pub fn london_midnight(day: Date) -> Timestamp {
    london_time(day, 0, 0)
}

/// The instant of a local time in London, hours 0 to 23 and minutes 0 to 59. A time skipped in spring is moved past the gap. A
/// time repeated in autumn means its first occurrence.
pub fn london_time(day: Date, hour: i8, minute: i8) -> Timestamp {
    let civil = day.at(hour.clamp(0, 23), minute.clamp(0, 59), 0, 0);
    LONDON.to_ambiguous_timestamp(civil).compatible().map_or(instant::LAST, instant::truncate_to_micros)
}

/// The instant of this day at which London's clock shows the same time of day as at `at`; times that are skipped or repeated as for
/// [`london_time`].
pub fn london_time_of(day: Date, at: Timestamp) -> Timestamp {
    let civil = day.to_datetime(london_clock(at).time());
    LONDON.to_ambiguous_timestamp(civil).compatible().map_or(instant::LAST, instant::truncate_to_micros)
}

/// Whether the day is a bank holiday in England and Wales.
pub fn is_bank_holiday(day: Date) -> bool {
    let moved_to = MOVED.iter().any(|(_, to)| *to == day);
    let moved_away = MOVED.iter().any(|(from, _)| *from == day);
    ADDED.contains(&day) || moved_to || (!moved_away && is_regular_holiday(day))
}

/// Whether the day is a working day: Monday to Friday, and not a bank holiday. Source: SO-001.
pub fn is_working_day(day: Date) -> bool {
    !is_weekend(day) && !is_bank_holiday(day)
}

/// The day itself if it is a working day, else the next working day. Source: SCH-004, SO-020.
pub fn working_day_from(mut day: Date) -> Date {
    while !is_working_day(day) && day < Date::MAX {
        day = day.saturating_add(1.day());
    }
    day
}

/// The first working day after the day.
pub fn working_day_after(day: Date) -> Date {
    working_day_from(day.saturating_add(1.day()))
}

/// The working day that is this number of working days before the day; the day itself does not count.
pub fn working_days_before(mut day: Date, count: usize) -> Date {
    for _ in 0..count {
        day = day.saturating_sub(1.day());
        while !is_working_day(day) && day > Date::MIN {
            day = day.saturating_sub(1.day());
        }
    }
    day
}

fn is_weekend(day: Date) -> bool {
    matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Whether the day is an annual holiday as observed: a holiday on a weekend is observed on the next free weekday.
fn is_regular_holiday(day: Date) -> bool {
    let weekday = day.weekday();
    let monday = weekday == Weekday::Monday;
    match (day.month(), day.day()) {
        (1, 1) => !is_weekend(day),
        (1, 2 | 3) => monday,
        (5, 1..=7) => monday,
        (5, 25..=31) | (8, 25..=31) => monday,
        (12, 25 | 26) => !is_weekend(day),
        // The 27th is the substitute day of a Christmas Day on Sunday (Tuesday) or Saturday (Monday); the 28th that of
        // Boxing Day.
        (12, 27) => matches!(weekday, Weekday::Monday | Weekday::Tuesday),
        (12, 28) => matches!(weekday, Weekday::Monday | Weekday::Tuesday),
        (3 | 4, _) => is_easter_holiday(day),
        _ => false,
    }
}

fn is_easter_holiday(day: Date) -> bool {
    let Some(sunday) = easter_sunday(day.year()) else { return false };
    day == sunday.saturating_sub(2.days()) || day == sunday.saturating_add(1.day())
}

/// Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher.
#[allow(clippy::arithmetic_side_effects, reason = "a year has four digits: nothing here leaves 32 bits")]
fn easter_sunday(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let golden = y % 19;
    let century = y / 100;
    let in_century = y % 100;
    let correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - correction + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (in_century / 4) - epact - in_century % 4) % 7;
    let full_moon = (golden + 11 * epact + 22 * weekday) / 451;
    let days = epact + weekday - 7 * full_moon + 114;
    Date::new(year, i8::try_from(days / 31).ok()?, i8::try_from(days % 31 + 1).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn days_of(year: i16) -> impl Iterator<Item = Date> {
        date(year, 1, 1).series(1.day()).take_while(move |day| day.year() == year)
    }

    #[test]
    fn pis_154_a_day_is_londons_day() {
        for (instant, day) in [
            ("2026-07-01T22:59:59Z", date(2026, 7, 1)),
            ("2026-07-01T23:00:00Z", date(2026, 7, 2)),
            ("2026-12-01T23:59:59Z", date(2026, 12, 1)),
            ("2026-12-02T00:00:00Z", date(2026, 12, 2)),
            ("2026-03-28T23:30:00Z", date(2026, 3, 28)),
            ("2026-03-29T23:30:00Z", date(2026, 3, 30)),
            ("2026-10-24T23:30:00Z", date(2026, 10, 25)),
            ("2026-10-25T23:30:00Z", date(2026, 10, 25)),
        ] {
            assert_eq!(london_date(instant.parse().unwrap()), day, "{instant}");
        }
        assert_eq!(london_time(date(2026, 7, 1), 14, 30).to_string(), "2026-07-01T13:30:00Z");
        assert_eq!(london_time(date(2026, 3, 29), 1, 30).to_string(), "2026-03-29T01:30:00Z", "a time spring skips");
        let clock = london_clock("2026-07-01T22:59:59Z".parse().unwrap());
        assert_eq!(clock, date(2026, 7, 1).at(23, 59, 59, 0));
        assert_eq!(london_date(Timestamp::MAX).year(), 9999);
        assert_eq!(london_midnight(Date::MAX), instant::LAST);
    }

    fn any_day() -> impl Strategy<Value = Date> {
        (0_i64..36_000).prop_map(|days| date(2000, 1, 1).saturating_add(days.days()))
    }

    proptest! {
        #[test]
        fn every_year_has_its_eight_holidays_on_weekdays(year in 2000_i16..2200) {
            let holidays: Vec<_> = days_of(year).filter(|day| is_bank_holiday(*day)).collect();
            prop_assert!(holidays.len() >= 8, "{:?}", holidays);
            prop_assert!(holidays.iter().all(|day| !is_weekend(*day)), "{:?}", holidays);
        }

        #[test]
        fn sch_004_rolling_finds_the_very_next_working_day(day in any_day()) {
            let rolled = working_day_from(day);
            prop_assert!(rolled >= day && is_working_day(rolled));
            prop_assert!(day.series(1.day()).take_while(|it| *it < rolled).all(|it| !is_working_day(it)));
            prop_assert!(rolled.duration_since(day).as_hours() <= 5 * 24);
            prop_assert_eq!(working_day_from(rolled), rolled);
        }

        #[test]
        fn pis_154_a_day_begins_at_its_midnight(day in any_day()) {
            let begins = london_midnight(day);
            prop_assert_eq!(london_date(begins), day);
            prop_assert_eq!(london_date(begins.saturating_sub(1.microsecond()).unwrap()), day.yesterday().unwrap());
        }
    }
}
