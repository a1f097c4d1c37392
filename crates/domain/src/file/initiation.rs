//! What a TPP says of a file beforehand. Source: FILE-002 to FILE-016, `OBFile2`.

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
}
