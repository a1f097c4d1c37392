//! The timing of payments: at once, on a day, or by the schedule of a standing order with its amounts. Source: section
//! 4.2.

use crate::calendar::working_day_from;
use crate::frequency::Frequency;
use crate::money::Amount;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// When a payment is executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timing {
    /// At once.
    Immediate,
    /// On a day, in London. Source: SCH-001, PIS-154.
    #[serde(rename = "on", with = "crate::stored")]
    Scheduled(Date),
    /// On the days of a standing order.
    #[serde(rename = "recurring")]
    StandingOrder(Schedule),
}

/// When a standing order ends. Source: SO-010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleEnd {
    /// When the PSU cancels it.
    Open,
    /// After this number of payments, the first included; at most 9999. Source: SO-011.
    After(NonZeroU16),
    /// With a payment on this day, even if the frequency does not yield it. Like the first day, it is always the day of a
    /// payment.
    On(#[serde(with = "crate::stored")] Date),
}

/// A schedule of payments. Its days are London's. Source: PIS-154.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The frequency.
    pub frequency: Frequency,
    /// The day of the first payment, independent of the frequency. Source: SO-019.
    #[serde(with = "crate::stored")]
    pub first_on: Date,
    /// The day of the second payment, if the first does not imply it. A day equal to the first day has no effect. Source: SO-008.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub recurring_from: Option<Date>,
    /// The end.
    pub end: ScheduleEnd,
    /// The amount of the payments after the first, if different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regular: Option<Amount>,
    /// The amount of the last payment, if different. Source: SO-012.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Amount>,
}

/// One payment of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Its number, from 1.
    pub number: u32,
    /// The day in the schedule. Later days are counted from these days, so that the schedule does not drift. Source:
    /// SO-020.
    pub due_on: Date,
    /// The day of execution: the day in the schedule, or the next working day. Source: SO-020.
    pub paid_on: Date,
    /// Its amount.
    pub amount: Amount,
    /// Whether this is the last payment of the schedule.
    pub is_last: bool,
}

impl Schedule {
    /// The day from which the frequency is counted. Source: SO-019.
    pub fn anchor(&self) -> Date {
        self.recurring_from.unwrap_or(self.first_on)
    }

    /// The payments in order; without an end they go on to the end of the calendar. `first` is the amount of the first
    /// payment and, by default, of the others. Source: SO-013, SO-019, SO-020.
    pub fn occurrences(&self, first: Amount) -> impl Iterator<Item = Occurrence> {
        self.paying(first, self.frequency.days_after(self.anchor()))
    }

    /// The payments, from the days that the frequency yields after the anchor.
    fn paying(&self, first: Amount, following: impl Iterator<Item = Date>) -> impl Iterator<Item = Occurrence> {
        let second = self.recurring_from.filter(|day| *day > self.first_on);
        let last_day = match self.end {
            ScheduleEnd::On(day) => Some(day.max(self.first_on)),
            ScheduleEnd::Open | ScheduleEnd::After(_) => None,
        };
        let count = match self.end {
            ScheduleEnd::After(count) => u32::from(count.get()),
            ScheduleEnd::Open | ScheduleEnd::On(_) => u32::MAX,
        };
        let regular = self.regular.unwrap_or(first);
        let last = self.last.unwrap_or(regular);
        let days = std::iter::once(self.first_on).chain(second).chain(following);
        let days = days.take_while(move |day| last_day.is_none_or(|last| *day < last)).chain(last_day);
        (1..=count).zip(days).map(move |(number, due_on)| {
            let is_last = number == count || last_day == Some(due_on);
            let amount = match (number, is_last) {
                (1, _) => first,
                (_, true) => last,
                (_, false) => regular,
            };
            Occurrence { number, due_on, paid_on: working_day_from(due_on), amount, is_last }
        })
    }
}
