//! The stored timing of an order.

use super::stored_text::StoredText;
use jiff::civil::Date;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd, Timing};
use lombard_domain::stored;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// The timing of an order. It differs from the domain's stored [`Timing`]: amounts use the currency of the order, the end has two members,
/// and frequencies may have the names of an earlier release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OrderTiming {
    /// The order is executed at once.
    Now,
    /// The order is executed on a day.
    On(#[serde(with = "stored")] Date),
    /// The order is executed by a schedule.
    #[serde(rename = "again")]
    StandingOrder(StandingOrderTiming),
}

/// The schedule of a standing order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StandingOrderTiming {
    frequency: StoredText<Frequency>,
    #[serde(with = "stored")]
    first_on: Date,
    #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
    recurring_from: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<NonZeroU16>,
    #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
    last_on: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    regular: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
}

impl OrderTiming {
    pub(super) fn of(timing: &Timing) -> Self {
        match timing {
            Timing::Immediate => Self::Now,
            Timing::Scheduled(day) => Self::On(*day),
            Timing::StandingOrder(schedule) => Self::StandingOrder(StandingOrderTiming::of(schedule)),
        }
    }
}

impl StandingOrderTiming {
    fn of(schedule: &Schedule) -> Self {
        let (count, last_on) = match schedule.end {
            ScheduleEnd::Open => (None, None),
            ScheduleEnd::After(count) => (Some(count), None),
            ScheduleEnd::On(day) => (None, Some(day)),
        };
        Self {
            frequency: StoredText(schedule.frequency),
            first_on: schedule.first_on,
            recurring_from: schedule.recurring_from,
            count,
            last_on,
            regular: schedule.regular.map(Amount::minor),
            last: schedule.last.map(Amount::minor),
        }
    }

    /// Converts the timing to a schedule with amounts in the given currency.
    pub(super) fn schedule(&self, currency: Currency) -> Schedule {
        let amount = |minor| Amount::from_minor(minor, currency);
        Schedule {
            frequency: self.frequency.0,
            first_on: self.first_on,
            recurring_from: self.recurring_from,
            end: match (self.count, self.last_on) {
                (Some(count), _) => ScheduleEnd::After(count),
                (None, Some(day)) => ScheduleEnd::On(day),
                (None, None) => ScheduleEnd::Open,
            },
            regular: self.regular.map(amount),
            last: self.last.map(amount),
        }
    }
}
