//! What is to be paid, to whom and when.

use super::party::AddressRecord;
use super::{AmountRecord, FrequencyRecord, IdentificationRecord, json, read_amount, write_amount};
use crate::shared::codes::Word;
use lombard_domain::order::{
    Credit, End, Instruction, Instrument, NamedAccount, References, Route, Schedule, Timing, Transfer,
};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// One variant per kind.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InstructionRecord {
    Domestic { credit: CreditRecord, amount: AmountRecord, timing: TimingRecord },
}

impl InstructionRecord {
    pub(crate) fn write(instruction: &Instruction) -> String {
        json(&Self::of(instruction))
    }

    pub(crate) fn read(text: &str) -> Result<Instruction, Source> {
        serde_json::from_str::<Self>(text)?.into_domain()
    }

    pub(super) fn of(it: &Instruction) -> Self {
        let Instruction::Transfer(Transfer { route: Route::Domestic(credit), amount, timing }) = it else {
            panic!("the other kinds are not stored yet");
        };
        Self::Domestic {
            credit: CreditRecord::of(credit),
            amount: write_amount(*amount),
            timing: TimingRecord::of(timing),
        }
    }

    pub(super) fn into_domain(self) -> Result<Instruction, Source> {
        Ok(match self {
            Self::Domestic { credit, amount, timing } => {
                Transfer::domestic(credit.into_domain()?, read_amount(amount), timing.into_domain()?).into()
            }
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct CreditRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instrument: Option<Word<Instrument>>,
    creditor: IdentificationRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instruction: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_to_end: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl CreditRecord {
    fn of(it: &Credit) -> Self {
        let References { instruction, end_to_end, reference, message } = it.references.clone();
        Self {
            instrument: it.instrument.map(Word),
            creditor: IdentificationRecord::of(&it.creditor),
            address: it.address.as_ref().map(AddressRecord::of),
            instruction,
            end_to_end,
            reference,
            message,
        }
    }

    fn into_domain(self) -> Result<Credit, Source> {
        let Self { instrument, creditor, address, instruction, end_to_end, reference, message } = self;
        Ok(Credit {
            instrument: instrument.map(|word| word.0),
            creditor: creditor.into_named()?,
            address: address.map(AddressRecord::into_domain),
            references: References { instruction, end_to_end, reference, message },
        })
    }
}

/// One variant per form; days are ISO dates.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TimingRecord {
    Immediate,
    On(String),
    Recurring(ScheduleRecord),
}

impl TimingRecord {
    fn of(it: &Timing) -> Self {
        match it {
            Timing::Immediate => Self::Immediate,
            Timing::On(day) => Self::On(day.to_string()),
            Timing::Recurring(schedule) => Self::Recurring(ScheduleRecord::of(schedule)),
        }
    }

    fn into_domain(self) -> Result<Timing, Source> {
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

impl IdentificationRecord {
    /// The account under its holder's name.
    pub(super) fn into_named(self) -> Result<NamedAccount, Source> {
        NamedAccount::new(self.into_domain()).ok_or_else(|| "an account that must have a name has none".into())
    }
}
