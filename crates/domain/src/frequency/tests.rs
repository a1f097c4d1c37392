//! The days of schedules: by example, and against a model that walks the calendar day by day.

#![allow(clippy::arithmetic_side_effects, reason = "a model in plain numbers, all of them small")]

use super::*;
use crate::calendar::is_working_day;
use jiff::civil::date;
use proptest::prelude::*;

fn days(frequency: Frequency, anchor: Date, count: usize) -> Vec<String> {
    frequency.days_after(anchor).take(count).map(|day| day.to_string()).collect()
}

#[test]
fn so_001_days_of_the_month_are_clamped_to_short_months_and_leap_years() {
    let last = Frequency::IntervalMonthDay(1, 31);
    assert_eq!(days(last, date(2024, 1, 31), 4), ["2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"]);
    assert_eq!(days(last, date(2023, 1, 31), 1), ["2023-02-28"]);
    let from_end = Frequency::IntervalMonthDay(2, -5);
    assert_eq!(days(from_end, date(2024, 1, 10), 3), ["2024-01-27", "2024-03-27", "2024-05-27"]);
    let yearly = Frequency::IntervalMonthDay(12, 29);
    assert_eq!(days(yearly, date(2024, 2, 29), 4), ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]);
    assert_eq!(days(Frequency::IntervalMonthDay(24, 1), date(2025, 12, 1), 2), ["2027-12-01", "2029-12-01"]);
}

#[test]
fn so_001_weeks_count_from_the_anchors_week() {
    let every_other = Frequency::IntervalWeekDay(2, Weekday::Monday);
    assert_eq!(days(every_other, date(2026, 7, 1), 2), ["2026-07-13", "2026-07-27"], "a Wednesday's Monday has passed");
    let second = Frequency::SecondWeekDay(Weekday::Monday);
    assert_eq!(days(second, date(2026, 7, 1), 2), ["2026-07-06", "2026-07-20"], "FRTN 08 from a Wednesday (V4-014)");
    assert_eq!(days(Frequency::SecondWeekDay(Weekday::Sunday), date(2026, 7, 12), 1), ["2026-07-19"], "FRTN 14");
    let friday = Frequency::IntervalWeekDay(3, Weekday::Friday);
    assert_eq!(days(friday, date(2026, 7, 1), 2), ["2026-07-03", "2026-07-24"]);
    assert_eq!(days(Frequency::IntervalDay(31), date(2026, 1, 31), 2), ["2026-03-03", "2026-04-03"]);
}

#[test]
fn so_001_so_004_the_fifth_weekday_is_the_last_where_there_are_four() {
    let fifth = Frequency::WeekInMonthDay(5, Weekday::Thursday);
    assert_eq!(days(fifth, date(2026, 1, 1), 3), ["2026-01-29", "2026-02-26", "2026-03-26"]);
    let second = Frequency::WeekInMonthDay(2, Weekday::Tuesday);
    assert_eq!(days(second, date(2026, 1, 13), 2), ["2026-02-10", "2026-03-10"]);
}

#[test]
fn so_001_quarter_days_are_those_of_their_calendar() {
    for (quarter, expected) in [
        (Quarter::English, ["2025-12-25", "2026-03-25", "2026-06-24", "2026-09-29", "2026-12-25"]),
        (Quarter::Scottish, ["2026-02-02", "2026-05-15", "2026-08-01", "2026-11-11", "2027-02-02"]),
        (Quarter::ScottishStatutory, ["2026-02-28", "2026-05-28", "2026-08-28", "2026-11-28", "2027-02-28"]),
        (Quarter::Received, ["2025-12-20", "2026-03-20", "2026-06-19", "2026-09-24", "2026-12-20"]),
    ] {
        assert_eq!(days(Frequency::QuarterDay(quarter), date(2025, 12, 1), 5), expected);
    }
}

#[test]
fn x_23_scottish_quarter_days_are_those_that_the_bank_means() {
    use ScottishQuarterDays::{Statutory, Traditional};
    for asked in [Quarter::Scottish, Quarter::ScottishStatutory].map(Frequency::QuarterDay) {
        let first = |meant| days(asked.with_scottish_days(meant), date(2026, 1, 1), 1);
        assert_eq!((first(Traditional), first(Statutory)), (vec!["2026-02-02".into()], vec!["2026-02-28".into()]));
    }
    for other in
        [Frequency::QuarterDay(Quarter::English), Frequency::QuarterDay(Quarter::Received), Frequency::EveryDay]
    {
        assert_eq!(other.with_scottish_days(Statutory), other);
    }
}

#[test]
fn v4_016_days_that_only_v4_0_counts_and_those_of_its_vectors() {
    let from = date(2027, 1, 31);
    assert_eq!(days(Frequency::IntervalMonthDay(1, -1), from, 1), ["2027-02-28"], "MNTH -1");
    assert_eq!(days(Frequency::WeekInMonthDay(5, Weekday::Friday), from, 1), ["2027-02-26"], "LXMH 5");
    let working = Frequency::WorkingDayFromMonthEnd(1);
    assert_eq!(days(working, from, 3), ["2027-02-26", "2027-03-31", "2027-04-30"], "LWMH -1");
    let christmas = Frequency::WorkingDayFromMonthEnd(4);
    assert_eq!(days(christmas, date(2026, 12, 1), 1), ["2026-12-24"], "25, 26 and 28 December are holidays");
    let quarters = Frequency::DayFromQuarterEnd(1);
    assert_eq!(days(quarters, from, 2), ["2027-03-31", "2027-06-30"], "QURT -1");
    assert_eq!(days(quarters, date(2027, 3, 31), 1), ["2027-06-30"]);
    assert_eq!(days(Frequency::DayFromQuarterEnd(5), date(2027, 12, 28), 1), ["2028-03-27"]);
    assert_eq!(days(Frequency::IntervalMonthDay(24, 29), date(2028, 2, 29), 1), ["2030-02-28"], "TWYR");
}

#[test]
fn so_001_working_days_leave_out_weekends_and_bank_holidays() {
    let working = days(Frequency::EveryWorkingDay, date(2026, 12, 24), 3);
    assert_eq!(working, ["2026-12-29", "2026-12-30", "2026-12-31"]);
    assert!(days(Frequency::NotKnown, date(2026, 1, 1), 3).is_empty());
    for frequency in [Frequency::EveryDay, Frequency::EveryWorkingDay] {
        assert_eq!(frequency.next_after(date(2026, 1, 1), Date::MAX), None, "the end of the calendar");
    }
}

/// Whether a schedule has a day: each rule is stated as one condition on that day.
fn has(frequency: Frequency, anchor: Date, day: Date) -> bool {
    let apart = i64::from(anchor.until(day).unwrap().get_days());
    let monday = |date: Date| date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days());
    let months = |date: Date| i64::from(date.year()) * 12 + i64::from(date.month());
    match frequency {
        Frequency::NotKnown => false,
        Frequency::EveryDay => true,
        Frequency::EveryWorkingDay => is_working_day(day),
        Frequency::IntervalDay(every) => apart % i64::from(every) == 0,
        Frequency::IntervalWeekDay(every, weekday) => {
            let weeks = i64::from(monday(anchor).until(monday(day)).unwrap().get_days()) / 7;
            day.weekday() == weekday && weeks % i64::from(every) == 0
        }
        Frequency::SecondWeekDay(weekday) => {
            // The days of two weeks are numbered from the Monday of the anchor's week (V4-014).
            let number = i64::from(monday(anchor).until(day).unwrap().get_days()) % 14 + 1;
            number == 7 + i64::from(weekday.to_monday_one_offset())
        }
        Frequency::WeekInMonthDay(week, weekday) => {
            let nth = (day.day() + 6) / 7;
            let is_last = day.saturating_add(7.days()).month() != day.month();
            day.weekday() == weekday && (nth == i8::try_from(week).unwrap() || (week == 5 && is_last))
        }
        Frequency::IntervalMonthDay(every, nominal) => {
            let due = if nominal < 0 { day.days_in_month() + nominal + 1 } else { nominal.min(day.days_in_month()) };
            day.day() == due && (months(day) - months(anchor)) % i64::from(every) == 0
        }
        Frequency::QuarterDay(quarter) => quarter.days().contains(&(day.month(), day.day())),
        Frequency::WorkingDayFromMonthEnd(back) => {
            let after = day.series(1.day()).skip(1).take_while(|it| it.month() == day.month());
            is_working_day(day) && after.filter(|it| is_working_day(*it)).count() + 1 == usize::from(back)
        }
        Frequency::DayFromQuarterEnd(back) => {
            matches!(day.month(), 3 | 6 | 9 | 12) && day.days_in_month() - day.day() + 1 == i8::try_from(back).unwrap()
        }
    }
}

fn weekdays() -> impl Strategy<Value = Weekday> {
    (1_i8..=7).prop_map(|day| Weekday::from_monday_one_offset(day).unwrap())
}

fn frequencies() -> impl Strategy<Value = Frequency> {
    let day = prop_oneof![1_i8..=31, -5_i8..=-1];
    let months = prop_oneof![1_u8..=6, Just(12), Just(24)];
    prop_oneof![
        Just(Frequency::EveryDay),
        Just(Frequency::EveryWorkingDay),
        (2_u8..=31).prop_map(Frequency::IntervalDay),
        (1_u8..=9, weekdays()).prop_map(|(weeks, day)| Frequency::IntervalWeekDay(weeks, day)),
        weekdays().prop_map(Frequency::SecondWeekDay),
        (1_u8..=5, weekdays()).prop_map(|(week, day)| Frequency::WeekInMonthDay(week, day)),
        (months, day).prop_map(|(months, day)| Frequency::IntervalMonthDay(months, day)),
        prop::sample::select(vec![Quarter::English, Quarter::Scottish, Quarter::ScottishStatutory, Quarter::Received])
            .prop_map(Frequency::QuarterDay),
        (1_u8..=5).prop_map(Frequency::WorkingDayFromMonthEnd),
        (1_u8..=5).prop_map(Frequency::DayFromQuarterEnd),
    ]
}

proptest! {
    #[test]
    fn so_001_a_schedule_has_the_days_a_walk_through_the_calendar_finds(
        frequency in frequencies(),
        anchor in (0_i64..36_500).prop_map(|days| date(2000, 1, 1).saturating_add(days.days())),
    ) {
        let until = anchor.saturating_add(5.years());
        let walked: Vec<_> = anchor.tomorrow().unwrap().series(1.day())
            .take_while(|day| *day <= until)
            .filter(|day| has(frequency, anchor, *day))
            .collect();
        let computed: Vec<_> = frequency.days_after(anchor).take_while(|day| *day <= until).collect();
        prop_assert_eq!(computed, walked);
    }

    #[test]
    fn so_020_the_schedule_does_not_drift(
        frequency in frequencies(),
        anchor in (0_i64..36_500).prop_map(|days| date(2000, 1, 1).saturating_add(days.days())),
        skipped in 0_usize..40,
    ) {
        // The schedule continues unchanged if it is queried from any of its days, or from the day after a delayed payment.
        let all: Vec<_> = frequency.days_after(anchor).take(skipped + 2).collect();
        if let [.., here, next] = all[..] {
            prop_assert_eq!(frequency.next_after(anchor, here), Some(next));
            let late = here.saturating_add(1.day()).min(next.yesterday().unwrap());
            prop_assert_eq!(frequency.next_after(anchor, late), Some(next));
        }
    }
}
