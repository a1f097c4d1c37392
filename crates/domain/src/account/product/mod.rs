//! The product behind an account and its terms. Source: AIS-180, AIS-181, `OBReadProduct2`.
//!
//! The standard has three dialects for the same terms: personal current accounts, business current accounts, and all others. Here
//! each term has one type; `lombard-wire` has the codes of each dialect and omits the members that the dialect lacks.
//!
//! The types are stored by `serde` as one document. The names in a document never change their meaning, and new members
//! are optional; `lombard-store` checks this with a document that has every member.

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

/// The product of an account; each account has at most one. Source: AIS-180.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountProduct {
    /// The account.
    pub account: BankAccountId,
    /// The bank's id of the product, the same on all its accounts, at most 40 characters.
    pub id: RecordId,
    /// The secondary product id, which makes the id unique if needed, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secondary_id: Option<String>,
    /// The marketing name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the marketing state, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marketing_state: Option<String>,
    /// The kind of product, with its terms.
    pub kind: ProductKind,
}

/// The kind of product, with the terms of that kind only. Source: AIS-180.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductKind {
    /// A personal current account.
    PersonalCurrentAccount(Box<PersonalCurrentAccount>),
    /// A business current account.
    BusinessCurrentAccount(Box<BusinessCurrentAccount>),
    /// A commercial credit card.
    CommercialCreditCard,
    /// A loan to a small or medium-sized enterprise.
    SmeLoan,
    /// Another product.
    Other(Box<OtherProduct>),
}

/// The terms of a personal current account. Source: `OBPCAData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalCurrentAccount {
    /// The features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<PersonalFeatures>,
    /// The interest on credit balances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<PersonalTiering, InterestDestination>>,
    /// The overdraft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// The other charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<AccountCharges>,
}

/// The terms of a business current account. Source: `OBBCAData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessCurrentAccount {
    /// The features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<BusinessFeatures>,
    /// The interest on credit balances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<Tiering, InterestDestination>>,
    /// The overdraft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// The other charges, by tariff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tariffs: Vec<Tariff>,
}

/// A product of another type, with its terms. Source: `OtherProductType`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherProduct {
    /// The name of the product type, 1 to 350 characters.
    pub name: String,
    /// The description of the product type, 1 to 350 characters.
    pub description: String,
    /// The features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<OtherFeatures>,
    /// The interest on credit balances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credit_interest: Vec<CreditTierSet<Tiering, CodeOrOther<InterestDestination>>>,
    /// The overdraft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft: Option<Overdraft>,
    /// The interest on a loan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loan_interest: Option<LoanInterest>,
    /// The repayment of a loan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repayment: Option<Repayment>,
    /// The other charges, by tariff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tariffs: Vec<Tariff>,
}
