//! The product behind an account and its terms. Source: AIS-180, AIS-181, `OBReadProduct2`.
//!
//! The standard tells the same things in three dialects: of personal current accounts, of business current accounts
//! and of all others. Here each thing has one type; which words a dialect has, and what it leaves unsaid, is decided
//! where it is written.
//!
//! These types are `serde` types as well, unlike the rest of the domain: a product is stored as one document, and a
//! second copy of some fifty types would only repeat them. What they are called in a document never changes its
//! meaning, and new members are optional; `lombard-store` holds a document of every member to that.

mod charges;
mod features;
mod figures;
mod interest;
mod overdraft;
mod repayment;

pub use charges::{
    AccountCharges, AccountFee, AccountFeeType, Fee, FeeCap, FeeCategory, FeeLimit, FeeLimitBound, FeeRange,
    OverdraftCharges, OverdraftFee, OverdraftFeeType, ProductCharges, ProductFeeFrequency, ProductRateType, Tariff,
    TariffType,
};
pub use features::{
    BusinessFeatures, BusinessSegment, LendingSegment, OtherFeatures, PersonalFeatures, PersonalSegment, Segment,
};
pub use figures::{BadFigure, CodeOrOther, OtherCode, Rate, Sum, TermLength, TimeUnit};
pub use interest::{
    CreditTier, CreditTierSet, InterestCalculation, InterestDestination, LoanInterest, LoanTier, LoanTierSet,
    PersonalTiering, ProductInterestFrequency, RateVariation, Tiering,
};
pub use overdraft::{Overdraft, OverdraftAgreement, OverdraftTier, OverdraftTierSet, OverdraftType};
pub use repayment::{Repayment, RepaymentAmount, RepaymentFrequency, RepaymentHoliday, RepaymentType};

use crate::ids::{BankAccountId, RecordId};
use serde::{Deserialize, Serialize};

/// The product behind an account; each account has at most one. Source: AIS-180.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountProduct {
    /// The account.
    pub account: BankAccountId,
    /// The bank's id of the product, the same on all its accounts, at most 40 characters.
    pub id: RecordId,
    /// What makes the id unique if it is not, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secondary_id: Option<String>,
    /// What it is sold as, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the offer it was sold under, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marketing_state: Option<String>,
    /// What it is, and its terms.
    pub kind: ProductKind,
}

/// What a product is, and the terms that go with that: no product has the terms of another kind. Source: AIS-180.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductKind {
    /// A current account of a person.
    PersonalCurrentAccount(Box<PersonalCurrentAccount>),
    /// A current account of a business.
    BusinessCurrentAccount(Box<BusinessCurrentAccount>),
    /// A credit card of a business.
    CommercialCreditCard,
    /// A loan to a business.
    SmeLoan,
    /// Anything else.
    Other(Box<OtherProduct>),
}

/// The terms of a personal current account. Source: `OBPCAData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalCurrentAccount {
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<PersonalFeatures>,
    /// What credit earns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<PersonalTiering, InterestDestination>>,
    /// What debt costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// What else costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<AccountCharges>,
}

/// The terms of a business current account. Source: `OBBCAData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessCurrentAccount {
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<BusinessFeatures>,
    /// What credit earns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<Tiering, InterestDestination>>,
    /// What debt costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// What else costs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tariffs: Vec<Tariff>,
}

/// A product that is none of the others, and its terms. Source: `OtherProductType`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherProduct {
    /// What such a product is called, 1 to 350 characters.
    pub name: String,
    /// What it is, 1 to 350 characters.
    pub description: String,
    /// Whom it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<OtherFeatures>,
    /// What credit earns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<Tiering, CodeOrOther<InterestDestination>>>,
    /// What debt beyond the agreement costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// What a loan costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loan_interest: Option<LoanInterest>,
    /// How a loan is paid back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repayment: Option<Repayment>,
    /// What else costs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tariffs: Vec<Tariff>,
}
