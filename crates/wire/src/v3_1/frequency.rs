//! The frequency patterns of v3.1, parsed and written. Source: SO-001, SO-002, AIS-172.

use crate::parse::{FaultCollector, FromJson, JsonPath};
use jiff::civil::Weekday;
use lombard_domain::frequency::{Frequency, Quarter};
use lombard_domain::refusal::FaultCode;

impl FromJson for Frequency {
    const WANTED: &'static str = "a string";

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let frequency = parse_frequency(text);
        if frequency.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be a frequency of the standard.");
        }
        frequency
    }
}

/// Parses a frequency pattern. `NotKnown` is not parsed: it exists in account information only (SO-003).
pub fn parse_frequency(text: &str) -> Option<Frequency> {
    let mut parts = text.split(':');
    let frequency = match (parts.next()?, parts.next(), parts.next()) {
        ("EvryDay", None, None) => Frequency::EveryDay,
        ("EvryWorkgDay", None, None) => Frequency::EveryWorkingDay,
        ("IntrvlDay", Some(days), None) => Frequency::IntervalDay(number(days, 2..=31)?),
        ("IntrvlWkDay", Some(weeks), Some(day)) => Frequency::IntervalWeekDay(number(weeks, 1..=9)?, weekday(day)?),
        ("WkInMnthDay", Some(week), Some(day)) => Frequency::WeekInMonthDay(number(week, 1..=5)?, weekday(day)?),
        ("IntrvlMnthDay", Some(months), Some(day)) => {
            let months = number(months, 1..=24).filter(|it| matches!(it, 1..=6 | 12 | 24))?;
            Frequency::IntervalMonthDay(months, day_of_month(day)?)
        }
        ("QtrDay", Some("ENGLISH"), None) => Frequency::QuarterDay(Quarter::English),
        ("QtrDay", Some("SCOTTISH"), None) => Frequency::QuarterDay(Quarter::Scottish),
        ("QtrDay", Some("RECEIVED"), None) => Frequency::QuarterDay(Quarter::Received),
        _ => return None,
    };
    parts.next().is_none().then_some(frequency)
}

/// The pattern of a frequency; weekdays are numbered from Monday, `01`. Source: AIS-172.
pub fn frequency(frequency: Frequency) -> String {
    match frequency {
        Frequency::NotKnown => "NotKnown".into(),
        Frequency::EveryDay => "EvryDay".into(),
        Frequency::EveryWorkingDay => "EvryWorkgDay".into(),
        Frequency::IntervalDay(days) => format!("IntrvlDay:{days:02}"),
        Frequency::IntervalWeekDay(weeks, day) => format!("IntrvlWkDay:{weeks:02}:{:02}", day.to_monday_one_offset()),
        // No pattern can state in which of two weeks the day is (V4-013).
        Frequency::SecondWeekDay(day) => format!("IntrvlWkDay:02:{:02}", day.to_monday_one_offset()),
        Frequency::WeekInMonthDay(week, day) => format!("WkInMnthDay:{week:02}:{:02}", day.to_monday_one_offset()),
        Frequency::IntervalMonthDay(months, day) if day < 0 => format!("IntrvlMnthDay:{months:02}:{day:03}"),
        Frequency::IntervalMonthDay(months, day) => format!("IntrvlMnthDay:{months:02}:{day:02}"),
        Frequency::QuarterDay(Quarter::English) => "QtrDay:ENGLISH".into(),
        Frequency::QuarterDay(Quarter::Scottish | Quarter::ScottishStatutory) => "QtrDay:SCOTTISH".into(),
        Frequency::QuarterDay(Quarter::Received) => "QtrDay:RECEIVED".into(),
        // No pattern can count working days from the end of a month (V4-013).
        Frequency::WorkingDayFromMonthEnd(_) => "NotKnown".into(),
        Frequency::DayFromQuarterEnd(back) => format!("IntrvlMnthDay:03:-{back:02}"),
    }
}

/// A number of exactly two digits.
fn number(text: &str, range: std::ops::RangeInclusive<u8>) -> Option<u8> {
    let digits = text.len() == 2 && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|it| digits && range.contains(it))
}

/// The weekday of a number; Monday is 1. Source: SO-004.
fn weekday(text: &str) -> Option<Weekday> {
    Weekday::from_monday_one_offset(i8::try_from(number(text, 1..=7)?).ok()?).ok()
}

fn day_of_month(text: &str) -> Option<i8> {
    match text.strip_prefix('-') {
        Some(text) => i8::try_from(number(text, 1..=5)?).ok()?.checked_neg(),
        None => i8::try_from(number(text, 1..=31)?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_001_frequencies_of_the_pattern_are_read() {
        use Frequency as F;
        for (text, frequency) in [
            ("EvryDay", F::EveryDay),
            ("EvryWorkgDay", F::EveryWorkingDay),
            ("IntrvlDay:02", F::IntervalDay(2)),
            ("IntrvlDay:31", F::IntervalDay(31)),
            ("IntrvlWkDay:09:07", F::IntervalWeekDay(9, Weekday::Sunday)),
            ("IntrvlWkDay:01:01", F::IntervalWeekDay(1, Weekday::Monday)),
            ("WkInMnthDay:05:07", F::WeekInMonthDay(5, Weekday::Sunday)),
            ("IntrvlMnthDay:01:-01", F::IntervalMonthDay(1, -1)),
            ("IntrvlMnthDay:24:-05", F::IntervalMonthDay(24, -5)),
            ("IntrvlMnthDay:12:31", F::IntervalMonthDay(12, 31)),
            ("QtrDay:ENGLISH", F::QuarterDay(Quarter::English)),
            ("QtrDay:SCOTTISH", F::QuarterDay(Quarter::Scottish)),
            ("QtrDay:RECEIVED", F::QuarterDay(Quarter::Received)),
        ] {
            assert_eq!(parse_frequency(text), Some(frequency), "{text}");
        }
    }

    #[test]
    fn so_001_to_003_other_texts_are_refused() {
        for text in [
            "",
            "evryday",
            "EvryDay:01",
            "EvryDay ",
            "EvryDay\n",
            " EvryDay",
            "IntrvlDay",
            "IntrvlDay:01",
            "IntrvlDay:32",
            "IntrvlDay:2",
            "IntrvlDay:+2",
            "IntrvlDay:02:01",
            "IntrvlWkDay:10:01",
            "IntrvlWkDay:00:01",
            "IntrvlWkDay:01:08",
            "IntrvlWkDay:01:00",
            "IntrvlWkDay:01",
            "WkInMnthDay:06:01",
            "IntrvlMnthDay:07:01",
            "IntrvlMnthDay:13:01",
            "IntrvlMnthDay:01:00",
            "IntrvlMnthDay:01:-06",
            "IntrvlMnthDay:01:-00",
            "IntrvlMnthDay:01:32",
            "IntrvlMnthDay:01:01:",
            "QtrDay",
            "QtrDay:english",
            "NotKnown",
        ] {
            assert_eq!(parse_frequency(text), None, "{text}");
        }
    }

    #[test]
    fn ais_172_every_kind_of_frequency_in_the_words_of_the_pattern() {
        for (value, text) in [
            (Frequency::NotKnown, "NotKnown"),
            (Frequency::EveryDay, "EvryDay"),
            (Frequency::EveryWorkingDay, "EvryWorkgDay"),
            (Frequency::IntervalDay(2), "IntrvlDay:02"),
            (Frequency::IntervalDay(31), "IntrvlDay:31"),
            (Frequency::IntervalWeekDay(1, Weekday::Monday), "IntrvlWkDay:01:01"),
            (Frequency::IntervalWeekDay(9, Weekday::Sunday), "IntrvlWkDay:09:07"),
            (Frequency::WeekInMonthDay(5, Weekday::Friday), "WkInMnthDay:05:05"),
            (Frequency::IntervalMonthDay(1, 1), "IntrvlMnthDay:01:01"),
            (Frequency::IntervalMonthDay(24, 31), "IntrvlMnthDay:24:31"),
            (Frequency::IntervalMonthDay(6, -1), "IntrvlMnthDay:06:-01"),
            (Frequency::IntervalMonthDay(12, -5), "IntrvlMnthDay:12:-05"),
            (Frequency::QuarterDay(Quarter::English), "QtrDay:ENGLISH"),
            (Frequency::QuarterDay(Quarter::Scottish), "QtrDay:SCOTTISH"),
            (Frequency::QuarterDay(Quarter::ScottishStatutory), "QtrDay:SCOTTISH"),
            (Frequency::QuarterDay(Quarter::Received), "QtrDay:RECEIVED"),
            (Frequency::WorkingDayFromMonthEnd(1), "NotKnown"),
            (Frequency::DayFromQuarterEnd(1), "IntrvlMnthDay:03:-01"),
            (Frequency::SecondWeekDay(Weekday::Friday), "IntrvlWkDay:02:05"),
        ] {
            assert_eq!(frequency(value), text, "V4-013");
        }
    }
}
