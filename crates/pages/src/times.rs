//! Formats dates and times in London, for pages about payments.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::calendar::london_clock;

/// A day, such as `Monday 2 March 2026`.
pub(crate) fn day(day: Date) -> String {
    day.strftime("%A %-d %B %Y").to_string()
}

/// A day in a list, such as `2 March 2026`.
pub(crate) fn short_day(day: Date) -> String {
    day.strftime("%-d %B %Y").to_string()
}

/// A time by London's clock, such as `Monday 2 March 2026 at 15:30, London time`.
pub(crate) fn moment(at: Timestamp) -> String {
    london_clock(at).strftime("%A %-d %B %Y at %H:%M, London time").to_string()
}

/// A time in a list, such as `2 March 2026 at 15:30, London time`.
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
