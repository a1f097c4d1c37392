//! Entries that a tester adds to an account: money from and to other banks that is not moved by a payment of a TPP.

use lombard_domain::account::EntryStatus;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use serde::{Deserialize, Serialize};

/// An entry to be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEntry {
    /// The id of the entry. Only one entry is added under an id.
    pub id: TransactionId,
    /// The amount in minor units: positive for money that arrives, negative for money that leaves.
    pub minor: i64,
    /// The currency, which must be the account's.
    pub currency: Currency,
    /// Whether it is pending; otherwise it is booked at once.
    pub is_pending: bool,
    /// The name of the other party, at most [`COUNTERPARTY_CHARS_MAX`] characters.
    pub counterparty: Option<String>,
    /// The reference, at most [`REFERENCE_CHARS_MAX`] characters.
    pub reference: Option<String>,
}

/// The most characters of the name of the other party.
pub const COUNTERPARTY_CHARS_MAX: usize = 70;
/// The most characters of a reference.
pub const REFERENCE_CHARS_MAX: usize = 35;

impl NewEntry {
    /// The signed amount.
    pub const fn sum(&self) -> SignedAmount {
        SignedAmount::from_minor(self.minor, self.currency)
    }
}

/// An entry that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedEntry {
    /// Its id, which TPPs see too.
    pub id: TransactionId,
    /// The bank's id of the account.
    pub account: BankAccountId,
    /// The amount in minor units, negative for money that left.
    pub minor: i64,
    /// The currency.
    pub currency: Currency,
    /// Its status.
    pub status: EntryStatus,
    /// When it was booked, or is expected to be (bank clock): microseconds since 1970.
    pub booked_at_micros: i64,
    /// The reference.
    pub reference: Option<String>,
    /// The text that customers and TPPs see.
    pub information: Option<String>,
    /// The booked balance after the entry in minor units, once the entry is booked.
    pub balance_minor: Option<i64>,
}

impl AddedEntry {
    /// The amount without its sign.
    pub const fn amount(&self) -> Amount {
        SignedAmount::from_minor(self.minor, self.currency).amount()
    }
}
