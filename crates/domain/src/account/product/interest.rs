//! Interest: what the bank pays on credit and what it charges for a loan, tier by tier.

use super::{AccountCharges, CodeOrOther, ProductRateType, Rate, Sum, TermLength};
use serde::{Deserialize, Serialize};

/// How a rate depends on the balance. Source: `TierBandMethod`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tiering {
    /// The whole balance has the rate of the band it is in.
    Banded,
    /// Each part of the balance has the rate of its tier.
    Tiered,
    /// There is one rate.
    Whole,
}

/// How a rate of credit interest depends on the balance of a personal current account. Source: `OBPCAData1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonalTiering {
    /// Each part of the balance has the rate of its tier.
    Tiered,
    /// There is one rate.
    Whole,
}

/// Whether interest earns interest. Source: `OB_InterestCalculationMethod1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterestCalculation {
    /// It does.
    Compound,
    /// It does not.
    Simple,
}

/// Where credit interest goes. Source: `Destination`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterestDestination {
    /// To another account.
    PayAway,
    /// To the account itself.
    SelfCredit,
}

/// Whether a rate can change. Source: `OB_InterestFixedVariableType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateVariation {
    /// It cannot.
    Fixed,
    /// It can.
    Variable,
}

/// How often interest is worked out or paid. Source: `ApplicationFrequency`, `CalculationFrequency` of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductInterestFrequency {
    /// Each term of a school or university.
    AcademicTerm,
    /// Each day.
    Daily,
    /// Each half-year.
    HalfYearly,
    /// Each month.
    Monthly,
    /// Each quarter.
    Quarterly,
    /// On the day of the statement.
    PerStatementDate,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// Tiers of credit interest that belong together; a set without a tier is not shown. `M` is how rates may depend on
/// the balance, `D` where interest may go. Source: `CreditInterest/TierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditTierSet<M, D> {
    /// How the rate depends on the balance.
    pub method: M,
    /// Whether interest earns interest; of current accounts only a word of the list is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculation: Option<CodeOrOther<InterestCalculation>>,
    /// Where it goes.
    pub destination: D,
    /// The tiers, lowest first.
    pub tiers: Vec<CreditTier<M>>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tier of credit interest. Source: `CreditInterest/TierBandSet/TierBand`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditTier<M> {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The lowest balance it is for.
    pub from: Sum,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// How often interest is worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculated: Option<CodeOrOther<ProductInterestFrequency>>,
    /// How often it is paid.
    pub applied: CodeOrOther<ProductInterestFrequency>,
    /// Of which part of the balance.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub coverage: Option<M>,
    /// Whether the rate can change.
    pub variation: RateVariation,
    /// The annual equivalent rate.
    pub aer: Rate,
    /// How the bank's own rate is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// The bank's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Lets a type without a default have an optional member.
const fn none<T>() -> Option<T> {
    None
}

/// What a loan costs. Source: `OtherProductType/LoanInterest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanInterest {
    /// The tiers.
    pub sets: Vec<LoanTierSet>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Tiers of a loan that belong together. Source: `LoanInterest/LoanInterestTierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanTierSet {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How the rate depends on the loan.
    pub method: Tiering,
    /// Whether interest bears interest.
    pub calculation: CodeOrOther<InterestCalculation>,
    /// The tiers, lowest first.
    pub tiers: Vec<LoanTier>,
    /// Charges on all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<AccountCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tier of a loan. Source: `LoanInterestTierBandSet/LoanInterestTierBand`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanTier {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The smallest loan it is for.
    pub from: Sum,
    /// The largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// The shortest term.
    pub term_min: TermLength,
    /// The longest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_max: Option<TermLength>,
    /// Whether the rate can change.
    pub variation: RateVariation,
    /// The representative annual percentage rate.
    pub apr: Rate,
    /// How the lender's own rate is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// The lender's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Charges on this tier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<AccountCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
