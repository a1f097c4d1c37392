//! Shared parsing of the claims of TPPs' JWTs: dates, audiences, whole numbers, and the error for a claim of a wrong
//! type.

mod types;

use jiff::Timestamp;
use lombard_jose::CompactJws;
use schemars::JsonSchema;
use serde::de::{self, DeserializeOwned, Deserializer, Unexpected};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
pub(crate) use types::wrong_type;

/// Seconds since 1970, read from a JSON number: whole or decimal, cut to whole. Strings are refused.
/// Source: AS-081.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct NumericDate(pub i64);

impl<'de> Deserialize<'de> for NumericDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        let text = number.to_string();
        let whole = text.split_once('.').map_or(text.as_str(), |(whole, _)| whole);
        let seconds = whole.parse().ok().filter(|seconds| (0..=SECONDS_MAX).contains(seconds));
        seconds.map(Self).ok_or_else(|| de::Error::invalid_value(Unexpected::Other("a number"), &"a date in seconds"))
    }
}

/// How far ahead of the server's clock the `iat` and `nbf` of a client's JWT may lie, seconds: clocks differ.
/// Source: AS-181, FAPI 2.0 Security Profile section 5.3.2.1.
const AHEAD_SECS_MAX: i64 = 60;

/// Whether an `iat` or `nbf` is further in the future than the difference of clocks explains. Source: AS-181.
pub(crate) fn is_from_future(seconds: i64, now: Timestamp) -> bool {
    seconds > now.as_second().saturating_add(AHEAD_SECS_MAX)
}

/// The value of a JSON number if it is whole; it may be written with a fraction of zeros.
pub(crate) fn whole_number(number: &Number) -> Option<i64> {
    parse_whole_number(&number.to_string())
}

/// As [`whole_number`], for a number that is written as text, as form parameters are.
pub(crate) fn parse_whole_number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_whole = !fraction.is_empty() && fraction.bytes().all(|digit| digit == b'0');
    whole.parse().ok().filter(|_| is_whole)
}

/// Parses the claims of a JWT. Every field of `T` must be optional.
///
/// # Errors
/// The error description for a claim of a wrong type; `None` if the payload is not one JSON object with distinct names. Source: AS-081.
pub(crate) fn read_claims<T: DeserializeOwned>(jws: &CompactJws) -> Result<T, Option<&'static str>> {
    read_members(jws.claims().map_err(|_| None)?)
}

/// As [`read_claims`], for claims that are already parsed as JSON.
///
/// # Errors
/// As [`read_claims`].
pub(crate) fn read_members<T: DeserializeOwned>(members: Map<String, Value>) -> Result<T, Option<&'static str>> {
    let claims = Value::Object(members);
    T::deserialize(&claims).map_err(|_| {
        let Value::Object(members) = claims else { return None };
        // Each claim is parsed alone to find the one that fails.
        members.into_iter().find_map(|(name, value)| {
            let sentence = wrong_type(&name, &value);
            let alone = Value::Object(Map::from_iter([(name, value)]));
            if T::deserialize(&alone).is_err() { sentence } else { None }
        })
    })
}

/// The end of the year 9999, the latest accepted date. Sums of dates up to it cannot overflow.
const SECONDS_MAX: i64 = 253_402_300_799;

/// An audience: one text or a list of them. Source: RFC 7519 section 4.1.3.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TokenAudience {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl TokenAudience {
    /// Whether the audience contains any of these texts, compared byte for byte.
    pub fn contains_any(&self, accepted: &[&str]) -> bool {
        match self {
            Self::One(audience) => accepted.contains(&audience.as_str()),
            Self::Many(audiences) => audiences.iter().any(|audience| accepted.contains(&audience.as_str())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_081_dates_are_numbers() {
        let read = |json: &str| serde_json::from_str::<NumericDate>(json).ok().map(|date| date.0);
        for (json, seconds) in [
            ("0", Some(0)),
            ("1700000000", Some(1_700_000_000)),
            ("1700000000.9", Some(1_700_000_000)),
            ("1.7e9", Some(1_700_000_000)),
            ("253402300799", Some(SECONDS_MAX)),
            ("253402300800", None),
            ("-1", None),
            ("1e300", None),
            ("\"1700000000\"", None),
            ("null", None),
            ("true", None),
            ("[1]", None),
        ] {
            assert_eq!(read(json), seconds, "{json}");
        }
    }

    #[test]
    fn as_081_a_whole_number_may_have_a_fraction_of_zeros() {
        let read = |json: &str| whole_number(&serde_json::from_str::<Number>(json).unwrap());
        for (json, number) in [
            ("2", Some(2)),
            ("2.0", Some(2)),
            ("-2.000", Some(-2)),
            ("2e3", Some(2_000)),
            ("2.5", None),
            ("1e300", None),
            ("0.1", None),
        ] {
            assert_eq!(read(json), number, "{json}");
        }
        for (text, number) in [("60", Some(60)), ("60.0", Some(60)), ("60.", None), ("60.5", None), ("soon", None)] {
            assert_eq!(parse_whole_number(text), number, "{text}");
        }
    }

    #[test]
    fn as_181_a_date_may_lie_a_minute_ahead() {
        let now = Timestamp::from_second(1_000).unwrap();
        for (seconds, is_ahead) in [(0, false), (1_010, false), (1_060, false), (1_061, true), (1_070, true)] {
            assert_eq!(is_from_future(seconds, now), is_ahead, "{seconds}");
        }
    }

    #[test]
    fn an_audience_is_one_text_or_a_list() {
        let names =
            |json: &str| serde_json::from_str::<TokenAudience>(json).is_ok_and(|it| it.contains_any(&["a", "b"]));
        assert!(names(r#""a""#) && names(r#"["x","b"]"#));
        assert!(!names(r#""A""#) && !names("[]") && !names("7") && !names(r#"[["a"]]"#));
    }

    proptest! {
        #[test]
        fn reading_a_date_never_panics(text in "\\PC{0,40}") {
            let _ = serde_json::from_str::<NumericDate>(&text);
        }
    }
}
