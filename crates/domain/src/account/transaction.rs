//! Transactions: the entries on an account. Source: AIS-120 to AIS-131, `OBTransaction6`.

use super::{AccountIdentification, AccountScheme, BalanceType, BankIdentification, IsoCode, PostalAddress};
use crate::ids::{BankAccountId, TransactionId};
use crate::money::{Amount, Currency, SignedAmount};
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The status of an entry. Source: AIS-121, AIS-135.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryStatus {
    /// The entry is booked.
    Booked,
    /// The entry is pending and may change.
    Pending,
    /// The entry was rejected.
    Rejected,
    /// The entry is recorded and will be booked on a later day; it may change. v3.1 shows it as pending.
    Future,
    /// The entry is for information and is never booked. v3.1 does not show it.
    Information,
}

impl EntryStatus {
    /// Whether the entry is still to be booked.
    pub const fn is_expected(self) -> bool {
        match self {
            Self::Pending | Self::Future => true,
            Self::Booked | Self::Rejected | Self::Information => false,
        }
    }
}

/// Whether a booked entry may still change. Source: AIS-123.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mutability {
    /// The entry may change.
    Mutable,
    /// The entry never changes.
    Immutable,
}

/// An ISO 20022 bank transaction code by its long names. Source: AIS-128.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankTransactionCode {
    /// The family within the domain, such as `ReceivedCreditTransfers`.
    pub code: String,
    /// The sub-family, such as `DomesticCreditTransfer`.
    pub sub_code: String,
}

/// The bank's own code for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProprietaryCode {
    /// The code, at most 35 characters.
    pub code: String,
    /// The issuer of the code, at most 35 characters.
    pub issuer: Option<String>,
}

/// The account's balance after an entry. Shown only with the Detail permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryBalance {
    /// Its type.
    pub kind: BalanceType,
    /// The signed amount.
    pub sum: SignedAmount,
}

/// The merchant of a card transaction. Shown only with the Detail permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The merchant's name, at most 350 characters.
    pub name: String,
    /// The ISO 18245 merchant category code, 3 or 4 digits.
    pub category: Option<String>,
}

stored_as_pairs! {
    BankTransactionCode(code, sub_code);
    ProprietaryCode(code, issuer);
    EntryBalance(kind, sum);
    Merchant(name, category);
}

/// An exact exchange rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeRate(#[serde(with = "crate::stored")] pub Decimal);

/// The currency exchange of an entry. Source: `OBCurrencyExchange5`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrencyExchange {
    /// The currency converted from.
    pub source: Currency,
    /// The currency converted into.
    pub target: Currency,
    /// The currency the rate is expressed in.
    pub unit: Currency,
    /// The rate.
    pub rate: ExchangeRate,
    /// When it was quoted.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub quoted_at: Option<Timestamp>,
    /// The instructed amount, before conversion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructed: Option<Amount>,
}

/// A card scheme. Source: AIS-129.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CardScheme {
    /// American Express.
    AmericanExpress,
    /// Diners Club.
    Diners,
    /// Discover.
    Discover,
    /// MasterCard.
    MasterCard,
    /// Visa.
    Visa,
}

/// How the cardholder authorised a transaction. Source: AIS-129.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CardAuthorisation {
    /// By a device of the cardholder.
    ConsumerDevice,
    /// By contactless use of the card.
    Contactless,
    /// Without authorisation.
    None,
    /// By PIN.
    Pin,
}

/// The card used. Shown also with the Basic permission; its number is masked without `ReadPAN`. Source: AIS-052.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardInstrument {
    /// The scheme.
    pub scheme: CardScheme,
    /// How the cardholder authorised the transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorisation: Option<CardAuthorisation>,
    /// The cardholder's name, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The card number in clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// The counterparty of an entry: creditor of a debit, debtor of a credit. Shown only with the Detail permission. Source: AIS-130.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherParty {
    /// The servicing bank of its account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// Its account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountIdentification>,
}

/// A further code of the bank for an entry. Source: `OBExtendedProprietaryBankTransactionCode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtendedCode {
    /// The code, at most 35 characters.
    pub code: String,
    /// The issuer of the code, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The meaning of the code, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The party on whose behalf a payment was made or received. Source: `OBUltimateCreditor1`, `OBUltimateDebtor1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UltimateParty {
    /// The name, at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The scheme of the identification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheme: Option<AccountScheme>,
    /// The identification, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identification: Option<String>,
    /// The legal entity identifier, 20 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lei: Option<String>,
    /// The address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
}

/// A bank between those of the debtor and the creditor of an international payment. Source: AIS-132.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntermediaryAgent {
    /// The bank.
    pub agent: BankIdentification,
    /// The bank's progress in processing the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<IsoCode>,
}

/// Details of the payment that caused an entry; only v4.0 shows them. Source: `OBTransaction6`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPayment {
    /// The category of its purpose (`ExternalCategoryPurpose1Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_purpose: Option<IsoCode>,
    /// Its purpose (`OBExternalPurpose1Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<IsoCode>,
    /// Further codes of the bank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extended_codes: Vec<ExtendedCode>,
    /// The party that finally receives the payment. Shown only with the Detail permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ultimate_creditor: Option<UltimateParty>,
    /// The party on whose behalf the payment is made. Shown only with the Detail permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ultimate_debtor: Option<UltimateParty>,
    /// The intermediary banks, in the order in which they handle the payment, at most three; international payments only. Shown
    /// only with the Detail permission. Source: AIS-132.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intermediaries: Vec<IntermediaryAgent>,
}

/// An entry on an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The account.
    pub account: BankAccountId,
    /// Its id.
    pub id: TransactionId,
    /// A reference of the entry, at most 210 characters.
    pub reference: Option<String>,
    /// References of the statements it appears on, each at most 35 characters.
    pub statement_references: Vec<String>,
    /// The signed amount.
    pub sum: SignedAmount,
    /// Its status.
    pub status: EntryStatus,
    /// Whether it may still change.
    pub mutability: Mutability,
    /// When it was, or is expected to be, booked (bank clock). Source: AIS-122.
    pub booked_at: Timestamp,
    /// The value date.
    pub value_at: Option<Timestamp>,
    /// A text for the customer, at most 500 characters. Shown only with the Detail permission.
    pub information: Option<String>,
    /// The address of the merchant or cash machine, at most 70 characters.
    pub address_line: Option<String>,
    /// The charge for it.
    pub charge: Option<Amount>,
    /// The currency exchange, if any.
    pub exchange: Option<CurrencyExchange>,
    /// Its ISO 20022 code.
    pub bank_code: Option<BankTransactionCode>,
    /// Its proprietary code.
    pub proprietary_code: Option<ProprietaryCode>,
    /// The balance after it. Shown only with the Detail permission.
    pub balance: Option<EntryBalance>,
    /// The merchant. Shown only with the Detail permission.
    pub merchant: Option<Merchant>,
    /// The counterparty. Shown only with the Detail permission.
    pub other_party: Option<OtherParty>,
    /// The card used.
    pub card: Option<CardInstrument>,
    /// Details of the payment that caused the entry.
    pub payment: Option<Box<EntryPayment>>,
}
