//! Describes the schedule of a standing order, with its next days.

use super::money;
use super::times::day;
use jiff::civil::Weekday;
use lombard_domain::frequency::{Frequency, Quarter};
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::{Occurrence, Schedule, ScheduleEnd};

/// The number of payments that are listed.
const SHOWN: usize = 4;

/// The maximum number of payments whose total is computed.
const ADDED_UP: usize = 1_000;

/// A schedule as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScheduleView {
    /// The frequency in words.
    pub frequency: String,
    /// How the later amounts differ from the first. Source: SO-012, SO-013.
    pub amounts: String,
    /// The end of the schedule.
    pub end: String,
    /// The total of all payments, if the schedule ends and is not too long for the computation.
    pub in_all: Option<String>,
    /// The next payments.
    pub next: Vec<ScheduledPaymentView>,
    /// Whether further payments follow.
    pub more: bool,
}

/// One payment of the schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScheduledPaymentView {
    /// The day of the payment.
    pub on: String,
    /// The amount.
    pub amount: String,
    /// The reason why the payment is not made on the scheduled day, if there is one. Source: SO-020.
    pub moved: Option<String>,
}

impl ScheduleView {
    pub(super) fn of(schedule: &Schedule, first: Amount) -> Self {
        let next: Vec<_> = schedule.occurrences(first).take(SHOWN.saturating_add(1)).collect();
        Self {
            frequency: frequency(schedule.frequency),
            amounts: amounts(schedule, first),
            end: end(schedule.end),
            in_all: in_all(schedule, first),
            more: next.len() > SHOWN,
            next: next.iter().take(SHOWN).map(due).collect(),
        }
    }
}

fn due(occurrence: &Occurrence) -> ScheduledPaymentView {
    let moved = (occurrence.paid_on != occurrence.due_on)
        .then(|| format!("instead of {}, on which banks do not work", day(occurrence.due_on)));
    ScheduledPaymentView { on: day(occurrence.paid_on), amount: money::amount(occurrence.amount), moved }
}

/// Continues after the first amount: `each time`, or how the later amounts differ from it.
fn amounts(schedule: &Schedule, first: Amount) -> String {
    let regular = schedule.regular.unwrap_or(first);
    let last = schedule.last.filter(|last| *last != regular).filter(|_| schedule.end != ScheduleEnd::Open);
    let following = if regular == first {
        "each time".to_owned()
    } else {
        format!("the first time, then {} each time", money::amount(regular))
    };
    match last {
        Some(last) => format!("{following}, and {} the last time", money::amount(last)),
        None => following,
    }
}

fn end(end: ScheduleEnd) -> String {
    match end {
        ScheduleEnd::Open => "Until cancelled".to_owned(),
        ScheduleEnd::After(count) if count.get() == 1 => "After one payment".to_owned(),
        ScheduleEnd::After(count) => format!("After {count} payments"),
        ScheduleEnd::On(last) => format!("With a payment on {}", day(last)),
    }
}

fn in_all(schedule: &Schedule, first: Amount) -> Option<String> {
    match schedule.end {
        ScheduleEnd::Open => return None,
        ScheduleEnd::After(_) | ScheduleEnd::On(_) => {}
    }
    let payments: Vec<_> = schedule.occurrences(first).take(ADDED_UP.saturating_add(1)).collect();
    if payments.len() > ADDED_UP {
        return None;
    }
    let minor = payments.iter().fold(0_u64, |sum, payment| sum.saturating_add(payment.amount.minor()));
    Some(money::amount(Amount::from_minor(minor, first.currency())))
}

fn frequency(frequency: Frequency) -> String {
    match frequency {
        Frequency::NotKnown => "Frequency not known".to_owned(),
        Frequency::EveryDay => "Every day".to_owned(),
        Frequency::EveryWorkingDay => "Every working day".to_owned(),
        Frequency::IntervalDay(days) => format!("Every {days} days"),
        Frequency::IntervalWeekDay(1, weekday) => format!("Every {}", weekday_name(weekday)),
        Frequency::IntervalWeekDay(weeks, weekday) => format!("Every {weeks} weeks, on {}", weekday_name(weekday)),
        Frequency::SecondWeekDay(weekday) => format!("Every 2 weeks, on {}", weekday_name(weekday)),
        Frequency::WeekInMonthDay(week, weekday) => {
            let which = match week {
                1 => "first",
                2 => "second",
                3 => "third",
                4 => "fourth",
                _ => "last",
            };
            format!("Every month, on the {which} {}", weekday_name(weekday))
        }
        Frequency::IntervalMonthDay(months, nominal) => format!("{}, on {}", every_months(months), month_day(nominal)),
        Frequency::QuarterDay(quarter) => format!("Every quarter, on {}", quarter_days(quarter)),
        Frequency::WorkingDayFromMonthEnd(1) => "Every month, on the last working day".to_owned(),
        Frequency::WorkingDayFromMonthEnd(back) => format!("Every month, on the {} last working day", ordinal(back)),
        Frequency::DayFromQuarterEnd(1) => "Every quarter, on its last day".to_owned(),
        Frequency::DayFromQuarterEnd(back) => format!("Every quarter, on the {} last day", ordinal(back)),
    }
}

fn every_months(months: u8) -> String {
    match months {
        1 => "Every month".to_owned(),
        12 => "Every year".to_owned(),
        24 => "Every two years".to_owned(),
        months => format!("Every {months} months"),
    }
}

/// A day of the month, counted from the first day, or from the last one if it is negative.
fn month_day(nominal: i8) -> String {
    match nominal {
        -1 => "the last day of the month".to_owned(),
        before if before < 0 => format!("the {} last day of the month", ordinal(before.unsigned_abs())),
        // In a shorter month, the day is the last of the month.
        29..=31 => format!("the {}, or the last day of a shorter month", ordinal(nominal.unsigned_abs())),
        nominal => format!("the {}", ordinal(nominal.unsigned_abs())),
    }
}

fn ordinal(number: u8) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

const fn weekday_name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

const fn quarter_days(quarter: Quarter) -> &'static str {
    match quarter {
        Quarter::English => "25 March, 24 June, 29 September and 25 December",
        Quarter::Scottish => "2 February, 15 May, 1 August and 11 November",
        Quarter::ScottishStatutory => "28 February, 28 May, 28 August and 28 November",
        Quarter::Received => "20 March, 19 June, 24 September and 20 December",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use lombard_domain::money::Currency;
    use std::num::NonZeroU16;

    #[test]
    fn so_001_every_frequency_is_said_in_words() {
        use Frequency as F;
        for (said, words) in [
            (F::EveryDay, "Every day"),
            (F::EveryWorkingDay, "Every working day"),
            (F::IntervalDay(15), "Every 15 days"),
            (F::IntervalWeekDay(1, Weekday::Friday), "Every Friday"),
            (F::IntervalWeekDay(2, Weekday::Monday), "Every 2 weeks, on Monday"),
            (F::WeekInMonthDay(2, Weekday::Tuesday), "Every month, on the second Tuesday"),
            (F::WeekInMonthDay(5, Weekday::Tuesday), "Every month, on the last Tuesday"),
            (F::IntervalMonthDay(1, 22), "Every month, on the 22nd"),
            (F::IntervalMonthDay(6, 31), "Every 6 months, on the 31st, or the last day of a shorter month"),
            (F::IntervalMonthDay(12, 11), "Every year, on the 11th"),
            (F::IntervalMonthDay(1, -1), "Every month, on the last day of the month"),
            (F::IntervalMonthDay(1, -2), "Every month, on the 2nd last day of the month"),
            (F::QuarterDay(Quarter::English), "Every quarter, on 25 March, 24 June, 29 September and 25 December"),
        ] {
            assert_eq!(frequency(said), words);
        }
    }

    #[test]
    fn x_23_a_page_names_and_lists_the_schedules_scottish_quarter_days() {
        for (quarter, words, next) in [
            (
                Quarter::Scottish,
                "Every quarter, on 2 February, 15 May, 1 August and 11 November",
                ["Monday 2 February 2026", "Friday 15 May 2026", "Monday 3 August 2026"],
            ),
            (
                Quarter::ScottishStatutory,
                "Every quarter, on 28 February, 28 May, 28 August and 28 November",
                ["Monday 2 February 2026", "Monday 2 March 2026", "Thursday 28 May 2026"],
            ),
        ] {
            let schedule = Schedule {
                frequency: Frequency::QuarterDay(quarter),
                first_on: date(2026, 2, 2),
                recurring_from: None,
                end: ScheduleEnd::Open,
                regular: None,
                last: None,
            };
            let said = ScheduleView::of(&schedule, Amount::from_minor(1_000, Currency::GBP));
            assert_eq!(said.frequency, words);
            assert_eq!(said.next.iter().map(|due| due.on.as_str()).take(3).collect::<Vec<_>>(), next);
        }
    }

    #[test]
    fn so_012_so_020_the_next_payments_are_those_that_will_be_made() {
        let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
        let schedule = Schedule {
            frequency: Frequency::IntervalMonthDay(1, 1),
            first_on: date(2026, 3, 1),
            recurring_from: None,
            end: ScheduleEnd::After(NonZeroU16::new(5).unwrap()),
            regular: Some(pounds(2_000)),
            last: Some(pounds(500)),
        };
        let words = ScheduleView::of(&schedule, pounds(1_000));
        assert_eq!((words.next.len(), words.more), (4, true));
        assert_eq!(words.next[0].on, "Monday 2 March 2026");
        assert_eq!(words.next[0].moved.as_deref(), Some("instead of Sunday 1 March 2026, on which banks do not work"));
        let amounts: Vec<_> = words.next.iter().map(|due| due.amount.as_str()).collect();
        assert_eq!(amounts, ["£10.00", "£20.00", "£20.00", "£20.00"]);
        assert_eq!(words.in_all.as_deref(), Some("£75.00"));
        assert_eq!(words.end, "After 5 payments");
        assert_eq!(words.amounts, "the first time, then £20.00 each time, and £5.00 the last time");
        let open = ScheduleView::of(&Schedule { end: ScheduleEnd::Open, regular: None, ..schedule }, pounds(1_000));
        assert_eq!((open.in_all, open.amounts.as_str()), (None, "each time"));
    }
}
