//! Account information that has the same shape in every version of the standard: rendered once, from the forms of a version.
//!
//! A version's forms are the objects and names in which it differs. Resources whose own shape differs (accounts, balances,
//! direct debits, standing orders) are in the modules of the versions.

mod beneficiaries;
mod offers;
mod parties;
mod products;
mod scheduled_payments;
mod statements;
mod transactions;

use crate::StandardVersion;
use lombard_domain::account::{
    AccountIdentification, BalanceType, BankIdentification, BankTransactionCode, EntryPayment, EntryStatus, Party,
    PostalAddress,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Debug;

/// An object of the standard that is written and described.
pub(crate) trait Form: Debug + Serialize + JsonSchema {}

impl<T: Debug + Serialize + JsonSchema> Form for T {}

/// The objects and names of account information in which a version differs from others.
pub(crate) trait AccountForms: StandardVersion + Debug {
    /// The account of a payee or counterparty.
    type Account<'a>: Form + From<&'a AccountIdentification>;
    /// A bank, by its BIC or by name and address. Source: AIS-162.
    type Institution<'a>: Form;
    /// A bank that must be identified by its BIC.
    type Agent<'a>: Form;
    /// The address of a party.
    type PartyAddress<'a>: Form;
    /// What is known of a party beside the members of all versions.
    type PartyMore<'a>: Form + From<&'a Party>;
    /// What is known of the payment behind an entry beside the members of all versions.
    type Payment<'a>: Form + From<&'a EntryPayment>;

    /// The bank; `None` if nothing is known of it (RW-245).
    fn institution(bank: &BankIdentification) -> Option<Self::Institution<'_>>;
    /// The bank; `None` without a BIC.
    fn agent(bank: &BankIdentification) -> Option<Self::Agent<'_>>;
    /// The address; `None` if it lacks what the version requires.
    fn party_address(address: &PostalAddress) -> Option<Self::PartyAddress<'_>>;
    /// The family and the sub-family of an entry. Source: AIS-128.
    fn bank_code(code: &BankTransactionCode) -> (&str, &str);
    /// The status of an entry.
    fn entry_status(status: EntryStatus) -> &'static str;
    /// The type of a balance.
    fn balance_type(kind: BalanceType) -> &'static str;
    /// Every status of an entry, for schemas.
    fn entry_statuses() -> Vec<&'static str>;
    /// Every type of a balance, for schemas.
    fn balance_types() -> Vec<&'static str>;
}

/// Names the type by which every version serialises something, with `V` for the version.
macro_rules! described_in_all {
    ($view:ty, $body:ty) => {
        impl<V: crate::accounts::AccountForms> crate::describe::Describe<$view> for V {
            fn schema() -> serde_json::Value {
                crate::describe::schema_of::<$body>()
            }
        }
    };
}
pub(crate) use described_in_all;

/// No members. Source: an object that a version does not extend.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NoMembers {}

impl From<&Party> for NoMembers {
    fn from(_: &Party) -> Self {
        Self {}
    }
}

impl From<&EntryPayment> for NoMembers {
    fn from(_: &EntryPayment) -> Self {
        Self {}
    }
}
