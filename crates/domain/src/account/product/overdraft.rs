//! Overdraft terms, by tiers.

use super::{OverdraftCharges, Rate, Sum, Tiering, TimeUnit};
use serde::{Deserialize, Serialize};

/// Whether an overdraft is committed. Source: `OverdraftType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverdraftType {
    /// Committed for a term.
    Committed,
    /// Repayable on demand.
    OnDemand,
    /// Another type; not shown for business current accounts.
    Other,
}

/// An overdraft. Source: `Overdraft`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overdraft {
    /// The sets of tiers.
    pub sets: Vec<OverdraftTierSet>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A set of tiers of an overdraft; a set without tiers is not shown. Source: `Overdraft/OverdraftTierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftTierSet {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How the rate depends on the amount borrowed.
    pub method: Tiering,
    /// Whether the overdraft is committed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<OverdraftType>,
    /// Whether the overdraft is authorised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorised: Option<bool>,
    /// The buffer above the limit within which no charge applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Sum>,
    /// The tiers, lowest first.
    pub tiers: Vec<OverdraftTier>,
    /// The charges on all tiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<OverdraftCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tier of an overdraft. Source: `OverdraftTierBandSet/OverdraftTierBand`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftTier {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The smallest debt of the tier.
    pub from: Sum,
    /// The largest debt of the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// The effective annual rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ear: Option<Rate>,
    /// The representative annual percentage rate; shown for current accounts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apr: Option<Rate>,
    /// The period of the agreement; not shown for personal current accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<OverdraftAgreement>,
    /// The part of the debt to which interest applies; `Banded` is not shown for personal current accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Tiering>,
    /// Whether the rate is guaranteed to every customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guaranteed: Option<bool>,
    /// The charges on this tier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<OverdraftCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The period of an overdraft agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftAgreement {
    /// The smallest number of units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// The largest number of units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The unit.
    pub period: TimeUnit,
}
