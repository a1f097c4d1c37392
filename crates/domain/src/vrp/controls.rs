//! What a TPP asks for: when, how much at once, how much in which periods, and how the customer takes part.

use super::PeriodCycle;
use crate::calendar::{london_date, london_midnight};
use crate::money::{Amount, Currency};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Deref;

/// The limits of a consent to variable recurring payments. Days are London's (PIS-154).
///
/// Source: VRP-005, `OBDomesticVRPControlParameters`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlParameters {
    /// The first day payments may be made on; without it, the day the consent was created. Source: VRP-031, VRP-032.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Date>,
    /// The last day; without it there is none. Source: VRP-031.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Date>,
    /// The most one payment may be. Its currency is that of every limit.
    pub individual: Amount,
    /// The most all payments of a period may be together; every one of them applies. Source: VRP-030.
    pub limits: PeriodicLimits,
    /// The kinds of payment. Source: VRP-007.
    pub types: BTreeSet<VrpType>,
    /// How the customer may have been authenticated when a payment is made. Source: VRP-008.
    pub methods: BTreeSet<AuthenticationMethod>,
    /// Whether the customer may be there when a payment is made; none says nothing about it. Source: VRP-009, VRP-055.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub interactions: BTreeSet<InteractionType>,
}

impl ControlParameters {
    /// Whether the last day has passed: nothing can be paid and nobody authenticated any more. Source: VRP-022, VRP-088.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.valid_to.is_some_and(|last| last < london_date(now))
    }

    /// When the last day ends: from that instant on it has passed.
    pub fn ends_at(&self) -> Option<Timestamp> {
        Some(london_midnight(self.valid_to?.tomorrow().ok()?))
    }

    /// The currency of the limits. Source: VRP-011.
    pub const fn currency(&self) -> Currency {
        self.individual.currency()
    }
}

/// One limit on a period. Source: VRP-010, VRP-030.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodicLimit {
    /// The periods it is on.
    pub cycle: PeriodCycle,
    /// The most that may be paid in each; in one that is cut short, its share (VRP-036).
    pub amount: Amount,
}

/// The limits on periods, in the order the TPP gave them: at least one. A period may occur in several. Source: VRP-011.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<PeriodicLimit>")]
pub struct PeriodicLimits(Vec<PeriodicLimit>);

impl TryFrom<Vec<PeriodicLimit>> for PeriodicLimits {
    type Error = &'static str;

    fn try_from(limits: Vec<PeriodicLimit>) -> Result<Self, &'static str> {
        Self::new(limits).ok_or("a consent to recurring payments has no limit")
    }
}

impl PeriodicLimits {
    /// These limits, if there are any: without one, any number of payments could be made.
    pub fn new(limits: Vec<PeriodicLimit>) -> Option<Self> {
        (!limits.is_empty()).then_some(Self(limits))
    }
}

impl Deref for PeriodicLimits {
    type Target = [PeriodicLimit];

    fn deref(&self) -> &[PeriodicLimit] {
        &self.0
    }
}

/// A kind of variable recurring payment. Source: VRP-007, `OBVRPConsentType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VrpType {
    /// Between accounts of the same customer.
    Sweeping,
    /// Anything else.
    Other,
}

impl VrpType {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Sweeping, Self::Other];
}

/// How the customer was authenticated for a payment. Source: VRP-008, `OBVRPAuthenticationMethods`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuthenticationMethod {
    /// By two factors.
    Strong,
    /// The payment needs none.
    NotRequired,
}

impl AuthenticationMethod {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Strong, Self::NotRequired];
}

/// Whether the customer is there when a payment is made. Source: VRP-009, `OBVRPInteractionTypes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionType {
    /// The customer is.
    InSession,
    /// The customer is not.
    OffSession,
}

impl InteractionType {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::InSession, Self::OffSession];
}

/// What is offered of variable recurring payments. Facts for TPPs to read. Source: PIS-021.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpCapabilities {
    /// The currencies limits may be in. Source: PIS-123.
    pub currencies: Vec<Currency>,
    /// The kinds of payment.
    pub types: BTreeSet<VrpType>,
    /// The methods of authentication.
    pub methods: BTreeSet<AuthenticationMethod>,
    /// How many limits on periods one consent may have; a payment can breach them all, and each is a fault of its own.
    pub periodic_limits_max: usize,
}

/// Offered unless the operator says otherwise. Source: PIS-123, VRP-007, VRP-008.
impl Default for VrpCapabilities {
    fn default() -> Self {
        Self {
            currencies: vec![Currency::GBP],
            types: VrpType::ALL.into(),
            methods: AuthenticationMethod::ALL.into(),
            periodic_limits_max: 100,
        }
    }
}
