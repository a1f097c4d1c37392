//! What single values of a token may be.

use jiff::Timestamp;
use serde_json::Value;

/// The longest an id may be. Source: SET-013, SET-014, SET-016, SET-022.
const ID_CHARS_MAX: usize = 128;

/// Seconds that the clocks of bank and TPP may differ.
pub(super) const SKEW_SECS: i64 = 60;

/// Seconds since 1970 as a time for people, if they are an integer.
pub(super) fn time(value: &Value) -> Option<(i64, String)> {
    let seconds = value.as_i64()?;
    Some((seconds, Timestamp::from_second(seconds).ok()?.to_string()))
}

/// Whether a value is text of a length that ids may have.
pub(super) fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|text| (1..=ID_CHARS_MAX).contains(&text.chars().count()))
}

/// Whether a value is an absolute `https` address.
pub(super) fn is_address(value: &Value) -> bool {
    value.as_str().and_then(|text| url::Url::parse(text).ok()).is_some_and(|url| url.scheme() == "https")
}
