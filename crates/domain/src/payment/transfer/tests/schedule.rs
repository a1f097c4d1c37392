//! Schedules: first, intermediate and last payments.

use super::*;
use crate::calendar::is_working_day;
use crate::frequency::{Frequency, Quarter};
use jiff::civil::{Weekday, date};
use proptest::prelude::*;
use std::num::NonZeroU16;

fn due(schedule: &Schedule, count: usize) -> Vec<Date> {
    schedule.occurrences(pounds(100)).take(count).map(|it| it.due_on).collect()
}

fn after(count: u16) -> ScheduleEnd {
    ScheduleEnd::After(NonZeroU16::new(count).unwrap())
}

#[test]
fn so_019_the_first_date_is_literal_and_the_rest_follow_the_frequency() {
    let first = date(2026, 6, 10);
    let on_the_15th = Schedule { frequency: Frequency::IntervalMonthDay(1, 15), ..monthly(first) };
    assert_eq!(due(&on_the_15th, 3), [first, date(2026, 6, 15), date(2026, 7, 15)]);
    let from_august = Schedule { recurring_from: Some(date(2026, 8, 3)), ..on_the_15th };
    assert_eq!(due(&from_august, 4), [first, date(2026, 8, 3), date(2026, 8, 15), date(2026, 9, 15)]);
    let same_day = Schedule { recurring_from: Some(first), ..monthly(first) };
    assert_eq!(due(&same_day, 2), [first, date(2026, 7, 10)], "SO-008: equal to the first says nothing");
}

#[test]
fn so_020_a_day_off_moves_the_payment_and_not_the_schedule() {
    // 31 January 2026 is a Saturday, 3 April 2026 Good Friday.
    let month_end = Schedule { frequency: Frequency::IntervalMonthDay(1, 31), ..monthly(date(2026, 1, 31)) };
    let paid: Vec<_> = month_end.occurrences(pounds(1)).take(4).map(|it| (it.due_on, it.paid_on)).collect();
    assert_eq!(
        paid,
        [
            (date(2026, 1, 31), date(2026, 2, 2)),
            (date(2026, 2, 28), date(2026, 3, 2)),
            (date(2026, 3, 31), date(2026, 3, 31)),
            (date(2026, 4, 30), date(2026, 4, 30)),
        ]
    );
    let easter = monthly(date(2026, 4, 3));
    assert_eq!(easter.occurrences(pounds(1)).next().unwrap().paid_on, date(2026, 4, 7));
}

#[test]
fn so_010_011_a_count_includes_the_first_and_an_end_date_is_a_payment() {
    let first = date(2026, 6, 10);
    let days = |end| due(&Schedule { end, ..monthly(first) }, 50);
    assert_eq!(days(after(1)), [first]);
    assert_eq!(days(after(3)), [first, date(2026, 7, 10), date(2026, 8, 10)]);
    assert_eq!(days(ScheduleEnd::On(first)), [first]);
    assert_eq!(days(ScheduleEnd::On(date(2026, 8, 10))), [first, date(2026, 7, 10), date(2026, 8, 10)]);
    assert_eq!(
        days(ScheduleEnd::On(date(2026, 8, 20))),
        [first, date(2026, 7, 10), date(2026, 8, 10), date(2026, 8, 20)]
    );
    assert_eq!(days(ScheduleEnd::Open).len(), 50);
}

#[test]
fn so_013_amounts_of_the_first_the_others_and_the_last() {
    let pence =
        |schedule: Schedule| schedule.occurrences(pounds(100)).take(4).map(|it| it.amount.minor()).collect::<Vec<_>>();
    let base = monthly(date(2026, 6, 10));
    let regular = Some(pounds(20));
    let last = Some(pounds(3));
    assert_eq!(pence(base.clone()), [100, 100, 100, 100]);
    assert_eq!(pence(Schedule { regular, ..base.clone() }), [100, 20, 20, 20]);
    assert_eq!(pence(Schedule { regular, last, end: after(3), ..base.clone() }), [100, 20, 3]);
    assert_eq!(pence(Schedule { regular, end: after(3), ..base.clone() }), [100, 20, 20]);
    assert_eq!(pence(Schedule { last, end: after(2), ..base.clone() }), [100, 3]);
    assert_eq!(pence(Schedule { last, end: after(1), ..base }), [100], "the first is the first, though it is the last");
}

fn any_frequency() -> impl Strategy<Value = Frequency> {
    let weekday = (1_i8..=7).prop_map(|day| Weekday::from_monday_one_offset(day).unwrap());
    prop_oneof![
        Just(Frequency::EveryDay),
        Just(Frequency::EveryWorkingDay),
        (2_u8..=31).prop_map(Frequency::IntervalDay),
        (1_u8..=9, weekday.clone()).prop_map(|(weeks, day)| Frequency::IntervalWeekDay(weeks, day)),
        weekday.clone().prop_map(Frequency::SecondWeekDay),
        (1_u8..=5, weekday).prop_map(|(week, day)| Frequency::WeekInMonthDay(week, day)),
        (prop::sample::select(vec![1_u8, 2, 3, 4, 5, 6, 12, 24]), prop_oneof![-5_i8..=-1, 1_i8..=31])
            .prop_map(|(months, day)| Frequency::IntervalMonthDay(months, day)),
        prop::sample::select(vec![Quarter::English, Quarter::Scottish, Quarter::ScottishStatutory, Quarter::Received])
            .prop_map(Frequency::QuarterDay),
        (1_u8..=5).prop_map(Frequency::WorkingDayFromMonthEnd),
        (1_u8..=5).prop_map(Frequency::DayFromQuarterEnd),
    ]
}

fn any_end() -> impl Strategy<Value = Option<Result<u16, i64>>> {
    prop::option::of(prop_oneof![(1_u16..60).prop_map(Ok), (0_i64..2_000).prop_map(Err)])
}

proptest! {
    #[test]
    fn so_019_020_payments_are_in_order_end_as_set_and_are_on_working_days(
        frequency in any_frequency(),
        start in 0_i64..3_000,
        recurring in prop::option::of(0_i64..60),
        end in any_end(),
    ) {
        let day = |after: i64| date(2024, 1, 1).saturating_add(jiff::Span::new().days(start.saturating_add(after)));
        let schedule = Schedule {
            frequency,
            first_on: day(0),
            recurring_from: recurring.map(day),
            end: match end {
                None => ScheduleEnd::Open,
                Some(Ok(count)) => after(count),
                Some(Err(days)) => ScheduleEnd::On(day(days.max(recurring.unwrap_or(0)))),
            },
            regular: Some(pounds(2)),
            last: Some(pounds(3)),
        };
        let paid: Vec<_> = schedule.occurrences(pounds(1)).take(100).collect();
        prop_assert!(paid.windows(2).all(|pair| pair[0].due_on < pair[1].due_on), "{:?}", paid);
        prop_assert!(paid.iter().all(|it| it.paid_on >= it.due_on && is_working_day(it.paid_on)));
        prop_assert!(paid.iter().zip(1..).all(|(it, number)| it.number == number));
        prop_assert_eq!(paid[0].due_on, schedule.first_on);
        prop_assert_eq!(paid[0].amount, pounds(1));
        let expected = |it: &Occurrence| if it.is_last { pounds(3) } else { pounds(2) };
        prop_assert!(paid.iter().skip(1).all(|it| it.amount == expected(it)));
        let lasts = paid.iter().filter(|it| it.is_last).count();
        match schedule.end {
            ScheduleEnd::Open => prop_assert_eq!((lasts, paid.len()), (0, 100)),
            ScheduleEnd::After(count) => prop_assert_eq!((lasts, paid.len()), (1, usize::from(count.get()))),
            ScheduleEnd::On(day) => if paid.len() < 100 {
                let last = paid.last().unwrap();
                prop_assert!(last.is_last && lasts == 1 && last.due_on == day);
            },
        }
    }

    /// Whatever days a TPP writes, from the first year to the last: no schedule fails, and none goes back.
    #[test]
    fn rw_080_schedules_run_out_at_the_end_of_the_calendar(
        frequency in any_frequency(),
        (first, recurring, last) in (any_day(), prop::option::of(any_day()), prop::option::of(any_day())),
    ) {
        let end = last.map_or(ScheduleEnd::Open, ScheduleEnd::On);
        let schedule = Schedule { frequency, first_on: first, recurring_from: recurring, end, regular: None, last: None };
        let paid: Vec<_> = schedule.occurrences(pounds(1)).take(30).collect();
        prop_assert!(paid.iter().skip(1).zip(paid.iter().skip(2)).all(|(one, next)| one.due_on < next.due_on));
        prop_assert!(paid.iter().all(|it| it.paid_on >= it.due_on));
    }
}

/// Any day of the calendar; its first and last days are drawn more often.
fn any_day() -> impl Strategy<Value = Date> {
    let day = |after: i32| Date::ZERO.saturating_add(jiff::Span::new().days(after));
    prop_oneof![
        (-2_i32..3_652_100).prop_map(day),
        (0_i32..800).prop_map(|before| Date::MAX.saturating_sub(jiff::Span::new().days(before))),
        (-2_i32..800).prop_map(day),
    ]
}
