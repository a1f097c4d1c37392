//! The announcement of a payment file by the TPP. Source: FILE-002 to FILE-016, `OBFile2`.

use crate::account::AccountIdentification;
use crate::grant::Digest;
use crate::payment::transfer::{Instrument, References, Timing, TransferDetails};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The format of a payment file. Source: FILE-006.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileType {
    /// The ISO 20022 XML message `pain.001.001.08`.
    Pain001,
    /// The standard's JSON, under its v3.1 name.
    PaymentInitiation31,
    /// The standard's JSON, under its v4.0 name.
    PaymentInitiation40,
}

crate::code::document_codes! {
    FileType {
        Pain001 = "pain-001", PaymentInitiation31 = "payment-initiation-3.1",
        PaymentInitiation40 = "payment-initiation-4.0",
    }
}

impl FileType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Pain001, Self::PaymentInitiation31, Self::PaymentInitiation40];
}

/// The announcement of a payment file by the TPP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInitiation {
    /// The file type.
    pub kind: FileType,
    /// The SHA-256 hash of the file. Source: FILE-003.
    pub hash: Digest,
    /// The TPP's reference for the file, at most 40 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The number of transactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The control sum: the sum of all amounts, whatever their currencies.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub sum: Option<Decimal>,
    /// The requested execution day, in London.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub execute_on: Option<Date>,
    /// The local instrument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The debtor account; the PSU may select no other. Source: PIS-032.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// The references of the file for the debtor's bank, separate from those of its payments.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
    /// The creditor agent and the ultimate debtor of payments that name none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<TransferDetails>>,
}

impl FileInitiation {
    /// The announcement of a file without anything that the standard leaves optional.
    pub fn new(kind: FileType, hash: Digest) -> Self {
        Self {
            kind,
            hash,
            reference: None,
            count: None,
            sum: None,
            execute_on: None,
            instrument: None,
            debtor: None,
            references: References::default(),
            details: None,
        }
    }

    /// When the payments are executed according to the announcement; a day not after `today` (London) means at once.
    pub fn timing(&self, today: Date) -> Timing {
        self.execute_on.filter(|day| *day > today).map_or(Timing::Immediate, Timing::Scheduled)
    }
}
