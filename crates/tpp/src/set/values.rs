//! Checks of single values of a token.

use jiff::Timestamp;
use serde_json::Value;

/// The largest number of characters of an id. Source: SET-013, SET-014, SET-016, SET-022.
const ID_CHARS_MAX: usize = 128;

/// The tolerated difference between the clocks of bank and TPP, in seconds.
pub(super) const SKEW_SECS: i64 = 60;

/// Returns the seconds since 1970 and a readable form of the time, if the value is an integer.
pub(super) fn time(value: &Value) -> Option<(i64, String)> {
    let seconds = value.as_i64()?;
    Some((seconds, Timestamp::from_second(seconds).ok()?.to_string()))
}

/// Whether a value is a text of 1 to 128 characters.
pub(super) fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|text| (1..=ID_CHARS_MAX).contains(&text.chars().count()))
}

/// Whether a value is an absolute `https` URL.
pub(super) fn is_address(value: &Value) -> bool {
    value.as_str().and_then(|text| url::Url::parse(text).ok()).is_some_and(|url| url.scheme() == "https")
}
