//! Entries on an account. Source: AIS-120 to AIS-131, `OBTransaction6`.

use super::{AccountIdentification, BalanceType, BankIdentification};
use crate::ids::{BankAccountId, TransactionId};
use crate::money::{Amount, Currency, SignedAmount};
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Whether an entry is booked. Source: AIS-121.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryStatus {
    /// The entry is booked.
    Booked,
    /// Not yet; it may change.
    Pending,
    /// It was refused.
    Rejected,
}

/// Whether a booked entry may still change. Source: AIS-123.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mutability {
    /// It may.
    Mutable,
    /// It never does.
    Immutable,
}

/// An ISO 20022 bank transaction code by its long names. Source: AIS-128.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankTransactionCode {
    /// The family within the domain, as `ReceivedCreditTransfers`.
    pub code: String,
    /// The sub-family, as `DomesticCreditTransfer`.
    pub sub_code: String,
}

/// The bank's own code for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProprietaryCode {
    /// The code, at most 35 characters.
    pub code: String,
    /// Who defined it, at most 35 characters.
    pub issuer: Option<String>,
}

/// The account's balance after an entry. Detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryBalance {
    /// What it counts.
    pub kind: BalanceType,
    /// How much, and which way.
    pub sum: SignedAmount,
}

/// Where a card was used. Detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The merchant's name, at most 350 characters.
    pub name: String,
    /// The ISO 18245 category, 3 or 4 digits.
    pub category: Option<String>,
}

stored_as_pairs! {
    BankTransactionCode(code, sub_code);
    ProprietaryCode(code, issuer);
    EntryBalance(kind, sum);
    Merchant(name, category);
}

/// A rate of exchange, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeRate(#[serde(with = "crate::stored")] pub Decimal);

/// How a foreign amount became one of the account's currency. Source: `OBCurrencyExchange5`.
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
    /// The amount as ordered, before conversion.
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

/// How the cardholder agreed. Source: AIS-129.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CardAuthorisation {
    /// By a device of his own.
    ConsumerDevice,
    /// By holding the card near.
    Contactless,
    /// Not at all.
    None,
    /// By a secret number.
    Pin,
}

/// The card used. Basic; its number is masked without ReadPAN. Source: AIS-052.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardInstrument {
    /// The scheme.
    pub scheme: CardScheme,
    /// How the cardholder agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorisation: Option<CardAuthorisation>,
    /// The cardholder's name, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The card number in clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// The other side of an entry: creditor of a debit, debtor of a credit. Detail. Source: AIS-130.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherParty {
    /// Its bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// Its account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountIdentification>,
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
    /// How much, and which way.
    pub sum: SignedAmount,
    /// Whether it is booked.
    pub status: EntryStatus,
    /// Whether it may still change.
    pub mutability: Mutability,
    /// When it was, or is expected to be, booked (bank clock). Source: AIS-122.
    pub booked_at: Timestamp,
    /// When it counts for interest.
    pub value_at: Option<Timestamp>,
    /// A text for the customer, at most 500 characters. Detail.
    pub information: Option<String>,
    /// The address of a merchant or machine, at most 70 characters.
    pub address_line: Option<String>,
    /// What was charged for it.
    pub charge: Option<Amount>,
    /// How it was converted.
    pub exchange: Option<CurrencyExchange>,
    /// Its ISO code.
    pub bank_code: Option<BankTransactionCode>,
    /// Its code at this bank.
    pub proprietary_code: Option<ProprietaryCode>,
    /// The balance after it. Detail.
    pub balance: Option<EntryBalance>,
    /// The merchant. Detail.
    pub merchant: Option<Merchant>,
    /// The other side. Detail.
    pub other_party: Option<OtherParty>,
    /// The card used.
    pub card: Option<CardInstrument>,
}
