//! What a TPP says of a file beforehand, and whether the file is that. Source: FILE-002 to FILE-016, `OBFile2`.

use super::{CommonValue, FileFault, FileField, FileTotals};
use crate::account::AccountIdentification;
use crate::grant::Digest;
use crate::order::{Instrument, References, Timing};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What a file is written in. Source: FILE-006.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileType {
    /// The XML message of ISO 20022, `pain.001.001.08`.
    Pain001,
    /// The JSON of the standard, under the name of version 3.1.
    PaymentInitiation31,
    /// The JSON of the standard, under the name of version 4.0.
    PaymentInitiation40,
}

impl FileType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Pain001, Self::PaymentInitiation31, Self::PaymentInitiation40];
}

/// What a TPP says of a file beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInitiation {
    /// What it is written in.
    pub kind: FileType,
    /// The SHA-256 of its bytes. Source: FILE-003.
    pub hash: Digest,
    /// What the TPP calls it, at most 40 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How many payments are in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The sum of their amounts, whatever their currencies.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub sum: Option<Decimal>,
    /// The day they are to be paid on, London's.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub execute_on: Option<Date>,
    /// The rail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The account to pay from: then the customer may use no other. Source: PIS-032.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// What is said of the file to the payer's bank: a reference and a message. It is not that of its payments.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
}

impl FileInitiation {
    /// When its payments are made, as far as it says so itself: a day that is not later than `today`, London's, is now.
    pub fn timing(&self, today: Date) -> Timing {
        self.execute_on.filter(|day| *day > today).map_or(Timing::Immediate, Timing::Scheduled)
    }

    /// The fault of a file that is another one; the right one can still be sent. Source: FILE-011.
    pub fn hash_fault(&self, found: &Digest) -> Option<FileFault> {
        let message = "This is not the file that was announced: its digest is another one.";
        (self.hash != *found).then_some(FileFault { at: FileField::Hash, message })
    }

    /// Every contradiction between what was said and what is in the file. Its digest was right, so no other file can
    /// repair it: the consent is refused for good. Source: FILE-013, FILE-014, FILE-016.
    pub fn faults(&self, found: &FileTotals) -> Vec<FileFault> {
        let debtor = match (&self.debtor, &found.debtor) {
            (_, CommonValue::Mixed) => Some("The payments of a file must all be from one account."),
            (Some(said), CommonValue::Single(named)) if !said.is_same_account(named) => {
                Some("The file names another account to pay from.")
            }
            (Some(_) | None, CommonValue::Single(_) | CommonValue::Absent) => None,
        };
        let checks = [
            (
                FileField::Count,
                differs(self.count, u64::from(found.count), "The file holds another number of payments."),
            ),
            (
                FileField::ControlSum,
                differs(self.sum, found.sum.decimal(), "The amounts in the file have another sum."),
            ),
            (FileField::DebtorAccount, debtor),
            (
                FileField::RequestedExecution,
                contradicts(self.execute_on, &found.execute_on, "The file names another day."),
            ),
            (
                FileField::LocalInstrument,
                contradicts(self.instrument, &found.instrument, "The file names another instrument."),
            ),
        ];
        checks.into_iter().filter_map(|(at, message)| Some(FileFault { at, message: message? })).collect()
    }
}

fn differs<T: PartialEq>(said: Option<T>, found: T, message: &'static str) -> Option<&'static str> {
    said.is_some_and(|said| said != found).then_some(message)
}

/// Whether lines say something else than what was said of the whole file.
fn contradicts<T: PartialEq>(said: Option<T>, found: &CommonValue<T>, message: &'static str) -> Option<&'static str> {
    let said = said?;
    match found {
        CommonValue::Absent => None,
        CommonValue::Single(named) => (*named != said).then_some(message),
        CommonValue::Mixed => Some(message),
    }
}
