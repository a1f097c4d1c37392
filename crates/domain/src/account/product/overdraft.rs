//! What an overdraft costs, tier by tier.

use super::{OverdraftCharges, Rate, Sum, Tiering, TimeUnit};
use serde::{Deserialize, Serialize};

/// Whether the bank is bound to lend. Source: `OverdraftType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverdraftType {
    /// For a term.
    Committed,
    /// Until it asks for the money back.
    OnDemand,
    /// In another way; not said of business current accounts.
    Other,
}

/// An overdraft. Source: `Overdraft`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overdraft {
    /// The tiers.
    pub sets: Vec<OverdraftTierSet>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Tiers of an overdraft that belong together; a set without a tier is not shown.
/// Source: `Overdraft/OverdraftTierBandSet`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftTierSet {
    /// Its id, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How the cost depends on the debt.
    pub method: Tiering,
    /// Whether the bank is bound to lend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<OverdraftType>,
    /// Whether it was arranged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorised: Option<bool>,
    /// How far beyond the limit nothing is charged for going beyond it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Sum>,
    /// The tiers, lowest first.
    pub tiers: Vec<OverdraftTier>,
    /// Charges on all of them.
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
    /// The smallest debt it is for.
    pub from: Sum,
    /// The largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Sum>,
    /// The effective annual rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ear: Option<Rate>,
    /// The representative annual percentage rate; said of current accounts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apr: Option<Rate>,
    /// For how long it is agreed; not said of personal current accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<OverdraftAgreement>,
    /// On which part of the debt interest is charged; of personal current accounts `Banded` is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Tiering>,
    /// Whether everybody gets the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guaranteed: Option<bool>,
    /// Charges on this tier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<OverdraftCharges>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// For how long an overdraft is agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftAgreement {
    /// At least so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// At most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Of these.
    pub period: TimeUnit,
}
