//! What a bank knows of an account and may show to a TPP: accounts, balances, entries, arrangements, products, statements,
//! parties.
//!
//! These are the bank's full records. Which parts a TPP sees (Basic or Detail, masked or clear) is decided once,
//! in `lombard-service`; how they are written, in `lombard-wire`.

mod address;
mod arrangement;
mod number;
mod party;
pub mod product;
mod statement;
mod transaction;

pub use address::{AddressType, PostalAddress};
pub use arrangement::{
    ArrangementStatus, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, Instalment, Offer, OfferType,
    ScheduledPayment, ScheduledType, StandingOrder,
};
pub use party::{AccountParty, AccountRole, LegalStructure, Party, PartyType};
pub use product::{AccountProduct, ProductKind};
pub use statement::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
pub use transaction::{
    BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange, EntryBalance, EntryStatus,
    ExchangeRate, Merchant, Mutability, OtherParty, ProprietaryCode, Transaction,
};

use crate::ids::{AccountId, BankAccountId};
use crate::money::{Amount, Currency, SignedAmount};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

/// Whether an account can be used. Source: AIS-102.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountStatus {
    /// It can.
    Enabled,
    /// It cannot for now.
    Disabled,
    /// It was closed.
    Deleted,
    /// It is being opened.
    ProForma,
    /// It waits for something.
    Pending,
}

/// Who an account is for. Source: AIS-102.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountType {
    /// A business.
    Business,
    /// A person.
    Personal,
}

/// What kind of account it is. Source: AIS-102.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountSubType {
    /// A charge card.
    ChargeCard,
    /// A credit card.
    CreditCard,
    /// A current account.
    CurrentAccount,
    /// Electronic money.
    EMoney,
    /// A loan.
    Loan,
    /// A mortgage.
    Mortgage,
    /// A prepaid card.
    PrePaidCard,
    /// A savings account.
    Savings,
}

/// Whether the account was moved to another bank. Source: AIS-085.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchStatus {
    /// It was not.
    NotSwitched,
    /// It was.
    SwitchCompleted,
}

/// A scheme of account numbers. Source: RW-257.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountScheme {
    /// A basic bank account number.
    Bban,
    /// An international bank account number.
    Iban,
    /// A card number.
    Pan,
    /// A mobile number of the Paym service.
    Paym,
    /// A British sort code and account number, 14 digits.
    SortCodeAccountNumber,
    /// A wallet.
    Wallet,
}

/// A number an account is known by. Source: AIS-103, `OBCashAccount`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountIdentification {
    /// The scheme.
    pub scheme: AccountScheme,
    /// The number in that scheme, in clear. A PAN must pass `lombard-service`'s redaction before it is shown.
    pub number: String,
    /// The owner's name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A roll number, at most 34 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secondary: Option<String>,
}

crate::stored::plain_values! { AccountIdentification }

/// A bank: by its BIC, or by name and address. Source: AIS-162, `OBBranchAndFinancialInstitutionIdentification`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankIdentification {
    /// The BIC (`UK.OBIE.BICFI`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bic: Option<String>,
    /// Its name, at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
}

/// An account. Source: AIS-100, `OBAccount6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The bank's id.
    pub id: BankAccountId,
    /// Whether it can be used.
    pub status: AccountStatus,
    /// When that last changed.
    pub status_changed_at: Timestamp,
    /// Its currency.
    pub currency: Currency,
    /// Who it is for.
    pub account_type: AccountType,
    /// What it is.
    pub sub_type: AccountSubType,
    /// The product's description, at most 35 characters.
    pub description: Option<String>,
    /// What the customer calls it, at most 70 characters.
    pub nickname: Option<String>,
    /// When it was opened.
    pub opened_on: Option<Date>,
    /// When it matures.
    pub matures_on: Option<Date>,
    /// Whether it was switched away.
    pub switch_status: Option<SwitchStatus>,
    /// Its numbers; at least one. Detail.
    pub identifications: Vec<AccountIdentification>,
    /// The bank that keeps it. Detail.
    pub servicer: Option<BankIdentification>,
}

/// What a balance counts. Source: AIS-111.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceType {
    /// At the close of a day, usable.
    ClosingAvailable,
    /// At the close of a day, booked.
    ClosingBooked,
    /// What is expected.
    Expected,
    /// Usable in the future.
    ForwardAvailable,
    /// For information.
    Information,
    /// Now, usable.
    InterimAvailable,
    /// Now, booked.
    InterimBooked,
    /// At the opening of a day, usable.
    OpeningAvailable,
    /// At the opening of a day, booked.
    OpeningBooked,
    /// At the close of the day before.
    PreviouslyClosedBooked,
}

/// What kind of credit line. Source: AIS-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CreditLineType {
    /// What is left of the line.
    Available,
    /// The whole line.
    Credit,
    /// For emergencies.
    Emergency,
    /// Arranged beforehand.
    PreAgreed,
    /// For a while.
    Temporary,
}

/// A credit line on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLine {
    /// Whether the balance counts it.
    pub included: bool,
    /// What it is.
    pub kind: CreditLineType,
    /// How much it is.
    pub amount: Amount,
}

/// A balance of an account. Source: AIS-110, `OBReadBalance1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The account.
    pub account: BankAccountId,
    /// What it counts.
    pub kind: BalanceType,
    /// When it was taken (bank clock).
    pub at: Timestamp,
    /// How much, and which way.
    pub sum: SignedAmount,
    /// The account's credit lines.
    pub credit_lines: Vec<CreditLine>,
}

/// A record of an account as one TPP sees it: under the id that TPP knows the account by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aliased<T> {
    /// What the TPP calls the account. Source: AIS-087.
    pub alias: AccountId,
    /// The record, without what the consent does not open.
    pub record: T,
}
