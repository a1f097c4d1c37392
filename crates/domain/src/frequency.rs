//! How often something recurs, in the terms of v3.1. Source: AIS-172, SO-*.

use jiff::civil::Weekday;

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
