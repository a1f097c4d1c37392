//! What is to be paid: a payment to one payee, a file of them, or payments within limits. Source: tables 1.2 and 1.3.

use super::{Credit, Instrument, NamedAccount, PaymentProduct, Route, Timing, Transfer};
use crate::exchange::International;
use crate::file::FileInitiation;
use crate::money::Amount;
use crate::vrp::VrpConsentRequest;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What is to be paid. One variant per kind; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are transfers, which need no box of their own")]
pub enum Instruction {
    /// One payment, or a schedule of them, to one payee.
    Transfer(Transfer),
    /// The payments of a file. Source: section 6.
    File(Box<FileInitiation>),
    /// Payments that are asked for one by one, within limits; of a consent only, each of its orders is a transfer.
    /// Source: section 7.
    Vrp(Box<VrpConsentRequest>),
}

/// How an [`Instruction`] is stored: the kinds of transfers are kinds of instructions there. What is read is owned, what is
/// written borrowed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredInstruction<D, I, F, V> {
    Domestic {
        credit: D,
        amount: Amount,
        timing: Timing,
    },
    International {
        payment: I,
        amount: Amount,
        timing: Timing,
    },
    File(F),
    #[serde(rename = "recurring")]
    Vrp(V),
}

impl Serialize for Instruction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Transfer(Transfer { route, amount, timing }) => {
                let (amount, timing) = (*amount, timing.clone());
                match route {
                    Route::Domestic(credit) => StoredInstruction::Domestic { credit, amount, timing },
                    Route::International(payment) => StoredInstruction::International { payment, amount, timing },
                }
            }
            Self::File(terms) => StoredInstruction::File(terms),
            Self::Vrp(terms) => StoredInstruction::Vrp(terms),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Instruction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Owned = StoredInstruction<Credit, Box<International>, Box<FileInitiation>, Box<VrpConsentRequest>>;
        Ok(match Owned::deserialize(deserializer)? {
            StoredInstruction::Domestic { credit, amount, timing } => Transfer::domestic(credit, amount, timing).into(),
            StoredInstruction::International { payment, amount, timing } => {
                Transfer { route: Route::International(payment), amount, timing }.into()
            }
            StoredInstruction::File(terms) => Self::File(terms),
            StoredInstruction::Vrp(terms) => Self::Vrp(terms),
        })
    }
}

impl Instruction {
    /// Which product a consent to it is of.
    pub const fn product(&self) -> PaymentProduct {
        match self {
            Self::Transfer(transfer) => transfer.product(),
            Self::File(_) => PaymentProduct::FilePayment,
            Self::Vrp(_) => PaymentProduct::DomesticVrp,
        }
    }

    /// The payment, if it is one.
    pub const fn transfer(&self) -> Option<&Transfer> {
        match self {
            Self::Transfer(transfer) => Some(transfer),
            Self::File(_) | Self::Vrp(_) => None,
        }
    }

    /// The file, if it is one.
    pub const fn file(&self) -> Option<&FileInitiation> {
        match self {
            Self::File(terms) => Some(terms),
            Self::Transfer(_) | Self::Vrp(_) => None,
        }
    }

    /// The limits, if that is what it is.
    pub const fn vrp(&self) -> Option<&VrpConsentRequest> {
        match self {
            Self::Vrp(terms) => Some(terms),
            Self::Transfer(_) | Self::File(_) => None,
        }
    }

    /// The rail that is asked for, if one is.
    pub fn instrument(&self) -> Option<Instrument> {
        match self {
            Self::Transfer(transfer) => transfer.credit().instrument,
            Self::File(terms) => terms.instrument,
            Self::Vrp(_) => None,
        }
    }

    /// The account to pay to, where there is one and it is known.
    pub fn creditor(&self) -> Option<&NamedAccount> {
        match self {
            Self::Transfer(transfer) => Some(&transfer.credit().creditor),
            Self::File(_) => None,
            Self::Vrp(terms) => terms.creditor.as_ref(),
        }
    }

    /// The moment its order must have been posted by: the beginning of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        self.transfer().and_then(Transfer::last_submission_at)
    }
}

impl From<Transfer> for Instruction {
    fn from(transfer: Transfer) -> Self {
        Self::Transfer(transfer)
    }
}
