//! How often something recurs.

use jiff::civil::Weekday;
use lombard_domain::code::Word;
use lombard_domain::frequency::{Frequency, Quarter};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One variant per form; weekdays count from Monday, 1.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrequencyRecord {
    NotKnown,
    EveryDay,
    EveryWorkingDay,
    IntervalDay(u8),
    IntervalWeekDay(u8, i8),
    WeekInMonthDay(u8, i8),
    IntervalMonthDay(u8, i8),
    QuarterDay(Word<Quarter>),
}

impl FrequencyRecord {
    pub fn of(it: Frequency) -> Self {
        match it {
            Frequency::NotKnown => Self::NotKnown,
            Frequency::EveryDay => Self::EveryDay,
            Frequency::EveryWorkingDay => Self::EveryWorkingDay,
            Frequency::IntervalDay(days) => Self::IntervalDay(days),
            Frequency::IntervalWeekDay(weeks, day) => Self::IntervalWeekDay(weeks, day.to_monday_one_offset()),
            Frequency::WeekInMonthDay(week, day) => Self::WeekInMonthDay(week, day.to_monday_one_offset()),
            Frequency::IntervalMonthDay(months, day) => Self::IntervalMonthDay(months, day),
            Frequency::QuarterDay(quarter) => Self::QuarterDay(Word(quarter)),
        }
    }

    pub fn into_domain(self) -> Result<Frequency, Source> {
        let weekday = |day| Weekday::from_monday_one_offset(day);
        Ok(match self {
            Self::NotKnown => Frequency::NotKnown,
            Self::EveryDay => Frequency::EveryDay,
            Self::EveryWorkingDay => Frequency::EveryWorkingDay,
            Self::IntervalDay(days) => Frequency::IntervalDay(days),
            Self::IntervalWeekDay(weeks, day) => Frequency::IntervalWeekDay(weeks, weekday(day)?),
            Self::WeekInMonthDay(week, day) => Frequency::WeekInMonthDay(week, weekday(day)?),
            Self::IntervalMonthDay(months, day) => Frequency::IntervalMonthDay(months, day),
            Self::QuarterDay(Word(quarter)) => Frequency::QuarterDay(quarter),
        })
    }
}
