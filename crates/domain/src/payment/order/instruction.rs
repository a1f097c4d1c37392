//! A payment instruction: a payment to one payee, a payment file, or VRP limits. Source: tables 1.2 and 1.3.

use crate::money::Amount;
use crate::payment::PaymentProduct;
use crate::payment::file::FileInitiation;
use crate::payment::transfer::{
    CreditorDetails, Instrument, International, NamedAccount, Route, Timing, Transfer, TransferDetails,
};
use crate::payment::vrp::VrpConsentRequest;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A payment instruction, one variant per kind. No match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are transfers, which need no box of their own")]
pub enum Instruction {
    /// One payment, or a schedule of them, to one payee.
    Transfer(Transfer),
    /// The payments of a file. Source: section 6.
    File(Box<FileInitiation>),
    /// VRP limits. They occur in consents only; each order under them is a transfer. Source: section 7.
    Vrp(Box<VrpConsentRequest>),
}

/// The stored form of an [`Instruction`], with the kinds of transfer as its variants. It owns its members when read and
/// borrows them when written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredInstruction<D, I, F, V, T> {
    Domestic {
        credit: D,
        amount: Amount,
        timing: Timing,
        #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
        details: Option<T>,
    },
    International {
        payment: I,
        amount: Amount,
        timing: Timing,
        #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
        details: Option<T>,
    },
    File(F),
    #[serde(rename = "recurring")]
    Vrp(V),
}

impl Serialize for Instruction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Transfer(Transfer { route, amount, timing, details }) => {
                let amount = *amount;
                let timing = timing.clone();
                let details = details.as_deref();
                match route {
                    Route::Domestic(credit) => StoredInstruction::Domestic { credit, amount, timing, details },
                    Route::International(payment) => {
                        StoredInstruction::International { payment, amount, timing, details }
                    }
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
        type Owned = StoredInstruction<
            CreditorDetails,
            Box<International>,
            Box<FileInitiation>,
            Box<VrpConsentRequest>,
            Box<TransferDetails>,
        >;
        Ok(match Owned::deserialize(deserializer)? {
            StoredInstruction::Domestic { credit, amount, timing, details } => {
                Transfer { route: Route::Domestic(credit), amount, timing, details }.into()
            }
            StoredInstruction::International { payment, amount, timing, details } => {
                Transfer { route: Route::International(payment), amount, timing, details }.into()
            }
            StoredInstruction::File(terms) => Self::File(terms),
            StoredInstruction::Vrp(terms) => Self::Vrp(terms),
        })
    }
}

impl Instruction {
    /// The product of consents with this instruction.
    pub const fn product(&self) -> PaymentProduct {
        match self {
            Self::Transfer(transfer) => transfer.product(),
            Self::File(_) => PaymentProduct::FilePayment,
            Self::Vrp(_) => PaymentProduct::DomesticVrp,
        }
    }

    /// The transfer; `None` for another kind.
    pub const fn transfer(&self) -> Option<&Transfer> {
        match self {
            Self::Transfer(transfer) => Some(transfer),
            Self::File(_) | Self::Vrp(_) => None,
        }
    }

    /// The file initiation; `None` for another kind.
    pub const fn file(&self) -> Option<&FileInitiation> {
        match self {
            Self::File(terms) => Some(terms),
            Self::Transfer(_) | Self::Vrp(_) => None,
        }
    }

    /// The VRP consent request; `None` for another kind.
    pub const fn vrp(&self) -> Option<&VrpConsentRequest> {
        match self {
            Self::Vrp(terms) => Some(terms),
            Self::Transfer(_) | Self::File(_) => None,
        }
    }

    /// The rail that the TPP names.
    pub fn instrument(&self) -> Option<Instrument> {
        match self {
            Self::Transfer(transfer) => transfer.credit().instrument,
            Self::File(terms) => terms.instrument,
            Self::Vrp(_) => None,
        }
    }

    /// The creditor account; `None` for a file, and for a VRP consent that names none.
    pub fn creditor(&self) -> Option<&NamedAccount> {
        match self {
            Self::Transfer(transfer) => Some(&transfer.credit().creditor),
            Self::File(_) => None,
            Self::Vrp(terms) => terms.creditor.as_ref(),
        }
    }

    /// Whether the debtor account is debited when the order is placed, so that its funds at the time of the authorisation
    /// matter. Source: ERR-003, PIS-083.
    pub fn is_debited_when_ordered(&self) -> bool {
        match self {
            Self::Transfer(transfer) => transfer.timing == Timing::Immediate || transfer.is_debited_in_advance(),
            Self::File(terms) => terms.execute_on.is_none(),
            Self::Vrp(_) => false,
        }
    }

    /// The instant before which the order must be placed: the start of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        self.transfer().and_then(Transfer::last_submission_at)
    }
}

impl From<Transfer> for Instruction {
    fn from(transfer: Transfer) -> Self {
        Self::Transfer(transfer)
    }
}
