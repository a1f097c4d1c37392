//! Shapes that claims of TPPs' JWTs share: dates and audiences.

use schemars::JsonSchema;
use serde::de::{self, Deserializer, Unexpected};
use serde::{Deserialize, Serialize};

/// Seconds since the epoch, read from a JSON number: whole or decimal, cut to whole. Strings are refused.
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

/// The end of the year 9999. Nothing beyond it is a date somebody meant, and sums below stay far from overflow.
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
    /// Whether any of these is meant, compared byte for byte.
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
