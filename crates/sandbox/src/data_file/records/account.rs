//! Customers, and accounts with their balances.

use lombard_core_api::form::shape::FormOf;
use lombard_core_api::form::values::{AsciiKey, BoundedText};
use lombard_core_api::objects;
use lombard_corebank::storage::{BankAccountRecord, Customer};
use lombard_domain::account::{Account, Party};
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, SignedAmount};

/// The form of customers.
pub(in super::super) struct CustomerForm;

objects! {
    CustomerForm as "Customer" of Customer {
        psu: required(AsciiKey<40>, "Login");
        name: required(BoundedText<350>, "Name");
        about: required(BoundedText<500>, "About");
        party: optional(FormOf<Party>, "Party");
    }

    FileAccount as "Account" {
        account: flat(Account);
        holders: list(AsciiKey<40>, "Holder");
        eligible: required(FormOf<bool>, "Shareable");
        credit_limit: optional(FormOf<Amount>, "CreditLimit");
        authorisers: optional(FormOf<u16>, "Authorisers");
        opening: optional(FormOf<SignedAmount>, "OpeningBalance");
        booked: optional(FormOf<SignedAmount>, "BookedBalance");
    }
}

/// An account with its balances in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct FileAccount {
    pub(in super::super) account: Account,
    pub(in super::super) holders: Vec<PsuId>,
    pub(in super::super) eligible: bool,
    pub(in super::super) credit_limit: Option<Amount>,
    /// The number of holders who must authorise a payment; one if absent. Source: PIS-112.
    pub(in super::super) authorisers: Option<u16>,
    /// The balance before the first entry; zero if absent.
    pub(in super::super) opening: Option<SignedAmount>,
    /// The balance after the last entry. The file states it so that an import can check it.
    pub(in super::super) booked: Option<SignedAmount>,
}

impl FileAccount {
    /// The bank's record of the account.
    pub(in super::super) fn to_record(&self) -> BankAccountRecord {
        let limit = self.credit_limit.map_or(0, Amount::minor);
        BankAccountRecord {
            account: self.account.clone(),
            holders: self.holders.clone(),
            eligible: self.eligible,
            credit_limit: i64::try_from(limit).unwrap_or(i64::MAX),
            authorisers: self.authorisers.unwrap_or(1),
        }
    }
}
