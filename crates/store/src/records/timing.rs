//! When a payment is made, and how often.

use lombard_database::records::{AmountRecord, FrequencyRecord, read_amount, write_amount};
use lombard_domain::order::{End, Schedule, Timing};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// One variant per form; days are ISO dates.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TimingRecord {
    Immediate,
    On(String),
    Recurring(ScheduleRecord),
}

impl TimingRecord {
    pub(super) fn of(it: &Timing) -> Self {
        match it {
            Timing::Immediate => Self::Immediate,
            Timing::On(day) => Self::On(day.to_string()),
            Timing::Recurring(schedule) => Self::Recurring(ScheduleRecord::of(schedule)),
        }
    }

    pub(super) fn into_domain(self) -> Result<Timing, Source> {
        Ok(match self {
            Self::Immediate => Timing::Immediate,
            Self::On(day) => Timing::On(day.parse()?),
            Self::Recurring(schedule) => Timing::Recurring(schedule.into_domain()?),
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ScheduleRecord {
    frequency: FrequencyRecord,
    first_on: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recurring_from: Option<String>,
    end: EndRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    regular: Option<AmountRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<AmountRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EndRecord {
    Open,
    After(NonZeroU16),
    On(String),
}

impl ScheduleRecord {
    fn of(it: &Schedule) -> Self {
        Self {
            frequency: FrequencyRecord::of(it.frequency),
            first_on: it.first_on.to_string(),
            recurring_from: it.recurring_from.map(|day| day.to_string()),
            end: match it.end {
                End::Open => EndRecord::Open,
                End::After(count) => EndRecord::After(count),
                End::On(day) => EndRecord::On(day.to_string()),
            },
            regular: it.regular.map(write_amount),
            last: it.last.map(write_amount),
        }
    }

    fn into_domain(self) -> Result<Schedule, Source> {
        Ok(Schedule {
            frequency: self.frequency.into_domain()?,
            first_on: self.first_on.parse()?,
            recurring_from: self.recurring_from.map(|day| day.parse()).transpose()?,
            end: match self.end {
                EndRecord::Open => End::Open,
                EndRecord::After(count) => End::After(count),
                EndRecord::On(day) => End::On(day.parse()?),
            },
            regular: self.regular.map(read_amount),
            last: self.last.map(read_amount),
        })
    }
}
