//! The customers of the built-in bank and their accounts, as the sandbox shows them.

use lombard_domain::account::{AccountIdentification, AccountStatus, AccountSubType, AccountType, PostalAddress};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::Currency;
use serde::{Deserialize, Serialize};

/// A customer of the built-in bank, as the sandbox's logins know them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxCustomer {
    /// The customer's id, which is also the user name and the password.
    pub psu: PsuId,
    /// The customer's name.
    pub name: String,
    /// The purpose of the customer in tests, in one sentence.
    pub about: String,
}

/// A customer, as shown to a tester.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerView {
    /// The customer's id.
    pub psu: PsuId,
    /// The user name to log in with; in a sandbox also the password.
    pub login: String,
    /// The customer's name.
    pub name: String,
    /// The purpose of the customer in tests, in one sentence.
    pub about: String,
    /// The accounts that the customer holds or operates, by id.
    pub accounts: Vec<AccountView>,
}

/// The most characters of a customer's name. Source: `OBParty2/Name`.
pub const CUSTOMER_NAME_CHARS_MAX: usize = 350;
/// The most characters of the purpose of a customer.
pub const ABOUT_CHARS_MAX: usize = 350;
/// The most characters of an e-mail address. Source: `OBParty2/EmailAddress`.
pub const EMAIL_CHARS_MAX: usize = 256;

/// A change of a customer's own record. Absent members are unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerChange {
    /// The name: 1 to [`CUSTOMER_NAME_CHARS_MAX`] characters. The customer's personal data, if there is any, gets the same name.
    pub name: Option<String>,
    /// The purpose of the customer in tests: 1 to [`ABOUT_CHARS_MAX`] characters.
    pub about: Option<String>,
    /// The e-mail address of the personal data: 1 to [`EMAIL_CHARS_MAX`] characters.
    pub email: Option<String>,
    /// The telephone number of the personal data, `+44-…`. Source: AIS-188.
    pub phone: Option<String>,
    /// The mobile number of the personal data, `+44-…`. Source: AIS-188.
    pub mobile: Option<String>,
    /// The postal address of the personal data, which replaces all former addresses. It must have a country. Source: AIS-188.
    pub address: Option<PostalAddress>,
}

impl CustomerChange {
    /// The name of a member in this change that changes personal data, which not every customer has.
    pub fn personal_member(&self) -> Option<&'static str> {
        let Self { name: _, about: _, email, phone, mobile, address } = self;
        let members = [
            ("email", email.is_some()),
            ("phone", phone.is_some()),
            ("mobile", mobile.is_some()),
            ("address", address.is_some()),
        ];
        members.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// An account as the bank knows it. It contains no `AccountId`, which is different for each TPP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    /// The bank's id.
    pub id: BankAccountId,
    /// Its status.
    pub status: AccountStatus,
    /// Whether it is personal.
    pub account_type: AccountType,
    /// Its product type.
    pub sub_type: AccountSubType,
    /// The product's description.
    pub description: Option<String>,
    /// The customer's name for the account.
    pub nickname: Option<String>,
    /// Its identifications.
    pub identifications: Vec<AccountIdentification>,
    /// Its currency, which is also that of the sums.
    pub currency: Currency,
    /// Whether its customer can share it with a TPP now. Source: AIS-082.
    pub shareable: bool,
    /// The booked balance in minor units.
    pub booked: i64,
    /// The pending balance in minor units: reserved or announced sums.
    pub pending: i64,
    /// The arranged overdraft or credit limit in minor units.
    pub credit_limit: u64,
    /// The number of holders who must authorise a payment, at least one. Source: PIS-112.
    pub authorisers: u16,
}

/// An account that was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedAccount {
    /// The bank's id.
    pub id: BankAccountId,
    /// Its new status.
    pub status: AccountStatus,
}
