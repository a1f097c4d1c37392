//! The settlement days of other currencies.
//!
//! Sources: European Central Bank, the closing days of TARGET (decision of 14 December 2000, in force since 2002; the
//! real-time services and T2 keep them); Board of Governors of the Federal Reserve System, release K.8, "Holidays
//! Observed".

use super::{easter_sunday, is_weekend, is_working_day};
use crate::money::Currency;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// A calendar of working days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calendar {
    /// Banks of England and Wales: sterling.
    EnglandAndWales,
    /// TARGET: the euro.
    Target,
    /// The Federal Reserve Banks: the US dollar.
    FederalReserve,
    /// Monday to Friday, for a currency whose holidays are unknown.
    Weekdays,
}

impl Calendar {
    /// The settlement calendar of a currency.
    pub fn for_currency(currency: Currency) -> Self {
        match currency {
            Currency::GBP => Self::EnglandAndWales,
            Currency::EUR => Self::Target,
            Currency::USD => Self::FederalReserve,
            _ => Self::Weekdays,
        }
    }

    /// Whether the calendar's currency is settled on the day.
    pub fn is_working_day(self, day: Date) -> bool {
        match self {
            Self::EnglandAndWales => is_working_day(day),
            Self::Target => !is_weekend(day) && !is_target_closing_day(day),
            Self::FederalReserve => !is_weekend(day) && !is_federal_reserve_holiday(day),
            Self::Weekdays => !is_weekend(day),
        }
    }
}

/// The day itself if it is a working day of every calendar, else the next such day.
pub fn common_working_day_from(mut day: Date, calendars: &[Calendar]) -> Date {
    while day < Date::MAX && !calendars.iter().all(|calendar| calendar.is_working_day(day)) {
        day = day.saturating_add(1.day());
    }
    day
}

/// The day that is `count` common working days of all calendars later; with zero, the day itself or the next common
/// working day. A payment with an exchange settles by the calendars of both currencies.
pub fn common_working_days_after(day: Date, count: u16, calendars: &[Calendar]) -> Date {
    let next = |day: Date, _| common_working_day_from(day.saturating_add(1.day()), calendars);
    (0..count).fold(common_working_day_from(day, calendars), next)
}

/// The closing days of TARGET other than weekends; there are no substitute days.
fn is_target_closing_day(day: Date) -> bool {
    let easter =
        |offset: i32| easter_sunday(day.year()).map(|sunday| sunday.saturating_add(offset.days())) == Some(day);
    matches!((day.month(), day.day()), (1 | 5, 1) | (12, 25 | 26)) || easter(-2) || easter(1)
}

/// The holidays of the Federal Reserve Banks other than weekends. A holiday on a Sunday is observed on Monday; a holiday on a
/// Saturday has no substitute day. Juneteenth is included since 2022.
fn is_federal_reserve_holiday(day: Date) -> bool {
    let fixed = |day: Date| match (day.month(), day.day()) {
        (1, 1) | (7, 4) | (11, 11) | (12, 25) => true,
        (6, 19) => day.year() >= 2022,
        _ => false,
    };
    let nth = |nth: i8, weekday| day.nth_weekday_of_month(nth, weekday).is_ok_and(|it| it == day);
    let moving = match day.month() {
        // Martin Luther King Day; Washington's Birthday.
        1 | 2 => nth(3, Weekday::Monday),
        // Memorial Day.
        5 => nth(-1, Weekday::Monday),
        // Labor Day.
        9 => nth(1, Weekday::Monday),
        // Columbus Day.
        10 => nth(2, Weekday::Monday),
        // Thanksgiving.
        11 => nth(4, Weekday::Thursday),
        _ => false,
    };
    let kept_for_sunday = day.weekday() == Weekday::Monday && day.yesterday().is_ok_and(fixed);
    fixed(day) || moving || kept_for_sunday
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    /// The closing days of a year, without weekends.
    fn closed(calendar: Calendar, year: i16) -> Vec<(i8, i8)> {
        let days = date(year, 1, 1).series(1.day()).take_while(|day| day.year() == year);
        let closed = days.filter(|day| !is_weekend(*day) && !calendar.is_working_day(*day));
        closed.map(|day| (day.month(), day.day())).collect()
    }

    #[test]
    fn target_closes_on_the_days_of_the_european_central_bank() {
        for (year, published) in [
            (2019, &[(1, 1), (4, 19), (4, 22), (5, 1), (12, 25), (12, 26)][..]),
            (2020, &[(1, 1), (4, 10), (4, 13), (5, 1), (12, 25)]),
            (2021, &[(1, 1), (4, 2), (4, 5)]),
            (2022, &[(4, 15), (4, 18), (12, 26)]),
            (2023, &[(4, 7), (4, 10), (5, 1), (12, 25), (12, 26)]),
            (2024, &[(1, 1), (3, 29), (4, 1), (5, 1), (12, 25), (12, 26)]),
            (2025, &[(1, 1), (4, 18), (4, 21), (5, 1), (12, 25), (12, 26)]),
            (2026, &[(1, 1), (4, 3), (4, 6), (5, 1), (12, 25)]),
            (2027, &[(1, 1), (3, 26), (3, 29)]),
        ] {
            assert_eq!(closed(Calendar::Target, year), published, "{year}");
        }
    }

    #[test]
    fn the_federal_reserve_closes_on_the_days_of_k_8() {
        for (year, published) in [
            (2021, &[(1, 1), (1, 18), (2, 15), (5, 31), (7, 5), (9, 6), (10, 11), (11, 11), (11, 25)][..]),
            (2022, &[(1, 17), (2, 21), (5, 30), (6, 20), (7, 4), (9, 5), (10, 10), (11, 11), (11, 24), (12, 26)]),
            (2023, &[(1, 2), (1, 16), (2, 20), (5, 29), (6, 19), (7, 4), (9, 4), (10, 9), (11, 23), (12, 25)]),
            (
                2024,
                &[(1, 1), (1, 15), (2, 19), (5, 27), (6, 19), (7, 4), (9, 2), (10, 14), (11, 11), (11, 28), (12, 25)],
            ),
            (
                2025,
                &[(1, 1), (1, 20), (2, 17), (5, 26), (6, 19), (7, 4), (9, 1), (10, 13), (11, 11), (11, 27), (12, 25)],
            ),
            (2026, &[(1, 1), (1, 19), (2, 16), (5, 25), (6, 19), (9, 7), (10, 12), (11, 11), (11, 26), (12, 25)]),
            (2027, &[(1, 1), (1, 18), (2, 15), (5, 31), (7, 5), (9, 6), (10, 11), (11, 11), (11, 25)]),
        ] {
            assert_eq!(closed(Calendar::FederalReserve, year), published, "{year}");
        }
    }

    #[test]
    fn each_currency_has_its_calendar() {
        for (currency, calendar) in [
            (Currency::GBP, Calendar::EnglandAndWales),
            (Currency::EUR, Calendar::Target),
            (Currency::USD, Calendar::FederalReserve),
            ("JPY".parse().unwrap(), Calendar::Weekdays),
        ] {
            assert_eq!(Calendar::for_currency(currency), calendar);
        }
        assert_eq!(closed(Calendar::Weekdays, 2026), []);
        let week = date(2026, 1, 1).series(1.day()).take(4);
        assert_eq!(
            week.map(|day| Calendar::Weekdays.is_working_day(day)).collect::<Vec<_>>(),
            [true, true, false, false]
        );
    }

    #[test]
    fn sch_004_a_working_day_of_both_is_one_of_each() {
        let sterling_and_dollars = [Calendar::EnglandAndWales, Calendar::FederalReserve];
        // The early May bank holiday is a working day in New York; the 4th of July one in London.
        assert_eq!(common_working_day_from(date(2025, 5, 5), &sterling_and_dollars), date(2025, 5, 6));
        assert_eq!(common_working_day_from(date(2025, 7, 4), &sterling_and_dollars), date(2025, 7, 7));
        let sterling_and_euros = [Calendar::EnglandAndWales, Calendar::Target];
        assert_eq!(common_working_days_after(date(2026, 4, 30), 1, &sterling_and_euros), date(2026, 5, 5));
        assert_eq!(common_working_day_from(Date::MAX, &sterling_and_euros), Date::MAX);
    }

    proptest! {
        #[test]
        fn sch_004_the_very_next_common_day_is_found(days in 0_i32..40_000, count in 0_u16..12) {
            const BOTH: [Calendar; 3] = [Calendar::EnglandAndWales, Calendar::Target, Calendar::FederalReserve];
            let day = date(2002, 1, 1).saturating_add(days.days());
            let works = |day: Date| BOTH.iter().all(|calendar| calendar.is_working_day(day));
            let rolled = common_working_day_from(day, &BOTH);
            prop_assert!(rolled >= day && works(rolled));
            prop_assert!(day.series(1.day()).take_while(|it| *it < rolled).all(|it| !works(it)));
            let reached = common_working_days_after(day, count, &BOTH);
            let between = rolled.series(1.day()).take_while(|it| *it < reached);
            prop_assert_eq!(between.filter(|it| works(*it)).count(), usize::from(count));
        }

        #[test]
        fn the_british_calendar_is_the_one_of_the_bank(days in 0_i32..40_000) {
            let day = date(2002, 1, 1).saturating_add(days.days());
            let alone = [Calendar::EnglandAndWales];
            prop_assert_eq!(common_working_day_from(day, &alone), super::super::working_day_from(day));
        }
    }
}
