//! The changes that a tester can make to an open account of the built-in bank.

use lombard_domain::money::{Amount, Currency};
use serde::{Deserialize, Serialize};

/// The most characters of the name of an account's holder. Source: `OBCashAccount/Name`.
pub const HOLDER_CHARS_MAX: usize = 350;

/// A change of an account. Absent members are unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountEdit {
    /// The holder's name, used in all identifications of the account: 1 to [`HOLDER_CHARS_MAX`] characters.
    pub holder: Option<String>,
    /// The arranged overdraft, or the limit of a credit card.
    pub credit_limit: Option<NewCreditLimit>,
}

/// A credit limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCreditLimit {
    /// The limit in minor units; zero for none.
    pub minor: u64,
    /// The currency, which must be the account's.
    pub currency: Currency,
}

impl NewCreditLimit {
    /// A credit limit of this amount.
    pub const fn of(amount: Amount) -> Self {
        Self { minor: amount.minor(), currency: amount.currency() }
    }
}
