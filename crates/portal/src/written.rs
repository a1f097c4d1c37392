//! Writes times in UTC to the second, so that they compare with logs, and JSON, for the pages of the portal.

use jiff::{SignedDuration, Timestamp};

/// `2026-01-02 03:04:05 UTC`.
pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// The same of a time as the log of requests writes it.
pub(super) fn second(at: &str) -> String {
    at.parse().map_or_else(|_| at.to_owned(), moment)
}

/// How far the clocks must be apart for it to matter on pages, whose times are in seconds.
const APART: SignedDuration = SignedDuration::from_secs(1);

/// Whether two clocks that were read at one moment are apart.
pub(super) fn are_apart(one: Timestamp, other: Timestamp) -> bool {
    one.duration_since(other).abs() >= APART
}

/// JSON over several lines; as it is if it is none.
pub(super) fn pretty(json: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(json);
    value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| json.to_owned())
}
