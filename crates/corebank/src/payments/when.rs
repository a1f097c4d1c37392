//! When an order pays, as the bank writes it down.

use super::kept::Kept;
use jiff::civil::Date;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{End, Schedule, Timing};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// When it is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum When {
    /// At once.
    Now,
    /// On a day.
    On(Kept<Date>),
    /// Again and again.
    Again(Turns),
}

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turns {
    frequency: Kept<Frequency>,
    first_on: Kept<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recurring_from: Option<Kept<Date>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<NonZeroU16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_on: Option<Kept<Date>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    regular: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
}

impl When {
    pub(super) fn of(timing: &Timing) -> Self {
        match timing {
            Timing::Immediate => Self::Now,
            Timing::On(day) => Self::On(Kept(*day)),
            Timing::Recurring(schedule) => Self::Again(Turns::of(schedule)),
        }
    }
}

impl Turns {
    fn of(schedule: &Schedule) -> Self {
        let (count, last_on) = match schedule.end {
            End::Open => (None, None),
            End::After(count) => (Some(count), None),
            End::On(day) => (None, Some(Kept(day))),
        };
        Self {
            frequency: Kept(schedule.frequency),
            first_on: Kept(schedule.first_on),
            recurring_from: schedule.recurring_from.map(Kept),
            count,
            last_on,
            regular: schedule.regular.map(Amount::minor),
            last: schedule.last.map(Amount::minor),
        }
    }

    /// The schedule, in a currency.
    pub(super) fn schedule(&self, currency: Currency) -> Schedule {
        let amount = |minor| Amount::from_minor(minor, currency);
        Schedule {
            frequency: self.frequency.0,
            first_on: self.first_on.0,
            recurring_from: self.recurring_from.map(|it| it.0),
            end: match (self.count, self.last_on) {
                (Some(count), _) => End::After(count),
                (None, Some(day)) => End::On(day.0),
                (None, None) => End::Open,
            },
            regular: self.regular.map(amount),
            last: self.last.map(amount),
        }
    }
}
