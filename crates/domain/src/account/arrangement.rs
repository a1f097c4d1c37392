//! What an account holder has arranged: payees, mandates, standing orders, scheduled payments, offers.
//!
//! Each record belongs to one account and has an id of its own; lists come in the order of account and id.
//!
//! `P` is the payee's account: the bank always knows it (AIS-051), and what a TPP sees may lack it (`Option`).

use super::{AccountIdentification, BankIdentification};
use crate::frequency::Frequency;
use crate::ids::{BankAccountId, RecordId};
use crate::money::Amount;
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Whether payments to a payee need a second factor. Source: AIS-160.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BeneficiaryType {
    /// They do not.
    Trusted,
    /// They do.
    Ordinary,
}

/// A payee of an account. Source: AIS-160 to AIS-162, `OBBeneficiary5`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beneficiary<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account. Source: AIS-161.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// Whether it is trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BeneficiaryType>,
    /// What payments to it say, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The payee's bank. Detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Detail, and then always present (AIS-051).
    pub payee: P,
}

impl<P> Beneficiary<P> {
    /// The same record with the payee changed.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> Beneficiary<Q> {
        let Self { id, account, kind, reference, agent, payee } = self;
        Beneficiary { id, account, kind, reference, agent, payee: change(payee) }
    }
}

/// Whether an arrangement is in force. Source: AIS-170, AIS-171.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrangementStatus {
    /// The arrangement is active.
    Active,
    /// It was cancelled or has run its course.
    Inactive,
}

/// How often a direct debit is collected. Source: AIS-170.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DirectDebitFrequency {
    /// Every year.
    Annual,
    /// Every day.
    Daily,
    /// Every two weeks.
    Fortnightly,
    /// Every six months.
    HalfYearly,
    /// Every month.
    Monthly,
    /// It is not known.
    NotKnown,
    /// Every three months.
    Quarterly,
    /// Every week.
    Weekly,
}

/// A mandate to collect from an account. Source: AIS-170, `OBReadDirectDebit2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectDebit {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account it is collected from.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// The mandate's own reference, at most 35 characters.
    pub mandate: String,
    /// Whether it is in force.
    pub status: ArrangementStatus,
    /// Who collects, at most 70 characters.
    pub name: String,
    /// How often.
    pub frequency: DirectDebitFrequency,
    /// When and how much it was last.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub previous: Option<(Timestamp, Amount)>,
}

/// One payment of a standing order: when and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instalment {
    /// When (bank clock).
    pub at: Timestamp,
    /// How much.
    pub amount: Amount,
}

stored_as_pairs! { Instalment(at, amount); }

/// A standing order. Source: AIS-171, AIS-172, `OBStandingOrder6`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingOrder<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account that pays.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// How often.
    pub frequency: Frequency,
    /// What the payee reads, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The first payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Instalment>,
    /// The payment that comes next; none once it is inactive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Instalment>,
    /// The payment that came last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Instalment>,
    /// The payment that ends it, if an end is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Instalment>,
    /// How many payments there are in all, if a number is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<u32>,
    /// Whether it is in force.
    pub status: ArrangementStatus,
    /// The payee's bank. Detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Detail, and then always present (AIS-051).
    pub payee: P,
}

impl<P> StandingOrder<P> {
    /// The same record with the payee changed.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> StandingOrder<Q> {
        let Self { id, account, frequency, reference, first, next, last, end, payments, status, agent, payee } = self;
        StandingOrder {
            id,
            account,
            frequency,
            reference,
            first,
            next,
            last,
            end,
            payments,
            status,
            agent,
            payee: change(payee),
        }
    }
}

/// What the day of a scheduled payment means. Source: AIS-173.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScheduledType {
    /// The money arrives.
    Arrival,
    /// The money leaves.
    Execution,
}

/// A payment of the future, once. Source: AIS-173, `OBScheduledPayment3`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledPayment<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account that pays.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// When (bank clock).
    #[serde(with = "crate::stored")]
    pub at: Timestamp,
    /// What that time means.
    pub kind: ScheduledType,
    /// What the payee reads, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What the payer reads, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor_reference: Option<String>,
    /// How much.
    pub amount: Amount,
    /// The payee's bank. Detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Detail, and then always present (AIS-051).
    pub payee: P,
}

impl<P> ScheduledPayment<P> {
    /// The same record with the payee changed.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> ScheduledPayment<Q> {
        let Self { id, account, at, kind, reference, debtor_reference, amount, agent, payee } = self;
        ScheduledPayment { id, account, at, kind, reference, debtor_reference, amount, agent, payee: change(payee) }
    }
}

/// What is offered. Source: AIS-182.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferType {
    /// A rate for balances of other lenders.
    BalanceTransfer,
    /// A higher credit limit.
    LimitIncrease,
    /// A rate for money moved from a card to an account.
    MoneyTransfer,
    /// Something else.
    Other,
    /// A rate for a while.
    PromotionalRate,
}

/// What the bank offers the holder of an account. Source: AIS-182, `OBReadOffer1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// What is offered.
    pub kind: OfferType,
    /// In words, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// From when it holds.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Until when it holds.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// A rate, per cent, at most 3 digits and 4 decimals.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<Decimal>,
    /// A number, such as months. Source: AIS-182.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// For how long, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// Where to read more, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How much is offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// What it costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee: Option<Amount>,
}
