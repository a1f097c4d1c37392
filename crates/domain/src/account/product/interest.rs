//! Interest on credit balances and on loans, by tiers.

use super::{AccountCharges, CodeOrOther, ProductRateType, Rate, Sum, TermLength};
use serde::{Deserialize, Serialize};

/// How a rate depends on the balance. Source: `TierBandMethod`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tiering {
    /// The rate of a band applies to the whole balance.
    Banded,
    /// The rate of each tier applies to the part of the balance in it.
    Tiered,
    /// One rate applies to the whole balance.
    Whole,
}

/// How a rate of credit interest depends on the balance of a personal current account. Source: `OBPCAData1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonalTiering {
    /// The rate of each tier applies to the part of the balance in it.
    Tiered,
    /// One rate applies to the whole balance.
    Whole,
}

/// How interest is calculated. Source: `OB_InterestCalculationMethod1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterestCalculation {
    /// Compound interest.
    Compound,
    /// Simple interest.
    Simple,
}

/// The account to which credit interest is paid. Source: `Destination`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterestDestination {
    /// Another account.
    PayAway,
    /// The account itself.
    SelfCredit,
}

/// Whether a rate is fixed or variable. Source: `OB_InterestFixedVariableType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateVariation {
    /// A fixed rate.
    Fixed,
    /// A variable rate.
    Variable,
}

/// The frequency at which interest is calculated or applied. Source: `ApplicationFrequency`, `CalculationFrequency` of
/// interest.
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
    /// On the statement date.
    PerStatementDate,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// A set of tiers of credit interest; a set without tiers is not shown. `M` is the type of the tiering method, `D` that
/// of the destination. Source: `CreditInterest/TierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditTierSet<M, D> {
    /// How the rate depends on the balance.
    pub method: M,
    /// How interest is calculated; for current accounts only values of the enumeration are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculation: Option<CodeOrOther<InterestCalculation>>,
    /// The account to which interest is paid.
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
    /// The lowest balance of the tier.
    pub from: Sum,
    /// The highest balance of the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// The frequency at which interest is calculated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculated: Option<CodeOrOther<ProductInterestFrequency>>,
    /// The frequency at which interest is applied.
    pub applied: CodeOrOther<ProductInterestFrequency>,
    /// The part of the balance to which the rate applies.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub coverage: Option<M>,
    /// Whether the rate is fixed or variable.
    pub variation: RateVariation,
    /// The annual equivalent rate.
    pub aer: Rate,
    /// The type of the bank's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// The bank's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The default of an optional member whose type has none.
const fn none<T>() -> Option<T> {
    None
}

/// The interest on a loan. Source: `OtherProductType/LoanInterest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanInterest {
    /// The sets of tiers.
    pub sets: Vec<LoanTierSet>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A set of tiers of a loan. Source: `LoanInterest/LoanInterestTierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanTierSet {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How the rate depends on the amount of the loan.
    pub method: Tiering,
    /// How interest is calculated.
    pub calculation: CodeOrOther<InterestCalculation>,
    /// The tiers, lowest first.
    pub tiers: Vec<LoanTier>,
    /// The charges on all tiers.
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
    /// The smallest loan of the tier.
    pub from: Sum,
    /// The largest loan of the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// The shortest term of the tier.
    pub term_min: TermLength,
    /// The longest term of the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_max: Option<TermLength>,
    /// Whether the rate is fixed or variable.
    pub variation: RateVariation,
    /// The representative annual percentage rate.
    pub apr: Rate,
    /// The type of the lender's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// The lender's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The charges on this tier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<AccountCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
