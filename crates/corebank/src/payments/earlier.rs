//! Parses names of v3.1 in records that an earlier release wrote. The present release does not write these names.

use jiff::civil::Weekday;
use lombard_domain::account::AccountScheme;
use lombard_domain::frequency::{Frequency, Quarter};

pub(super) fn account_scheme(name: &str) -> Option<AccountScheme> {
    Some(match name {
        "UK.OBIE.BBAN" => AccountScheme::Bban,
        "UK.OBIE.IBAN" => AccountScheme::Iban,
        "UK.OBIE.PAN" => AccountScheme::Pan,
        "UK.OBIE.Paym" => AccountScheme::Paym,
        "UK.OBIE.SortCodeAccountNumber" => AccountScheme::SortCodeAccountNumber,
        "UK.OBIE.Wallet" => AccountScheme::Wallet,
        _ => return None,
    })
}

pub(super) fn frequency(pattern: &str) -> Option<Frequency> {
    let mut parts = pattern.split(':');
    let (kind, first, second) = (parts.next()?, parts.next(), parts.next());
    let number = || first?.parse().ok();
    let weekday = || Weekday::from_monday_one_offset(second?.parse().ok()?).ok();
    Some(match kind {
        "NotKnown" => Frequency::NotKnown,
        "EvryDay" => Frequency::EveryDay,
        "EvryWorkgDay" => Frequency::EveryWorkingDay,
        "IntrvlDay" => Frequency::IntervalDay(number()?),
        "IntrvlWkDay" => Frequency::IntervalWeekDay(number()?, weekday()?),
        "WkInMnthDay" => Frequency::WeekInMonthDay(number()?, weekday()?),
        "IntrvlMnthDay" => Frequency::IntervalMonthDay(number()?, second?.parse().ok()?),
        "QtrDay" => Frequency::QuarterDay(match first? {
            "ENGLISH" => Quarter::English,
            "SCOTTISH" => Quarter::Scottish,
            "RECEIVED" => Quarter::Received,
            _ => return None,
        }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_earlier_release_is_read() {
        for (pattern, read) in [
            ("NotKnown", Frequency::NotKnown),
            ("EvryDay", Frequency::EveryDay),
            ("EvryWorkgDay", Frequency::EveryWorkingDay),
            ("IntrvlDay:02", Frequency::IntervalDay(2)),
            ("IntrvlWkDay:09:07", Frequency::IntervalWeekDay(9, Weekday::Sunday)),
            ("WkInMnthDay:05:01", Frequency::WeekInMonthDay(5, Weekday::Monday)),
            ("IntrvlMnthDay:12:-05", Frequency::IntervalMonthDay(12, -5)),
            ("IntrvlMnthDay:24:31", Frequency::IntervalMonthDay(24, 31)),
            ("QtrDay:ENGLISH", Frequency::QuarterDay(Quarter::English)),
            ("QtrDay:SCOTTISH", Frequency::QuarterDay(Quarter::Scottish)),
            ("QtrDay:RECEIVED", Frequency::QuarterDay(Quarter::Received)),
        ] {
            assert_eq!(frequency(pattern), Some(read), "{pattern}");
            assert_eq!(read.to_string().parse(), Ok(read), "as it is written now");
        }
        for odd in ["", "IntrvlDay", "IntrvlDay:x", "IntrvlWkDay:01:08", "QtrDay:WELSH", "Weekly"] {
            assert_eq!(frequency(odd), None, "{odd}");
        }
        for scheme in AccountScheme::ALL {
            let known = ["BBAN", "IBAN", "PAN", "Paym", "SortCodeAccountNumber", "Wallet"];
            let read: Vec<_> = known.iter().filter_map(|it| account_scheme(&format!("UK.OBIE.{it}"))).collect();
            assert!(read.contains(&scheme), "{scheme:?}");
        }
        assert_eq!(account_scheme("UK.OBIE.Other"), None);
    }
}
