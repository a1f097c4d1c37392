//! Writes the frequencies of v4.0: a code and, if the code alone is not enough, a point in time. Source: V4-010, V4-014.

use crate::v3_1::names::frequency as pattern;
use jiff::civil::Date;
use lombard_domain::frequency::Frequency;
use std::borrow::Cow;

/// The type and the point in time of a frequency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrequencyForm {
    /// A code of `OBFrequency6Code`; the pattern of v3.1 where no code exists.
    pub(crate) kind: Cow<'static, str>,
    /// At most two characters.
    pub(crate) point_in_time: Option<String>,
}

/// The form of a frequency. The day of a schedule in months is written only if it differs from the day of the first payment.
/// Source: V4-010.
pub(crate) fn render(frequency: Frequency, first: Option<Date>) -> FrequencyForm {
    let code = |code: &'static str, point_in_time| FrequencyForm { kind: Cow::Borrowed(code), point_in_time };
    let kept = || FrequencyForm { kind: Cow::Owned(pattern(frequency)), point_in_time: None };
    match frequency {
        Frequency::NotKnown => code("NONE", None),
        Frequency::EveryDay => code("DAIL", None),
        Frequency::EveryWorkingDay => code("WODL", None),
        Frequency::IntervalDay(days) => code("DAIL", Some(format!("{days:02}"))),
        Frequency::IntervalWeekDay(1, day) => code("WEEK", Some(day.to_monday_one_offset().to_string())),
        Frequency::IntervalWeekDay(2, _) => code("FRTN", None),
        Frequency::SecondWeekDay(day) => {
            code("FRTN", Some(format!("{:02}", day.to_monday_one_offset().saturating_add(7))))
        }
        Frequency::IntervalWeekDay(4, _) => code("FOWK", None),
        Frequency::WeekInMonthDay(5, day) => code("LXMH", Some(day.to_monday_one_offset().to_string())),
        Frequency::IntervalMonthDay(1, day) => code("MNTH", Some(point_in_month(day))),
        // With this code, days from the end are counted in a calendar quarter (V4-014).
        Frequency::IntervalMonthDay(3, day) if day < 0 && !first.is_some_and(ends_quarter) => kept(),
        Frequency::WorkingDayFromMonthEnd(back) => code("LWMH", Some(format!("-{back}"))),
        Frequency::DayFromQuarterEnd(back) => code("QURT", Some(format!("-{back}"))),
        Frequency::IntervalMonthDay(months, day) => match code_of_months(months) {
            Some(kind) => code(kind, (first.map(Date::day) != Some(day)).then(|| point_in_month(day))),
            None => kept(),
        },
        Frequency::IntervalWeekDay(..) | Frequency::WeekInMonthDay(..) | Frequency::QuarterDay(_) => kept(),
    }
}

/// The code of a schedule in every n-th month.
const fn code_of_months(months: u8) -> Option<&'static str> {
    match months {
        2 => Some("TWMH"),
        3 => Some("QURT"),
        4 => Some("FOMH"),
        5 => Some("FIMH"),
        6 => Some("MIAN"),
        12 => Some("YEAR"),
        24 => Some("TWYR"),
        _ => None,
    }
}

/// A day of a month, or, counted from its end, `-1` to `-5`.
fn point_in_month(day: i8) -> String {
    if day < 0 { day.to_string() } else { format!("{day:02}") }
}

/// Whether a calendar quarter ends with the month.
fn ends_quarter(day: Date) -> bool {
    day.month() % 3 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{Weekday, date};
    use lombard_domain::frequency::Quarter;

    #[test]
    fn v4_010_every_kind_of_frequency_as_a_code_or_as_the_pattern() {
        use Frequency as F;
        let first = date(2026, 1, 15);
        for (frequency, kind, point) in [
            (F::NotKnown, "NONE", None),
            (F::EveryDay, "DAIL", None),
            (F::EveryWorkingDay, "WODL", None),
            (F::IntervalDay(2), "DAIL", Some("02")),
            (F::IntervalDay(31), "DAIL", Some("31")),
            (F::IntervalWeekDay(1, Weekday::Monday), "WEEK", Some("1")),
            (F::IntervalWeekDay(2, Weekday::Sunday), "FRTN", None),
            (F::SecondWeekDay(Weekday::Monday), "FRTN", Some("08")),
            (F::SecondWeekDay(Weekday::Sunday), "FRTN", Some("14")),
            (F::IntervalWeekDay(3, Weekday::Sunday), "IntrvlWkDay:03:07", None),
            (F::IntervalWeekDay(4, Weekday::Sunday), "FOWK", None),
            (F::WeekInMonthDay(5, Weekday::Friday), "LXMH", Some("5")),
            (F::WeekInMonthDay(2, Weekday::Friday), "WkInMnthDay:02:05", None),
            (F::IntervalMonthDay(1, 15), "MNTH", Some("15")),
            (F::IntervalMonthDay(1, 1), "MNTH", Some("01")),
            (F::IntervalMonthDay(1, -1), "MNTH", Some("-1")),
            (F::IntervalMonthDay(2, 15), "TWMH", None),
            (F::IntervalMonthDay(3, 15), "QURT", None),
            (F::IntervalMonthDay(3, -1), "IntrvlMnthDay:03:-01", None),
            (F::IntervalMonthDay(4, 15), "FOMH", None),
            (F::IntervalMonthDay(5, 7), "FIMH", Some("07")),
            (F::IntervalMonthDay(6, -5), "MIAN", Some("-5")),
            (F::IntervalMonthDay(12, 15), "YEAR", None),
            (F::IntervalMonthDay(24, 31), "TWYR", Some("31")),
            (F::QuarterDay(Quarter::English), "QtrDay:ENGLISH", None),
            (F::QuarterDay(Quarter::Scottish), "QtrDay:SCOTTISH", None),
            (F::QuarterDay(Quarter::ScottishStatutory), "QtrDay:SCOTTISH", None),
            (F::QuarterDay(Quarter::Received), "QtrDay:RECEIVED", None),
        ] {
            let expected = FrequencyForm { kind: kind.into(), point_in_time: point.map(str::to_owned) };
            assert_eq!(render(frequency, Some(first)), expected, "{frequency:?}");
        }
        let unknown_start = render(F::IntervalMonthDay(12, 15), None);
        assert_eq!(unknown_start.point_in_time.as_deref(), Some("15"), "nothing else says the day");
        let quarter = render(F::IntervalMonthDay(3, -1), Some(date(2026, 3, 31)));
        assert_eq!((&*quarter.kind, quarter.point_in_time.as_deref()), ("QURT", Some("-1")), "V4-014");
    }
}
