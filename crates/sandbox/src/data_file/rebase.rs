//! Moves a history so that it ends today.
//!
//! Every time moves by the same number of whole days, so the order of events and the lengths of periods do not change. Calendar rules are
//! restored afterwards: a payment of the 28th is next due on a 28th, and the current statement period ends with its month.

use super::file::File;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_corebank::routine_plan::{Recurrence, RoutinePlan};
use lombard_corebank::statement::end_of_month;
use lombard_domain::account::{Instalment, StandingOrder};
use lombard_domain::calendar::working_day_from;

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The duration by which a history moves: whole days, so that it ends less than a day before now.
pub(super) fn shift(as_of: Timestamp, now: Timestamp) -> SignedDuration {
    let days = now.as_second().saturating_sub(as_of.as_second()).div_euclid(DAY);
    SignedDuration::from_secs(days.saturating_mul(DAY))
}

/// Restores calendar rules after all times were moved.
pub(super) fn realign(file: &mut File) {
    for order in &mut file.standing_orders.records {
        if let Some(next) = next_turn(order) {
            order.next = Some(next);
        }
    }
    for routine in &mut file.routines.records {
        let Some(due_at) = routine.due_at else { continue };
        let moved = match &mut routine.plan {
            RoutinePlan::Regular(regular) => next_of(&mut regular.recurrence, due_at),
            RoutinePlan::PayCard { rhythm, .. } => next_of(rhythm, due_at),
            RoutinePlan::Close(_) => Some(end_of_month(day_of(due_at))),
        };
        routine.due_at = moved.or(Some(due_at));
    }
}

/// The next payment on a day of the schedule after the move; `None` if the standing order has no next payment in its schedule.
fn next_turn(order: &StandingOrder) -> Option<Instalment> {
    let next = order.next?;
    let day = day_of(next.at);
    let anchor = order.first.map_or(day, |first| day_of(first.at)).min(day).saturating_sub(1.day());
    let due = order.frequency.next_after(anchor, day.saturating_sub(1.day())).map(working_day_from)?;
    let time_of_day = SignedDuration::from_micros(next.at.as_microsecond().rem_euclid(DAY.saturating_mul(1_000_000)));
    let at = midnight(due)?.checked_add(time_of_day).ok()?;
    let is_in_time = order.end.is_none_or(|end| at <= end.at);
    is_in_time.then_some(Instalment { at, amount: next.amount })
}

/// Sets a monthly recurrence to its first date at or after a time.
fn next_of(rhythm: &mut Recurrence, from: Timestamp) -> Option<Timestamp> {
    let Recurrence::Monthly { months, year, month, .. } = rhythm else { return None };
    // The search starts one month earlier, because a date of that month may roll forward past the start.
    let start = day_of(from).first_of_month().saturating_sub(1.month());
    (*year, *month) = (start.year(), start.month());
    let mut due = if months.is_empty() || months.contains(month) { rhythm.due_at() } else { rhythm.advance(from) };
    while let Some(at) = due
        && at < from
    {
        due = rhythm.advance(at);
    }
    due
}

fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

fn midnight(day: Date) -> Option<Timestamp> {
    day.to_zoned(TimeZone::UTC).ok().map(|midnight| midnight.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_corebank::routine_plan::NonWorkingDayRule;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_history_ends_within_the_day_before_now() {
        for (as_of, now, days) in [
            ("2026-01-20T18:00:00Z", "2026-01-20T18:00:00Z", 0),
            ("2026-01-20T18:00:00Z", "2026-11-21T09:00:00Z", 304),
            ("2024-02-29T00:00:00Z", "2025-02-28T00:00:00Z", 365),
            ("2026-01-20T18:00:00Z", "2026-01-19T17:00:00Z", -2),
        ] {
            let shift = shift(at(as_of), at(now));
            assert_eq!(shift, SignedDuration::from_hours(days * 24), "{as_of} {now}");
            assert!(at(as_of) + shift <= at(now) && at(now) < at(as_of) + shift + SignedDuration::from_hours(24));
        }
    }

    #[test]
    fn a_rhythm_of_months_keeps_its_day() {
        let monthly = |day, months: &[i8]| Recurrence::Monthly {
            day,
            months: months.to_vec(),
            roll: NonWorkingDayRule::SameDay,
            hour: 2,
            year: 2020,
            month: 1,
        };
        for (mut rhythm, from, next) in [
            (monthly(28, &[]), "2026-03-14T02:00:00Z", "2026-03-28T02:00:00Z"),
            (monthly(28, &[]), "2026-03-28T02:00:00Z", "2026-03-28T02:00:00Z"),
            (monthly(31, &[]), "2026-02-15T02:00:00Z", "2026-02-28T02:00:00Z"),
            (monthly(7, &[1, 6]), "2026-02-15T02:00:00Z", "2026-06-07T02:00:00Z"),
        ] {
            assert_eq!(next_of(&mut rhythm, at(from)), Some(at(next)), "{from}");
            assert_eq!(rhythm.due_at(), Some(at(next)));
        }
        assert_eq!(next_of(&mut Recurrence::Weekly, at("2026-02-15T02:00:00Z")), None);
    }
}
