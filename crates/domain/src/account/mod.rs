//! The account data of a bank that a TPP may be shown: accounts, balances, transactions, arrangements, products,
//! statements, parties.
//!
//! These are the bank's full records. `lombard-service` decides which parts a TPP may see (Basic or Detail, masked or
//! in clear), and `lombard-wire` serialises them.

mod address;
mod arrangement;
mod codes;
mod iso_code;
mod number;
mod party;
pub mod product;
mod statement;
mod transaction;
mod validation;

pub use address::{AddressType, PostalAddress};
pub use arrangement::{
    ArrangementStatus, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, Instalment, MandateTerms,
    Offer, OfferType, ScheduledPayment, ScheduledType, StandingOrder,
};
pub use iso_code::{IsoCode, NotACode};
pub use party::{
    AccountParty, AccountRole, LegalStructure, PARTY_ADDRESS_LINES_MAX, Party, PartyType, is_telephone_number,
};
pub use product::{AccountProduct, ProductKind};
pub use statement::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementDelivery, StatementFee, StatementFeeType, StatementInterest,
    StatementInterestType, StatementRateType, StatementType, StatementValueType,
};
pub use transaction::{
    BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange, EntryBalance, EntryPayment,
    EntryStatus, ExchangeRate, ExtendedCode, IntermediaryAgent, Merchant, Mutability, OtherParty, ProprietaryCode,
    Transaction, UltimateParty,
};
pub(crate) use validation::{AccountFields, identification_faults};

use crate::core_state::CoreState;
use crate::ids::{AccountId, BankAccountId};
use crate::money::{Amount, Currency, SignedAmount};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

/// The status of an account. Source: AIS-102.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountStatus {
    /// The account can be used.
    Enabled,
    /// The account cannot be used for now.
    Disabled,
    /// The account was closed.
    Deleted,
    /// The account is being opened.
    ProForma,
    /// The account is awaiting activation.
    Pending,
}

/// Whether an account is personal. Source: AIS-102.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountType {
    /// An account of a business.
    Business,
    /// An account of a person.
    Personal,
}

/// The product type of an account. Source: AIS-102.
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

/// Whether the account was switched to another bank. Source: AIS-085.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchStatus {
    /// The account was not switched.
    NotSwitched,
    /// The account was switched.
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

/// An identification of an account. Source: AIS-103, `OBCashAccount`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountIdentification {
    /// The scheme.
    pub scheme: AccountScheme,
    /// The identification in that scheme, in clear. A PAN must be redacted by `lombard-service` before it is shown.
    pub number: String,
    /// The account holder's name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The secondary identification, such as a roll number, at most 34 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secondary: Option<String>,
    /// The alias by which payers know the account. Source: CBP-001, `OBProxy1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Box<AccountProxy>>,
}

/// An alias of an account, such as a telephone number. Source: CBP-001, `OBProxy1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountProxy {
    /// The alias, at most 2,048 characters.
    pub identification: String,
    /// The type of alias (`ExternalProxyAccountType1Code`).
    pub code: IsoCode,
    /// A type of the bank's own, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
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
    /// Its legal entity identifier, 20 characters. Source: AIS-160.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lei: Option<String>,
}

/// An account. Source: AIS-100, `OBAccount6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The bank's id.
    pub id: BankAccountId,
    /// Its status.
    pub status: AccountStatus,
    /// When the status last changed.
    pub status_changed_at: Timestamp,
    /// Its currency.
    pub currency: Currency,
    /// Whether it is personal.
    pub account_type: AccountType,
    /// Its product type.
    pub sub_type: AccountSubType,
    /// The product's description, at most 35 characters.
    pub description: Option<String>,
    /// The customer's name for the account, at most 70 characters.
    pub nickname: Option<String>,
    /// When it was opened.
    pub opened_on: Option<Date>,
    /// When it matures.
    pub matures_on: Option<Date>,
    /// Whether it was switched to another bank.
    pub switch_status: Option<SwitchStatus>,
    /// Its identifications; at least one. Shown only with the Detail permission.
    pub identifications: Vec<AccountIdentification>,
    /// The servicing bank. Shown only with the Detail permission.
    pub servicer: Option<BankIdentification>,
    /// The legal entity identifier of its holder, 20 characters. Shown only with the Detail permission. Source: AIS-100.
    pub lei: Option<String>,
    /// How its statements are delivered. Shown only with the Detail permission. Source: AIS-100, T7.
    pub statement_delivery: Vec<StatementDelivery>,
    /// The state that the core keeps with the account for the PSU who selects it.
    pub core_state: Option<CoreState>,
}

/// The type of a balance. Source: AIS-111.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceType {
    /// The available balance at the close of a day.
    ClosingAvailable,
    /// The booked balance at the close of a day.
    ClosingBooked,
    /// The expected balance: booked and known pending entries.
    Expected,
    /// The available balance on a future day.
    ForwardAvailable,
    /// A balance for information only.
    Information,
    /// The available balance during the day.
    InterimAvailable,
    /// The booked balance during the day.
    InterimBooked,
    /// The available balance at the opening of a day.
    OpeningAvailable,
    /// The booked balance at the opening of a day.
    OpeningBooked,
    /// The booked balance at the close of the previous period.
    PreviouslyClosedBooked,
}

/// The type of a credit line. Source: AIS-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CreditLineType {
    /// The amount still available.
    Available,
    /// The full credit line.
    Credit,
    /// An emergency credit line.
    Emergency,
    /// A credit line agreed beforehand.
    PreAgreed,
    /// A temporary credit line.
    Temporary,
}

/// A credit line on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLine {
    /// Whether the balance includes it.
    pub included: bool,
    /// Its type.
    pub kind: CreditLineType,
    /// Its amount.
    pub amount: Amount,
}

/// A balance of an account. Source: AIS-110, `OBReadBalance1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The account.
    pub account: BankAccountId,
    /// Its type.
    pub kind: BalanceType,
    /// The time of the balance (bank clock).
    pub at: Timestamp,
    /// The signed amount.
    pub sum: SignedAmount,
    /// The equivalent in the bank's own currency of an account that is kept in another. Source: AIS-110, RW-259.
    pub local: Option<Amount>,
    /// The account's credit lines.
    pub credit_lines: Vec<CreditLine>,
}

impl Balance {
    /// The combined value of accounts: the sum of their booked balances. `None` if they are kept in several currencies, or if it
    /// is below zero, which the standard's member cannot express. Source: AIS-110.
    pub fn total_value<'a>(balances: impl IntoIterator<Item = &'a Self>) -> Option<Amount> {
        let booked: Vec<_> =
            balances.into_iter().filter(|it| it.kind == BalanceType::InterimBooked).map(|it| it.sum).collect();
        let currency = booked.first()?.currency();
        if booked.iter().any(|sum| sum.currency() != currency) {
            return None;
        }
        let total = booked.iter().try_fold(0_i64, |total, sum| total.checked_add(sum.minor()))?;
        Some(Amount::from_minor(u64::try_from(total).ok()?, currency))
    }
}

/// A record of an account, with the `AccountId` by which one TPP knows the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aliased<T> {
    /// The `AccountId`. Source: AIS-087.
    pub alias: AccountId,
    /// The record, restricted to what the consent permits.
    pub record: T,
}
