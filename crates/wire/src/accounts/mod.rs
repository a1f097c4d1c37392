//! Account information that has the same shape in every version of the standard: rendered by one implementation, with the forms
//! of a version.
//!
//! The forms of a version are the objects and names in which it differs from other versions.

mod account;
mod balances;
mod beneficiaries;
pub(crate) mod consents;
mod direct_debits;
mod funds_confirmations;
mod offers;
mod parties;
mod products;
mod scheduled_payments;
pub(crate) mod standing_orders;
mod statements;
mod transactions;

use crate::StandardVersion;
use lombard_domain::account::{
    Account, AccountIdentification, ArrangementStatus, BalanceType, BankIdentification, BankTransactionCode,
    DirectDebit, EntryPayment, EntryStatus, PostalAddress, StandingOrder,
};
use lombard_domain::consent::{ConsentStatusReason, EffectiveConsentStatus};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Debug;

/// A standing order; its payee is present only with the Detail permission (AIS-050, AIS-051).
pub(crate) type StandingOrderPayee = StandingOrder<Option<AccountIdentification>>;

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
    /// The legal entity identifier of a party or account holder. Source: V4-008.
    type Lei<'a>: Form + From<Option<&'a str>>;
    /// The kind of an account. Source: AIS-100, AIS-102.
    type AccountType: Form + for<'a> From<&'a Account>;
    /// The servicer of an account, and the details of its service. Source: AIS-100.
    type AccountService<'a>: Form + From<&'a Account>;
    /// The mandate of a direct debit. Source: AIS-170.
    type DirectDebitMandate<'a>: Form + From<&'a DirectDebit>;
    /// The schedule and the reference of a standing order. Source: AIS-171, AIS-174.
    type StandingOrderSchedule<'a>: Form + From<&'a StandingOrderPayee>;
    /// The details of the payment behind an entry that only some versions have.
    type Payment<'a>: Form + From<&'a EntryPayment>;

    /// The bank; `None` if nothing is known of it (RW-245).
    fn institution(bank: &BankIdentification) -> Option<Self::Institution<'_>>;
    /// The bank; `None` without a BIC.
    fn agent(bank: &BankIdentification) -> Option<Self::Agent<'_>>;
    /// The address; `None` if it lacks what the version requires.
    fn party_address(address: &PostalAddress) -> Option<Self::PartyAddress<'_>>;
    /// The family and the sub-family of an entry. Source: AIS-128.
    fn bank_code(code: &BankTransactionCode) -> (&str, &str);
    /// The status of an entry; `None` if the version leaves such entries out. Source: AIS-135.
    fn entry_status(status: EntryStatus) -> Option<&'static str>;
    /// The type of a balance.
    fn balance_type(kind: BalanceType) -> &'static str;
    /// The status of a direct debit or standing order. Source: AIS-170, AIS-171.
    fn arrangement_status(status: ArrangementStatus) -> &'static str;
    /// Every status of an entry, for schemas.
    fn entry_statuses() -> Vec<&'static str>;
    /// The sub-types of an amount in the account's currency, and of its local equivalent. Source: RW-259.
    const BALANCE_SUB_TYPES: [&'static str; 2];

    /// Every type of a balance, for schemas.
    fn balance_types() -> Vec<&'static str>;
    /// Every status of a direct debit or standing order, for schemas.
    fn arrangement_statuses() -> Vec<&'static str>;
}

/// Names the type by which every version serialises a domain type; `V` stands for the version.
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

/// An object without members, for an object that a version does not extend.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NoMembers {}

impl From<Option<&str>> for NoMembers {
    fn from(_: Option<&str>) -> Self {
        Self {}
    }
}

impl From<&EntryPayment> for NoMembers {
    fn from(_: &EntryPayment) -> Self {
        Self {}
    }
}

impl From<(EffectiveConsentStatus, Option<ConsentStatusReason>)> for NoMembers {
    fn from(_: (EffectiveConsentStatus, Option<ConsentStatusReason>)) -> Self {
        Self {}
    }
}
