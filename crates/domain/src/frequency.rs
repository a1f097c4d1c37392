//! How often something recurs, in the terms of v3.1. Source: AIS-172, SO-001, SO-004.
//!
//! The days given here are those of the schedule: where they fall on a day banks do not work, they are paid on the next
//! one they do, and the schedule does not drift (SO-020).

#[cfg(test)]
mod tests;

use crate::calendar::working_day_after;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// A quarter-day calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quarter {
    /// 25 March, 24 June, 29 September, 25 December.
    English,
    /// 2 February, 15 May, 1 August, 11 November.
    Scottish,
    /// 20 March, 19 June, 24 September, 20 December.
    Received,
}

/// How often. The bounds in the doc comments are those of the pattern in AIS-172.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frequency {
    /// It is not known (`NotKnown`).
    NotKnown,
    /// Every day (`EvryDay`).
    EveryDay,
    /// Every working day (`EvryWorkgDay`).
    EveryWorkingDay,
    /// Every so many days, 2 to 31 (`IntrvlDay`).
    IntervalDay(u8),
    /// On a day of every so-manieth week, 1 to 9 (`IntrvlWkDay`).
    IntervalWeekDay(u8, Weekday),
    /// On a day of the so-manieth week of each month, 1 to 5 (`WkInMnthDay`).
    WeekInMonthDay(u8, Weekday),
    /// On a day of every so-manieth month, 1 to 6, 12 or 24: day 1 to 31 from the first, -1 to -5 from the last (`IntrvlMnthDay`).
    IntervalMonthDay(u8, i8),
    /// On quarter days (`QtrDay`).
    QuarterDay(Quarter),
}

impl Frequency {
    /// The days after the anchor, one after the other, without end; none of what is not known. Source: SO-019.
    pub fn days_after(self, anchor: Date) -> impl Iterator<Item = Date> {
        std::iter::successors(self.next_after(anchor, anchor), move |day| self.next_after(anchor, *day))
    }

    /// The first day after another that a schedule with this anchor has; `None` of what is not known, and at the end of
    /// the calendar. Days before the anchor are not in the schedule.
    pub fn next_after(self, anchor: Date, day: Date) -> Option<Date> {
        let day = day.max(anchor);
        match self {
            Self::NotKnown => None,
            Self::EveryDay => day.tomorrow().ok(),
            Self::EveryWorkingDay => Some(working_day_after(day)).filter(|next| *next > day),
            Self::IntervalDay(days) => step_past(anchor, i64::from(days), day),
            Self::IntervalWeekDay(weeks, weekday) => {
                let monday = anchor.checked_sub(i64::from(anchor.weekday().to_monday_zero_offset()).days()).ok()?;
                let first = monday.checked_add(i64::from(weekday.to_monday_zero_offset()).days()).ok()?;
                step_past(first, i64::from(weeks).saturating_mul(7), day)
            }
            Self::WeekInMonthDay(week, weekday) => {
                first_in_months(day, day, 1, |month| in_week_of_month(month, week, weekday))
            }
            Self::IntervalMonthDay(months, nominal) => {
                first_in_months(anchor, day, i64::from(months), |month| on_day_of_month(month, nominal))
            }
            Self::QuarterDay(quarter) => {
                let of_year =
                    |year| quarter.days().into_iter().filter_map(move |(month, at)| Date::new(year, month, at).ok());
                of_year(day.year()).chain(of_year(day.year().saturating_add(1))).find(|it| *it > day)
            }
        }
    }
}

impl Quarter {
    /// Its days, month and day, in the order of the year.
    const fn days(self) -> [(i8, i8); 4] {
        match self {
            Self::English => [(3, 25), (6, 24), (9, 29), (12, 25)],
            Self::Scottish => [(2, 2), (5, 15), (8, 1), (11, 11)],
            Self::Received => [(3, 20), (6, 19), (9, 24), (12, 20)],
        }
    }
}

/// The first of the days that lie whole steps of so many days from another, after a day.
fn step_past(first: Date, step: i64, day: Date) -> Option<Date> {
    let passed = i64::from(first.until(day).ok()?.get_days());
    let steps = passed.div_euclid(step.max(1)).saturating_add(1).max(0);
    first.checked_add(steps.saturating_mul(step.max(1)).days()).ok()
}

/// The first day after another that a rule gives for a month, in every so-manieth month from an anchor's on.
fn first_in_months(anchor: Date, day: Date, every: i64, rule: impl Fn(Date) -> Option<Date>) -> Option<Date> {
    let number = |date: Date| i64::from(date.year()).saturating_mul(12).saturating_add(i64::from(date.month()));
    let every = every.max(1);
    let passed = number(day).saturating_sub(number(anchor)).div_euclid(every);
    // The month the day is in, or the last one before it, may still have its day to come; else the next one has.
    [passed, passed.saturating_add(1)].into_iter().find_map(|steps| {
        let month = anchor.first_of_month().checked_add(steps.saturating_mul(every).months()).ok()?;
        rule(month).filter(|found| *found > day)
    })
}

/// The so-manieth of a weekday in a month; the fifth is the last when there are four. Source: SO-001.
fn in_week_of_month(month: Date, week: u8, weekday: Weekday) -> Option<Date> {
    let week = i8::try_from(week).ok()?;
    month.nth_weekday_of_month(week, weekday).or_else(|_| month.nth_weekday_of_month(-1, weekday)).ok()
}

/// A day of a month, counted from the first or, below zero, from the last; the last where the month is shorter.
fn on_day_of_month(month: Date, nominal: i8) -> Option<Date> {
    let last = month.days_in_month();
    let day = if nominal < 0 { last.checked_add(nominal)?.checked_add(1)?.max(1) } else { nominal.min(last).max(1) };
    Date::new(month.year(), month.month(), day).ok()
}
