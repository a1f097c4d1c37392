//! Checks of the holidays against publications: Easter by the statutory tables, bank holidays by the government's
//! lists.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "the numbers of a calendar are small, and an overflow fails the test"
)]

use super::*;

/// The paschal full moons, month and day, by golden number 1 to 19. Easter Sunday is the first Sunday after the paschal full
/// moon.
type FullMoons = [(i8, i8); 19];

/// The full moons from 1700 to 1899. Source: Calendar (New Style) Act 1750, schedule, "A Table to find Easter-Day".
const FULL_MOONS_1700_TO_1899: FullMoons = [
    (4, 13),
    (4, 2),
    (3, 22),
    (4, 10),
    (3, 30),
    (4, 18),
    (4, 7),
    (3, 27),
    (4, 15),
    (4, 4),
    (3, 24),
    (4, 12),
    (4, 1),
    (3, 21),
    (4, 9),
    (3, 29),
    (4, 17),
    (4, 6),
    (3, 26),
];

/// The full moons from 1900 to 2199. Source: the same schedule, the table "from the Year 1900 to the Year 2199 inclusive".
const FULL_MOONS_1900_TO_2199: FullMoons = [
    (4, 14),
    (4, 3),
    (3, 23),
    (4, 11),
    (3, 31),
    (4, 18),
    (4, 8),
    (3, 28),
    (4, 16),
    (4, 5),
    (3, 25),
    (4, 13),
    (4, 2),
    (3, 22),
    (4, 10),
    (3, 30),
    (4, 17),
    (4, 7),
    (3, 27),
];

/// Easter Sunday by the tables.
fn tabulated_easter(year: i16, full_moons: &FullMoons) -> Date {
    let (month, day) = full_moons[usize::try_from(year % 19).unwrap()];
    date(year, month, day).nth_weekday(1, Weekday::Sunday).unwrap()
}

/// Easter Sunday by the method that Gauss published in 1800 and corrected in 1816, as month and day.
fn gauss_easter(year: i64) -> (i64, i64) {
    let golden = year % 19;
    let century = year / 100;
    let moon = (15 - (13 + 8 * century) / 25 + century - century / 4) % 30;
    let sun = (4 + century - century / 4) % 7;
    let days = (19 * golden + moon) % 30;
    let rest = (2 * (year % 4) + 4 * (year % 7) + 6 * days + sun) % 7;
    match (days, rest) {
        (29, 6) => (4, 19),
        (28, 6) if (11 * moon + 11) % 30 < 19 => (4, 18),
        _ if days + rest < 10 => (3, 22 + days + rest),
        _ => (4, days + rest - 9),
    }
}

#[test]
fn so_001_easter_is_where_the_statutory_tables_have_it() {
    for (years, full_moons) in [(1700..1900, &FULL_MOONS_1700_TO_1899), (1900..2200, &FULL_MOONS_1900_TO_2199)] {
        for year in years {
            assert_eq!(easter_sunday(year), Some(tabulated_easter(year, full_moons)), "{year}");
        }
    }
    for (year, month, day) in [(1818, 3, 22), (1943, 4, 25), (2000, 4, 23), (2038, 4, 25), (2285, 3, 22)] {
        assert_eq!(easter_sunday(year), Some(date(year, month, day)));
    }
}

#[test]
fn so_001_easter_is_where_gauss_has_it_to_the_end_of_the_calendar() {
    for year in 1583..=9999 {
        let found = easter_sunday(year).map(|sunday| (i64::from(sunday.month()), i64::from(sunday.day())));
        assert_eq!(found, Some(gauss_easter(i64::from(year))), "{year}");
    }
}

/// Days of a year, month and day.
type Days = &'static [(i8, i8)];

/// The bank holidays of England and Wales. Source: gov.uk, "UK bank holidays", from 2012 on; before that the Banking
/// and Financial Dealings Act 1971 with the proclamations for the year.
const PUBLISHED: &[(i16, Days)] = &[
    (1999, &[(1, 1), (4, 2), (4, 5), (5, 3), (5, 31), (8, 30), (12, 27), (12, 28), (12, 31)]),
    (2002, &[(1, 1), (3, 29), (4, 1), (5, 6), (6, 3), (6, 4), (8, 26), (12, 25), (12, 26)]),
    (2011, &[(1, 3), (4, 22), (4, 25), (4, 29), (5, 2), (5, 30), (8, 29), (12, 26), (12, 27)]),
    (2012, &[(1, 2), (4, 6), (4, 9), (5, 7), (6, 4), (6, 5), (8, 27), (12, 25), (12, 26)]),
    (2013, &[(1, 1), (3, 29), (4, 1), (5, 6), (5, 27), (8, 26), (12, 25), (12, 26)]),
    (2014, &[(1, 1), (4, 18), (4, 21), (5, 5), (5, 26), (8, 25), (12, 25), (12, 26)]),
    (2015, &[(1, 1), (4, 3), (4, 6), (5, 4), (5, 25), (8, 31), (12, 25), (12, 28)]),
    (2016, &[(1, 1), (3, 25), (3, 28), (5, 2), (5, 30), (8, 29), (12, 26), (12, 27)]),
    (2017, &[(1, 2), (4, 14), (4, 17), (5, 1), (5, 29), (8, 28), (12, 25), (12, 26)]),
    (2018, &[(1, 1), (3, 30), (4, 2), (5, 7), (5, 28), (8, 27), (12, 25), (12, 26)]),
    (2019, &[(1, 1), (4, 19), (4, 22), (5, 6), (5, 27), (8, 26), (12, 25), (12, 26)]),
    (2020, &[(1, 1), (4, 10), (4, 13), (5, 8), (5, 25), (8, 31), (12, 25), (12, 28)]),
    (2021, &[(1, 1), (4, 2), (4, 5), (5, 3), (5, 31), (8, 30), (12, 27), (12, 28)]),
    (2022, &[(1, 3), (4, 15), (4, 18), (5, 2), (6, 2), (6, 3), (8, 29), (9, 19), (12, 26), (12, 27)]),
    (2023, &[(1, 2), (4, 7), (4, 10), (5, 1), (5, 8), (5, 29), (8, 28), (12, 25), (12, 26)]),
    (2024, &[(1, 1), (3, 29), (4, 1), (5, 6), (5, 27), (8, 26), (12, 25), (12, 26)]),
    (2025, &[(1, 1), (4, 18), (4, 21), (5, 5), (5, 26), (8, 25), (12, 25), (12, 26)]),
    (2026, &[(1, 1), (4, 3), (4, 6), (5, 4), (5, 25), (8, 31), (12, 25), (12, 28)]),
    (2027, &[(1, 1), (3, 26), (3, 29), (5, 3), (5, 31), (8, 30), (12, 27), (12, 28)]),
    (2028, &[(1, 3), (4, 14), (4, 17), (5, 1), (5, 29), (8, 28), (12, 25), (12, 26)]),
];

#[test]
fn so_001_bank_holidays_are_those_published() {
    for (year, published) in PUBLISHED {
        let days = date(*year, 1, 1).series(1.day()).take_while(|day| day.year() == *year);
        let found: Vec<_> = days.filter(|day| is_bank_holiday(*day)).map(|day| (day.month(), day.day())).collect();
        assert_eq!(&found, published, "{year}");
    }
}
