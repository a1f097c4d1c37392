//! Formats values for the pages of the portal: JSON, and times in UTC to the second, so that they can be compared with logs.

use jiff::{SignedDuration, Timestamp};

/// A time such as `2026-01-02 03:04:05 UTC`.
pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Formats a time of the request log in the same way.
pub(super) fn second(at: &str) -> String {
    at.parse().map_or_else(|_| at.to_owned(), moment)
}

/// The smallest difference between the clocks that pages mention; their times have a resolution of one second.
const APART: SignedDuration = SignedDuration::from_secs(1);

/// Whether two clocks that were read at the same moment differ.
pub(super) fn are_apart(one: Timestamp, other: Timestamp) -> bool {
    one.duration_since(other).abs() >= APART
}

/// Indents JSON; any other text is returned unchanged.
pub(super) fn pretty(json: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(json);
    value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| json.to_owned())
}
