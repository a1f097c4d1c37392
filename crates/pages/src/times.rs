//! Dates and times in London, as pages about payments show them.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::calendar::london_clock;

/// A day: `Monday 2 March 2026`.
pub(crate) fn day(day: Date) -> String {
    day.strftime("%A %-d %B %Y").to_string()
}

/// A day where several are told: `2 March 2026`.
pub(crate) fn short_day(day: Date) -> String {
    day.strftime("%-d %B %Y").to_string()
}

/// A moment by London's clock: `Monday 2 March 2026 at 15:30, London time`.
pub(crate) fn moment(at: Timestamp) -> String {
    london_clock(at).strftime("%A %-d %B %Y at %H:%M, London time").to_string()
}

/// The same where several are told: `2 March 2026 at 15:30, London time`.
pub(crate) fn short_moment(at: Timestamp) -> String {
    london_clock(at).strftime("%-d %B %Y at %H:%M, London time").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_by_londons_clock_in_winter_and_in_summer() {
        for (at, told) in [
            ("2026-03-02T15:30:00Z", "Monday 2 March 2026 at 15:30, London time"),
            ("2026-07-01T23:30:00Z", "Thursday 2 July 2026 at 00:30, London time"),
        ] {
            let at: Timestamp = at.parse().unwrap();
            assert_eq!(moment(at), told);
            assert!(told.ends_with(&short_moment(at)));
        }
    }
}
