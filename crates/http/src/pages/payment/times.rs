//! Days and moments, as payments speak of them: London's.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::calendar::london_clock;

/// A day: `Monday 2 March 2026`.
pub(in crate::pages) fn day(day: Date) -> String {
    day.strftime("%A %-d %B %Y").to_string()
}

/// A day where several are told: `2 March 2026`.
pub(in crate::pages) fn short_day(day: Date) -> String {
    day.strftime("%-d %B %Y").to_string()
}

/// A moment by London's clock: `Monday 2 March 2026 at 15:30, London time`.
pub(in crate::pages) fn moment(at: Timestamp) -> String {
    format!("{}, London time", about(at))
}

/// The same, where it need not be exact.
pub(super) fn about(at: Timestamp) -> String {
    london_clock(at).strftime("%A %-d %B %Y at %H:%M").to_string()
}
