//! The arrangements of an account: beneficiaries, direct debits, standing orders, scheduled payments, offers.
//!
//! Each record belongs to one account and has its own id; lists are sorted by account, then id.
//!
//! The type parameter `P` is the payee's account. The bank always knows it (AIS-051); it is an `Option` in what a TPP is shown.

use super::{AccountIdentification, BankIdentification, IsoCode};
use crate::frequency::Frequency;
use crate::ids::{BankAccountId, RecordId};
use crate::money::Amount;
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Whether payments to a beneficiary require strong customer authentication. Source: AIS-160.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BeneficiaryType {
    /// The beneficiary is trusted: no authentication is required.
    Trusted,
    /// Authentication is required.
    Ordinary,
}

/// A beneficiary of an account. Source: AIS-160 to AIS-162, `OBBeneficiary5`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beneficiary<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account. Source: AIS-161.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// Whether the beneficiary is trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BeneficiaryType>,
    /// The reference for payments to the beneficiary, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The servicing bank of the payee's account. Shown only with the Detail permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Shown only with the Detail permission, and then always present (AIS-051).
    pub payee: P,
}

impl<P> Beneficiary<P> {
    /// The same record with the payee converted.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> Beneficiary<Q> {
        let Self { id, account, kind, reference, agent, payee } = self;
        Beneficiary { id, account, kind, reference, agent, payee: change(payee) }
    }
}

/// The status of an arrangement. v3.1 shows only whether the arrangement is active. Source: AIS-170, AIS-171.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrangementStatus {
    /// The arrangement is active.
    Active,
    /// The arrangement was cancelled.
    Inactive,
    /// The arrangement is suspended and may become active again.
    Suspended,
    /// The arrangement has reached its agreed end.
    Expired,
}

/// The frequency of a direct debit. Source: AIS-170.
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
    /// The frequency is unknown.
    NotKnown,
    /// Every three months.
    Quarterly,
    /// Every week.
    Weekly,
}

/// The terms of a mandate other than its payments. Source: AIS-170, AIS-171, `OBMandateRelatedInformation1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MandateTerms {
    /// The identification of a standing order's mandate, at most 35 characters; a direct debit has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identification: Option<String>,
    /// Whether the amount is fixed, variable or by usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<IsoCode>,
    /// The category of its purpose (`ExternalCategoryPurpose1Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_purpose: Option<IsoCode>,
    /// The reason for it, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A direct debit mandate on an account. Source: AIS-170, `OBReadDirectDebit2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectDebit {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account debited.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// The mandate identification, at most 35 characters.
    pub mandate: String,
    /// The status.
    pub status: ArrangementStatus,
    /// The name of the service user who collects, at most 70 characters.
    pub name: String,
    /// The frequency.
    pub frequency: DirectDebitFrequency,
    /// The time and amount of the previous collection.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub previous: Option<(Timestamp, Amount)>,
    /// The terms of the mandate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Box<MandateTerms>>,
}

/// The time and amount of one payment of a standing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instalment {
    /// The time (bank clock).
    pub at: Timestamp,
    /// The amount.
    pub amount: Amount,
}

stored_as_pairs! { Instalment(at, amount); }

/// A standing order. Source: AIS-171, AIS-172, `OBStandingOrder6`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingOrder<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account debited.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// The frequency.
    pub frequency: Frequency,
    /// The reference for the payee, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The first payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Instalment>,
    /// The next payment; none once the standing order is inactive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Instalment>,
    /// The last payment made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Instalment>,
    /// The final payment, if an end is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Instalment>,
    /// The number of payments, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<u32>,
    /// The status.
    pub status: ArrangementStatus,
    /// The terms of its mandate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Box<MandateTerms>>,
    /// The servicing bank of the payee's account. Shown only with the Detail permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Shown only with the Detail permission, and then always present (AIS-051).
    pub payee: P,
}

impl<P> StandingOrder<P> {
    /// The same record with the payee converted.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> StandingOrder<Q> {
        let Self { id, account, frequency, reference, first, next, last, end, payments, status, terms, agent, payee } =
            self;
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
            terms,
            agent,
            payee: change(payee),
        }
    }
}

/// The meaning of a scheduled payment's date. Source: AIS-173.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScheduledType {
    /// The date of arrival at the payee.
    Arrival,
    /// The date of execution.
    Execution,
}

/// A scheduled payment. Source: AIS-173, `OBScheduledPayment3`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledPayment<P = AccountIdentification> {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account debited.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// The scheduled time (bank clock).
    #[serde(with = "crate::stored")]
    pub at: Timestamp,
    /// The meaning of that time.
    pub kind: ScheduledType,
    /// The reference for the payee, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The reference for the payer, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor_reference: Option<String>,
    /// The amount.
    pub amount: Amount,
    /// The servicing bank of the payee's account. Shown only with the Detail permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<BankIdentification>,
    /// The payee's account. Shown only with the Detail permission, and then always present (AIS-051).
    pub payee: P,
}

impl<P> ScheduledPayment<P> {
    /// The same record with the payee converted.
    pub fn map_payee<Q>(self, change: impl FnOnce(P) -> Q) -> ScheduledPayment<Q> {
        let Self { id, account, at, kind, reference, debtor_reference, amount, agent, payee } = self;
        ScheduledPayment { id, account, at, kind, reference, debtor_reference, amount, agent, payee: change(payee) }
    }
}

/// The type of an offer. Source: AIS-182.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferType {
    /// A balance transfer from another lender.
    BalanceTransfer,
    /// An increased credit limit.
    LimitIncrease,
    /// A money transfer from a card to an account.
    MoneyTransfer,
    /// Another type of offer.
    Other,
    /// A promotional rate for a limited time.
    PromotionalRate,
}

/// An offer of the bank to an account holder. Source: AIS-182, `OBReadOffer1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its id.
    #[serde(skip, default = "crate::stored::in_column")]
    pub id: RecordId,
    /// The account.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// Its type.
    pub kind: OfferType,
    /// Its description, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The start of its validity.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// The end of its validity.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// The rate in per cent, at most 3 digits and 4 decimals.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<Decimal>,
    /// A value associated with the offer, such as a number of months. Source: AIS-182.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The term of the offer, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// The address of further information, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The amount offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// The fee of the offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee: Option<Amount>,
}
