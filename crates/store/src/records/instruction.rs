//! What is to be paid, to whom and when.

use super::credit::CreditRecord;
use super::file::FileRecord;
use super::international::InternationalRecord;
use super::timing::TimingRecord;
use super::vrp::VrpConsentRecord;
use lombard_database::records::{AmountRecord, json, read_amount, write_amount};
use lombard_domain::order::{Instruction, Route, Transfer};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One variant per kind.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InstructionRecord {
    Domestic { credit: Box<CreditRecord>, amount: AmountRecord, timing: TimingRecord },
    International { payment: Box<InternationalRecord>, amount: AmountRecord, timing: TimingRecord },
    File(Box<FileRecord>),
    Recurring(Box<VrpConsentRecord>),
}

impl InstructionRecord {
    pub(crate) fn write(instruction: &Instruction) -> String {
        json(&Self::of(instruction))
    }

    pub(crate) fn read(text: &str) -> Result<Instruction, Source> {
        serde_json::from_str::<Self>(text)?.into_domain()
    }

    pub(super) fn of(it: &Instruction) -> Self {
        match it {
            Instruction::Transfer(Transfer { route, amount, timing }) => {
                let (amount, timing) = (write_amount(*amount), TimingRecord::of(timing));
                match route {
                    Route::Domestic(credit) => {
                        Self::Domestic { credit: Box::new(CreditRecord::of(credit)), amount, timing }
                    }
                    Route::International(payment) => {
                        Self::International { payment: Box::new(InternationalRecord::of(payment)), amount, timing }
                    }
                }
            }
            Instruction::File(terms) => Self::File(Box::new(FileRecord::of(terms))),
            Instruction::Recurring(terms) => Self::Recurring(Box::new(VrpConsentRecord::of(terms))),
        }
    }

    pub(super) fn into_domain(self) -> Result<Instruction, Source> {
        Ok(match self {
            Self::Domestic { credit, amount, timing } => {
                Transfer::domestic(credit.into_domain()?, read_amount(amount), timing.into_domain()?).into()
            }
            Self::International { payment, amount, timing } => {
                Transfer::international(payment.into_domain()?, read_amount(amount), timing.into_domain()?).into()
            }
            Self::File(terms) => Instruction::File(Box::new(terms.into_domain()?)),
            Self::Recurring(terms) => Instruction::Recurring(Box::new(terms.into_domain()?)),
        })
    }
}
