//! Date-times on the wire: parsed in all ISO 8601 forms, written in one form.
//!
//! Source: RW-080 to RW-087. The parser accepts calendar, week and ordinal dates, in extended or basic form; times to the hour,
//! minute or second, with a fraction of the last unit; and the offsets `Z`, `±hh`, `±hhmm` and `±hh:mm`. Any other text is
//! refused.

use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::instant;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A date-time that a TPP sent: its instant, and the text for the echo (RFC 3339 in the TPP's own offset). Digits of a fraction beyond the
/// fifth are accepted and dropped. Source: RW-083, RW-091.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SentInstant {
    /// The instant as stored: in microseconds, at most [`instant::LAST`].
    pub(crate) instant: Timestamp,
    pub(crate) text: String,
    /// The time since 1970-01-01T00:00:00Z, without a bound. It decides whether two texts denote the same instant, also
    /// beyond the last stored one.
    exact: SignedDuration,
}

impl SentInstant {
    /// Whether both denote the same instant. Source: RW-083, PIS-052.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.exact == other.exact
    }
}

/// Parses a date-time of a request body. The offset defaults to UTC; a date without a time means its midnight. Source: RW-081.
pub(crate) fn read_sent(text: &str) -> Option<SentInstant> {
    let (civil, offset) = TextScan(text.as_bytes()).date_time(TimePosition::Body)?;
    let civil = drop_digits_beyond_fifth(civil)?;
    let offset = offset.unwrap_or(Offset::UTC);
    let since = civil.duration_since(Date::constant(1970, 1, 1).to_datetime(Time::midnight()));
    let exact = since.checked_sub(SignedDuration::from_secs(i64::from(offset.seconds())))?;
    Some(SentInstant { instant: instant_at(civil, offset), text: written(civil, offset), exact })
}

/// The maximum number of digits of a second's fraction in responses. Source: RW-091.
pub(crate) const FRACTION_DIGITS_MAX: usize = 5;

/// The nanoseconds of the last digit that is kept.
const NANOS_OF_FIFTH_DIGIT: i32 = 10_000;

fn drop_digits_beyond_fifth(civil: DateTime) -> Option<DateTime> {
    let nanos = civil.subsec_nanosecond();
    civil.with().subsec_nanosecond(nanos.saturating_sub(nanos % NANOS_OF_FIFTH_DIGIT)).build().ok()
}

/// Parses a date-time of a query parameter. Its offset is ignored and UTC is assumed, also if the `+` of the offset arrived as a
/// space. Source: RW-084 to RW-087.
pub fn parse_query_time(text: &str) -> Option<Timestamp> {
    let (civil, _ignored) = TextScan(text.as_bytes()).date_time(TimePosition::Query)?;
    Some(instant_at(civil, Offset::UTC))
}

/// The last instant of the millisecond of a query date-time. All instants up to there are rendered as this date-time. Source:
/// AIS-125, RW-091.
pub fn end_of_query_time(at: Timestamp) -> Timestamp {
    let below = i64::from(at.subsec_nanosecond().rem_euclid(NANOS_OF_MILLISECOND));
    let rest = SignedDuration::from_nanos(i64::from(NANOS_OF_MILLISECOND).saturating_sub(1).saturating_sub(below));
    at.checked_add(rest).unwrap_or(at)
}

/// The instant as stored. The last stored instant is on 9999-12-30, and later instants become this last one: many TPPs write the
/// end of the year 9999 for "never" (RW-080, AIS-125). Years have four digits, so no instant is too early.
fn instant_at(civil: DateTime, offset: Offset) -> Timestamp {
    offset.to_timestamp(civil).map_or(instant::LAST, instant::truncate_to_micros)
}

const NANOS_OF_MILLISECOND: i32 = 1_000_000;

/// An instant of the bank, written in UTC as `2017-04-05T10:43:07+00:00`, with milliseconds if they are not zero; smaller
/// fractions are omitted. Source: RW-082, RW-083, RW-091.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireInstant(pub(crate) Timestamp);

impl JsonSchema for WireInstant {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Instant")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl Serialize for WireInstant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let civil = Offset::UTC.to_datetime(self.0);
        let nanos = civil.subsec_nanosecond();
        let nanos = nanos.saturating_sub(nanos % NANOS_OF_MILLISECOND);
        serializer.serialize_str(written_with(civil, nanos, Offset::UTC).as_str())
    }
}

/// A date of the bank, written as its midnight in UTC. Source: AIS-104.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireDay(pub(crate) Date);

/// The schema is that of a date-time.
impl JsonSchema for WireDay {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Day")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        WireInstant::json_schema(generator)
    }
}

impl Serialize for WireDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&written(self.0.to_datetime(Time::midnight()), Offset::UTC))
    }
}

fn written(civil: DateTime, offset: Offset) -> String {
    written_with(civil, civil.subsec_nanosecond(), offset).as_str().to_owned()
}

/// The text with this fraction of the second. It is formatted by hand and without an allocation, because lists contain hundreds
/// of date-times; a general formatter takes four times as long.
fn written_with(civil: DateTime, nanos: i32, offset: Offset) -> InstantText {
    let mut out = InstantText { bytes: [0; INSTANT_BYTES_MAX], len: 0 };
    out.digits::<4>(i32::from(civil.year()));
    for (mark, value) in [
        (b'-', civil.month()),
        (b'-', civil.day()),
        (b'T', civil.hour()),
        (b':', civil.minute()),
        (b':', civil.second()),
    ] {
        out.push(mark);
        out.digits::<2>(i32::from(value));
    }
    if nanos != 0 {
        out.push(b'.');
        match nanos % NANOS_OF_MILLISECOND {
            0 => out.digits::<3>(nanos / NANOS_OF_MILLISECOND),
            _ => out.digits::<FRACTION_DIGITS_MAX>(nanos / NANOS_OF_FIFTH_DIGIT),
        }
    }
    let minutes = offset.seconds() / 60;
    out.push(if minutes < 0 { b'-' } else { b'+' });
    out.digits::<2>(minutes / 60);
    out.push(b':');
    out.digits::<2>(minutes % 60);
    out
}

/// The longest text: `2017-04-05T10:43:07.12345+00:00`.
const INSTANT_BYTES_MAX: usize = 31;

/// The text of a date-time.
struct InstantText {
    bytes: [u8; INSTANT_BYTES_MAX],
    len: usize,
}

impl InstantText {
    fn as_str(&self) -> &str {
        let written = self.bytes.get(..self.len).unwrap_or_default();
        std::str::from_utf8(written).unwrap_or_default()
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len = self.len.saturating_add(1);
        }
    }

    fn digits<const WIDTH: usize>(&mut self, value: i32) {
        let mut digits = [b'0'; WIDTH];
        let mut rest = value.unsigned_abs();
        for digit in digits.iter_mut().rev() {
            *digit |= u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
        }
        digits.into_iter().for_each(|digit| self.push(digit));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimePosition {
    Body,
    Query,
}

/// The remaining text to parse.
struct TextScan<'a>(&'a [u8]);

impl TextScan<'_> {
    fn date_time(mut self, place: TimePosition) -> Option<(DateTime, Option<Offset>)> {
        let date = self.date()?;
        if self.0.is_empty() {
            return Some((date.to_datetime(Time::midnight()), None));
        }
        if !self.eat(b'T') && !self.eat(b't') {
            return None;
        }
        let civil = self.time(date)?;
        let offset = self.offset(place)?;
        self.0.is_empty().then_some((civil, offset))
    }

    fn date(&mut self) -> Option<Date> {
        let year = i16::try_from(self.number(4)?).ok()?;
        let extended = self.eat(b'-');
        if self.eat(b'W') {
            let week = i8::try_from(self.number(2)?).ok()?;
            if extended && !self.eat(b'-') {
                return None;
            }
            let day = Weekday::from_monday_one_offset(i8::try_from(self.number(1)?).ok()?).ok()?;
            return Some(ISOWeekDate::new(year, week, day).ok()?.date());
        }
        if self.digits_ahead() == 3 {
            let day = i16::try_from(self.number(3)?).ok()?;
            return Date::new(year, 1, 1).ok()?.with().day_of_year(day).build().ok();
        }
        let month = i8::try_from(self.number(2)?).ok()?;
        if extended && !self.eat(b'-') {
            return None;
        }
        Date::new(year, month, i8::try_from(self.number(2)?).ok()?).ok()
    }

    fn time(&mut self, date: Date) -> Option<DateTime> {
        const UNITS: [i64; 3] = [3_600_000_000_000, 60_000_000_000, 1_000_000_000];
        const LIMITS: [u32; 3] = [24, 59, 60];
        let mut nanos: i64 = 0;
        let mut smallest = 0_i64;
        for (index, (unit, limit)) in UNITS.into_iter().zip(LIMITS).enumerate() {
            if index > 0 && !self.eat(b':') && self.digits_ahead() < 2 {
                break;
            }
            let value = self.number(2).filter(|value| *value <= limit)?;
            // A leap second is read as the last second of its minute.
            let value = if index == 2 { value.min(59) } else { value };
            nanos = nanos.checked_add(i64::from(value).checked_mul(unit)?)?;
            smallest = unit;
        }
        if self.eat(b'.') || self.eat(b',') {
            nanos = nanos.checked_add(self.fraction_of(smallest)?)?;
        }
        const DAY: i64 = 86_400_000_000_000;
        if nanos > DAY {
            return None;
        }
        // 24:00 is midnight of the next day.
        date.to_datetime(Time::midnight()).checked_add(jiff::SignedDuration::from_nanos(nanos)).ok()
    }

    /// A fraction of a unit in nanoseconds; further digits are dropped.
    fn fraction_of(&mut self, unit: i64) -> Option<i64> {
        let count = self.digits_ahead();
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        let mut scale: i128 = 1;
        let mut value: i128 = 0;
        for digit in digits.iter().take(15) {
            scale = scale.checked_mul(10)?;
            value = value.checked_mul(10)?.checked_add(i128::from(digit.wrapping_sub(b'0')))?;
        }
        if count == 0 {
            return None;
        }
        i64::try_from(value.checked_mul(i128::from(unit))?.checked_div(scale)?).ok()
    }

    /// The offset; `Some(None)` if the text ends without one.
    fn offset(&mut self, place: TimePosition) -> Option<Option<Offset>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.eat(b'Z') || self.eat(b'z') {
            return Some(Some(Offset::UTC));
        }
        let plus = self.eat(b'+') || (place == TimePosition::Query && self.eat(b' '));
        if !plus && !self.eat(b'-') {
            return None;
        }
        let hours = self.number(2).filter(|hours| *hours <= 23)?;
        let minutes = if self.0.is_empty() {
            0
        } else {
            self.eat(b':');
            self.number(2).filter(|minutes| *minutes <= 59)?
        };
        let seconds = i32::try_from(hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?).ok()?;
        let seconds = if plus { seconds } else { seconds.checked_neg()? };
        Offset::from_seconds(seconds).ok().map(Some)
    }

    fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn digits_ahead(&self) -> usize {
        self.0.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn number(&mut self, digits: usize) -> Option<u32> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !number.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sent(text: &str) -> Option<String> {
        read_sent(text).map(|sent| sent.text)
    }

    #[test]
    fn rw_080_every_iso_8601_variant_is_read_and_rw_083_shown_with_its_offset() {
        for (text, shown) in [
            ("2017-04-05T10:43:07+00:00", "2017-04-05T10:43:07+00:00"),
            ("2017-04-05T10:43:07Z", "2017-04-05T10:43:07+00:00"),
            ("2017-04-05T10:43:07+01:00", "2017-04-05T10:43:07+01:00"),
            ("2017-04-05T10:43:07+0100", "2017-04-05T10:43:07+01:00"),
            ("2017-04-05T10:43:07-01", "2017-04-05T10:43:07-01:00"),
            ("2017-04-05T10:43:07-0130", "2017-04-05T10:43:07-01:30"),
            ("2017-04-05T10:43+01:00", "2017-04-05T10:43:00+01:00"),
            ("2017-04-05T10+01:00", "2017-04-05T10:00:00+01:00"),
            ("2017-04-05T10:43:07.5Z", "2017-04-05T10:43:07.500+00:00"),
            ("2017-04-05T10:43:07,1234567Z", "2017-04-05T10:43:07.12345+00:00"),
            ("2017-04-05T10:43:07.9999999Z", "2017-04-05T10:43:07.99999+00:00"),
            ("2017-04-05T10:43:07.000001Z", "2017-04-05T10:43:07+00:00"),
            ("2017-04-05T10:43.5Z", "2017-04-05T10:43:30+00:00"),
            ("20170405T104307Z", "2017-04-05T10:43:07+00:00"),
            ("20170405T104307.567+01", "2017-04-05T10:43:07.567+01:00"),
            ("20170405T1043Z", "2017-04-05T10:43:00+00:00"),
            ("2017-04-05T24:00:00Z", "2017-04-06T00:00:00+00:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
            ("2017-W14-3T10:43:07Z", "2017-04-05T10:43:07+00:00"),
            ("2017W143T104307Z", "2017-04-05T10:43:07+00:00"),
            ("2017-095T10:43:07Z", "2017-04-05T10:43:07+00:00"),
            ("2017095T104307Z", "2017-04-05T10:43:07+00:00"),
        ] {
            assert_eq!(sent(text).as_deref(), Some(shown), "{text}");
        }
    }

    #[test]
    fn rw_081_without_offset_it_is_utc_and_a_date_is_its_midnight() {
        assert_eq!(sent("2017-04-05T10:43:07").as_deref(), Some("2017-04-05T10:43:07+00:00"));
        assert_eq!(sent("2017-04-05").as_deref(), Some("2017-04-05T00:00:00+00:00"));
        assert_eq!(sent("20170405").as_deref(), Some("2017-04-05T00:00:00+00:00"));
    }

    #[test]
    fn rw_089_other_texts_are_not_parsed_as_date_times() {
        for text in [
            "",
            "yesterday",
            "2017",
            "2017-04",
            "2017-4-5",
            "2017-02-29",
            "2017-13-01",
            "2017-366",
            "2017-04-05T",
            "2017-04-05T1",
            "2017-04-05T25:00Z",
            "2017-04-05T24:00:01Z",
            "2017-04-05T10:60Z",
            "2017-04-05T10:43:61Z",
            "2017-04-05T10:43:07.",
            "2017-04-05T10:43:07+",
            "2017-04-05T10:43:07+1",
            "2017-04-05T10:43:07+24:00",
            "2017-04-05T10:43:07+01:60",
            "2017-04-05T10:43:07Zjunk",
            "2017-04-05T10:43:07[Europe/London]",
            "2017-04-05 10:43:07",
            "2017-04-05T10:43:07 01",
            " 2017-04-05",
            "2017-W54-1",
            "2017-W14-8",
            "+2017-04-05",
        ] {
            assert_eq!(sent(text), None, "{text}");
        }
    }

    #[test]
    fn rw_080_and_ais_125_the_end_of_the_calendar_is_a_date_like_any_other() {
        let never = ["9999-12-31T23:59:59+00:00", "9999-12-31T23:59:59-23:59", "9999-12-31T00:00:00+00:00"];
        for text in never {
            let sent = read_sent(text).unwrap();
            assert_eq!((sent.instant, sent.text.as_str()), (instant::LAST, text), "RW-083");
            let same: Vec<_> = never.iter().filter(|it| read_sent(it).unwrap().is_same_as(&sent)).collect();
            assert_eq!(same, [&text], "PIS-052: two ends of the calendar are two instants");
        }
        assert_eq!(parse_query_time("9999-12-31"), Some(instant::LAST));
        assert!(read_sent("0000-01-01T00:00:00+23:59").unwrap().instant > Timestamp::MIN);
        assert_eq!(sent("9999-12-31T24:00:00Z"), None, "there is no year 10000");
    }

    #[test]
    fn rw_084_rw_085_con_48_a_query_date_ignores_its_offset_in_every_spelling() {
        let plain = parse_query_time("2016-01-01T10:40:12");
        assert!(plain.is_some());
        for text in [
            "2016-01-01T10:40:12Z",
            "2016-01-01T10:40:12+01:00",
            "2016-01-01T10:40:12 01",
            "2016-01-01T10:40:12-05",
            "20160101T104012",
            "20160101T104012 01",
            "20160101T104012+01",
        ] {
            assert_eq!(parse_query_time(text), plain, "{text}");
        }
        assert_eq!(parse_query_time("2016-12-31"), parse_query_time("2016-12-31T00:00:00"), "RW-086");
        assert_eq!(parse_query_time("yesterday"), None);
        for (text, end) in [
            ("2016-01-01T10:40:12.5Z", "2016-01-01T10:40:12.500999999Z"),
            ("1969-12-31", "1969-12-31T00:00:00.000999999Z"),
        ] {
            assert_eq!(parse_query_time(text).map(end_of_query_time), Some(end.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn rw_082_rw_091_our_instants_carry_an_offset_and_milliseconds_at_most() {
        let shown =
            |micros: i64| serde_json::to_string(&WireInstant(Timestamp::from_microsecond(micros).unwrap())).unwrap();
        assert_eq!(shown(0), "\"1970-01-01T00:00:00+00:00\"");
        assert_eq!(shown(1_500_000), "\"1970-01-01T00:00:01.500+00:00\"");
        assert_eq!(shown(-1), "\"1969-12-31T23:59:59.999+00:00\"");
        assert_eq!(shown(1_000_999), "\"1970-01-01T00:00:01+00:00\"");
    }

    proptest! {
        #[test]
        fn rw_083_what_is_shown_denotes_the_same_instant(
            micros in -60_000_000_000_000_000_i64..250_000_000_000_000_000,
            quarters in -95_i32..=95,
        ) {
            let instant = Timestamp::from_microsecond(micros.saturating_sub(micros.rem_euclid(10))).unwrap();
            let offset = Offset::from_seconds(quarters.saturating_mul(900)).unwrap();
            let text = written(offset.to_datetime(instant), offset);
            let read = read_sent(&text).unwrap();
            prop_assert_eq!(read.instant, instant);
            prop_assert!(read.is_same_as(&read_sent(&written(Offset::UTC.to_datetime(instant), Offset::UTC)).unwrap()));
            prop_assert_eq!(&read.text, &text);
            prop_assert_eq!(text.parse::<Timestamp>().unwrap(), instant, "an independent reader agrees");
        }

        /// A valid date-time of a body or a query is unchanged by a round trip through storage.
        #[test]
        fn rw_080_every_date_time_is_read_as_it_is_kept(
            (year, month, day) in (0_u16..=9999, 1_u8..=12, 1_u8..=31),
            (hour, minute, second, nanos) in (0_u8..=24, 0_u8..=59, 0_u8..=60, 0_u32..=999_999_999),
            (sign, hours, minutes) in ("[+-]", 0_u8..=23, 0_u8..=59),
        ) {
            let civil = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09}");
            let sent = read_sent(&format!("{civil}{sign}{hours:02}:{minutes:02}")).map(|sent| sent.instant);
            for read in [sent, parse_query_time(&civil)].into_iter().flatten() {
                prop_assert_eq!(instant::from_micros(instant::to_micros(read)).unwrap(), read);
            }
        }

        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "[0-9TWZ:+., -]{0,32}|\\PC{0,20}") {
            let _ = (read_sent(&text), parse_query_time(&text));
        }
    }
}
