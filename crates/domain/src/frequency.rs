//! The frequencies of standing orders in both versions. Source: AIS-172, SO-001, SO-004, V4-010, V4-016.
//!
//! The days computed here are those of the schedule. A payment on a non-working day is made on the next working day,
//! and the schedule does not drift (SO-020).

#[cfg(test)]
mod tests;

use crate::calendar::{is_working_day, working_day_after};
use crate::code::StoredCode;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A quarter-day calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quarter {
    /// 25 March, 24 June, 29 September, 25 December.
    English,
    /// 2 February, 15 May, 1 August, 11 November.
    Scottish,
    /// 28 February, 28 May, 28 August, 28 November. The same on the wire as the other Scottish days. Source: X-23.
    ScottishStatutory,
    /// 20 March, 19 June, 24 September, 20 December.
    Received,
}

crate::code::document_codes! {
    Quarter {
        English = "english", Scottish = "scottish", ScottishStatutory = "scottish-statutory", Received = "received",
    }
}

/// The days that a bank uses as Scottish quarter days. A schedule keeps the days with which it was created. Source: X-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ScottishQuarterDays {
    /// 2 February, 15 May, 1 August and 11 November: the days of the standard's pages.
    #[default]
    Traditional,
    /// The 28th of February, May, August and November: the days of the standard's FAQ, and of Scots law since 1990.
    Statutory,
}

impl ScottishQuarterDays {
    /// Both definitions.
    pub const ALL: [Self; 2] = [Self::Traditional, Self::Statutory];

    const fn quarter(self) -> Quarter {
        match self {
            Self::Traditional => Quarter::Scottish,
            Self::Statutory => Quarter::ScottishStatutory,
        }
    }
}

/// A frequency. The bounds in the doc comments are those of the pattern in AIS-172.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Frequency {
    /// Unknown (`NotKnown`).
    NotKnown,
    /// Every day (`EvryDay`).
    EveryDay,
    /// Every working day (`EvryWorkgDay`).
    EveryWorkingDay,
    /// Every n days, 2 to 31 (`IntrvlDay`).
    IntervalDay(u8),
    /// On a weekday of every n-th week, 1 to 9 (`IntrvlWkDay`).
    IntervalWeekDay(u8, #[serde(with = "crate::stored")] Weekday),
    /// On a weekday of every second week, beginning with the week after the anchor's week. Only v4.0 has it (`FRTN` with `08` to
    /// `14`). Source: V4-014.
    SecondWeekDay(#[serde(with = "crate::stored")] Weekday),
    /// On a weekday of the n-th week of each month, 1 to 5 (`WkInMnthDay`).
    WeekInMonthDay(u8, #[serde(with = "crate::stored")] Weekday),
    /// On a day of every n-th month, 1 to 6, 12 or 24; day 1 to 31 from the start of the month, -1 to -5 from its end
    /// (`IntrvlMnthDay`).
    IntervalMonthDay(u8, i8),
    /// On quarter days (`QtrDay`).
    QuarterDay(Quarter),
    /// On the k-th last working day of each month, 1 to 5. Only v4.0 has it (`LWMH`). Source: V4-016.
    WorkingDayFromMonthEnd(u8),
    /// On the k-th last day of March, June, September and December, 1 to 5. Only v4.0 has it (`QURT`). Source: V4-016.
    DayFromQuarterEnd(u8),
}

/// The stored text: the kind, then its numbers; weekdays are numbered from Monday, 1.
impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotKnown => f.write_str("not-known"),
            Self::EveryDay => f.write_str("every-day"),
            Self::EveryWorkingDay => f.write_str("every-working-day"),
            Self::IntervalDay(days) => write!(f, "interval-day:{days}"),
            Self::IntervalWeekDay(weeks, day) => write!(f, "interval-week-day:{weeks}:{}", day.to_monday_one_offset()),
            Self::SecondWeekDay(day) => write!(f, "second-week-day:{}", day.to_monday_one_offset()),
            Self::WeekInMonthDay(week, day) => write!(f, "week-in-month-day:{week}:{}", day.to_monday_one_offset()),
            Self::IntervalMonthDay(months, day) => write!(f, "interval-month-day:{months}:{day}"),
            Self::QuarterDay(quarter) => write!(f, "quarter-day:{}", quarter.code()),
            Self::WorkingDayFromMonthEnd(back) => write!(f, "working-day-from-month-end:{back}"),
            Self::DayFromQuarterEnd(back) => write!(f, "day-from-quarter-end:{back}"),
        }
    }
}

/// The text is not the stored form of a frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a frequency")]
pub struct NotAFrequency;

impl FromStr for Frequency {
    type Err = NotAFrequency;

    fn from_str(text: &str) -> Result<Self, NotAFrequency> {
        let mut parts = text.split(':');
        let kind = parts.next();
        let first = parts.next();
        let second = parts.next();
        let end = parts.next();
        let number = |part: &str| part.parse().map_err(|_| NotAFrequency);
        let weekday = |part: &str| {
            let day = part.parse().map_err(|_| NotAFrequency)?;
            Weekday::from_monday_one_offset(day).map_err(|_| NotAFrequency)
        };
        match (kind, first, second, end) {
            (Some("not-known"), None, None, None) => Ok(Self::NotKnown),
            (Some("every-day"), None, None, None) => Ok(Self::EveryDay),
            (Some("every-working-day"), None, None, None) => Ok(Self::EveryWorkingDay),
            (Some("interval-day"), Some(days), None, None) => Ok(Self::IntervalDay(number(days)?)),
            (Some("interval-week-day"), Some(weeks), Some(day), None) => {
                Ok(Self::IntervalWeekDay(number(weeks)?, weekday(day)?))
            }
            (Some("second-week-day"), Some(day), None, None) => Ok(Self::SecondWeekDay(weekday(day)?)),
            (Some("week-in-month-day"), Some(week), Some(day), None) => {
                Ok(Self::WeekInMonthDay(number(week)?, weekday(day)?))
            }
            (Some("interval-month-day"), Some(months), Some(day), None) => {
                Ok(Self::IntervalMonthDay(number(months)?, day.parse().map_err(|_| NotAFrequency)?))
            }
            (Some("quarter-day"), Some(quarter), None, None) => {
                Quarter::from_code(quarter).map(Self::QuarterDay).ok_or(NotAFrequency)
            }
            (Some("working-day-from-month-end"), Some(back), None, None) => {
                Ok(Self::WorkingDayFromMonthEnd(number(back)?))
            }
            (Some("day-from-quarter-end"), Some(back), None, None) => Ok(Self::DayFromQuarterEnd(number(back)?)),
            _ => Err(NotAFrequency),
        }
    }
}

impl Frequency {
    /// Replaces Scottish quarter days by the days that the bank uses; any other frequency is returned unchanged. Source: X-23.
    #[must_use]
    pub const fn with_scottish_days(self, days: ScottishQuarterDays) -> Self {
        match self {
            Self::QuarterDay(Quarter::Scottish | Quarter::ScottishStatutory) => Self::QuarterDay(days.quarter()),
            Self::QuarterDay(Quarter::English | Quarter::Received)
            | Self::NotKnown
            | Self::EveryDay
            | Self::EveryWorkingDay
            | Self::IntervalDay(_)
            | Self::IntervalWeekDay(..)
            | Self::SecondWeekDay(_)
            | Self::WeekInMonthDay(..)
            | Self::IntervalMonthDay(..)
            | Self::WorkingDayFromMonthEnd(_)
            | Self::DayFromQuarterEnd(_) => self,
        }
    }

    /// The scheduled days after the anchor, up to the end of the calendar; no days for `NotKnown`. Source: SO-019.
    pub fn days_after(self, anchor: Date) -> impl Iterator<Item = Date> {
        std::iter::successors(self.next_after(anchor, anchor), move |day| self.next_after(anchor, *day))
    }

    /// The first scheduled day after `day`; `None` for `NotKnown` and at the end of the calendar. No day before the
    /// anchor is scheduled.
    pub fn next_after(self, anchor: Date, day: Date) -> Option<Date> {
        let day = day.max(anchor);
        match self {
            Self::NotKnown => None,
            Self::EveryDay => day.tomorrow().ok(),
            Self::EveryWorkingDay => Some(working_day_after(day)).filter(|next| *next > day),
            Self::IntervalDay(days) => step_past(anchor, i64::from(days), day),
            Self::IntervalWeekDay(weeks, weekday) => {
                step_past(in_week_after(anchor, 0, weekday)?, i64::from(weeks).saturating_mul(7), day)
            }
            Self::SecondWeekDay(weekday) => step_past(in_week_after(anchor, 1, weekday)?, 14, day),
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
            Self::WorkingDayFromMonthEnd(back) => {
                first_in_months(day, day, 1, |month| working_day_from_end(month, back))
            }
            Self::DayFromQuarterEnd(back) => {
                let nominal = i8::try_from(back).ok()?.checked_neg()?;
                first_in_months(quarter_end(day)?, day, 3, |month| on_day_of_month(month, nominal))
            }
        }
    }
}

impl Quarter {
    /// The quarter days, month and day, in the order of the year.
    const fn days(self) -> [(i8, i8); 4] {
        match self {
            Self::English => [(3, 25), (6, 24), (9, 29), (12, 25)],
            Self::Scottish => [(2, 2), (5, 15), (8, 1), (11, 11)],
            Self::ScottishStatutory => [(2, 28), (5, 28), (8, 28), (11, 28)],
            Self::Received => [(3, 20), (6, 19), (9, 24), (12, 20)],
        }
    }
}

/// The day with this weekday in the week that begins `weeks` weeks after the Monday of the anchor's week.
fn in_week_after(anchor: Date, weeks: i64, weekday: Weekday) -> Option<Date> {
    let monday = anchor.checked_sub(i64::from(anchor.weekday().to_monday_zero_offset()).days()).ok()?;
    let days = weeks.saturating_mul(7).saturating_add(i64::from(weekday.to_monday_zero_offset()));
    monday.checked_add(days.days()).ok()
}

/// The first day after `day` that is a multiple of `step` days after `first`.
fn step_past(first: Date, step: i64, day: Date) -> Option<Date> {
    let passed = i64::from(first.until(day).ok()?.get_days());
    let steps = passed.div_euclid(step.max(1)).saturating_add(1).max(0);
    first.checked_add(steps.saturating_mul(step.max(1)).days()).ok()
}

/// The first day after `day` that `rule` yields, tried for every `every`-th month from the anchor's month on.
fn first_in_months(anchor: Date, day: Date, every: i64, rule: impl Fn(Date) -> Option<Date>) -> Option<Date> {
    let number = |date: Date| i64::from(date.year()).saturating_mul(12).saturating_add(i64::from(date.month()));
    let every = every.max(1);
    let passed = number(day).saturating_sub(number(anchor)).div_euclid(every);
    // The day of the present step may still be ahead; otherwise it is the day of the next step.
    [passed, passed.saturating_add(1)].into_iter().find_map(|steps| {
        let month = anchor.first_of_month().checked_add(steps.saturating_mul(every).months()).ok()?;
        rule(month).filter(|found| *found > day)
    })
}

/// The n-th weekday of a month; the fifth is the last if there are four. Source: SO-001.
fn in_week_of_month(month: Date, week: u8, weekday: Weekday) -> Option<Date> {
    let week = i8::try_from(week).ok()?;
    month.nth_weekday_of_month(week, weekday).or_else(|_| month.nth_weekday_of_month(-1, weekday)).ok()
}

/// A day of a month, counted from its start or, if negative, from its end; the last day if the month is shorter.
fn on_day_of_month(month: Date, nominal: i8) -> Option<Date> {
    let last = month.days_in_month();
    let day = if nominal < 0 { last.checked_add(nominal)?.checked_add(1)?.max(1) } else { nominal.min(last).max(1) };
    Date::new(month.year(), month.month(), day).ok()
}

/// The k-th last working day of a month; the first one if the month has fewer. Source: V4-016.
fn working_day_from_end(month: Date, back: u8) -> Option<Date> {
    let days = std::iter::successors(Some(month.last_of_month()), |day| day.yesterday().ok());
    let working = days.take_while(|day| day.month() == month.month()).filter(|day| is_working_day(*day));
    working.take(usize::from(back.max(1))).last()
}

/// The last month of a day's quarter of the year.
fn quarter_end(day: Date) -> Option<Date> {
    let months = i64::from(day.month()).saturating_sub(1).rem_euclid(3);
    day.first_of_month().checked_add(2_i64.saturating_sub(months).months()).ok()
}
