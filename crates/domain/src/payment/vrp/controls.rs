//! Control parameters: validity, amount limits, and the PSU's authentication and interaction.

use super::PeriodCycle;
use crate::calendar::{london_date, london_midnight};
use crate::ids::ClientId;
use crate::money::{Amount, Currency};
use crate::payment::PaymentContext;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Deref;

/// The control parameters of a VRP consent. Days are in London (PIS-154).
///
/// Source: VRP-005, `OBDomesticVRPControlParameters`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlParameters {
    /// The first day of payments; absent means the day of the consent's creation. Source: VRP-031, VRP-032.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Date>,
    /// The last day of payments; absent means no end. Source: VRP-031.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Date>,
    /// The maximum individual amount. Its currency is that of every limit.
    pub individual: Amount,
    /// The periodic limits; all of them apply. Source: VRP-030.
    pub limits: PeriodicLimits,
    /// The VRP types. Source: VRP-007.
    pub types: BTreeSet<VrpType>,
    /// The PSU authentication methods allowed for a payment. Source: VRP-008.
    pub methods: BTreeSet<AuthenticationMethod>,
    /// The PSU interaction types allowed for a payment; empty allows any. Source: VRP-009, VRP-055.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub interactions: BTreeSet<InteractionType>,
}

impl ControlParameters {
    /// Whether the last day has passed; payments and re-authentication are impossible then. Source: VRP-022, VRP-088.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.valid_to.is_some_and(|last| last < london_date(now))
    }

    /// The end of the last day; at this instant it has passed.
    pub fn ends_at(&self) -> Option<Timestamp> {
        Some(london_midnight(self.valid_to?.tomorrow().ok()?))
    }

    /// Whether any of the types is commercial. Source: CVRP-002.
    pub fn is_commercial(&self) -> bool {
        self.types.iter().any(|kind| kind.is_commercial())
    }

    /// The currency of the limits. Source: VRP-011.
    pub const fn currency(&self) -> Currency {
        self.individual.currency()
    }
}

/// A periodic limit. Source: VRP-010, VRP-030.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodicLimit {
    /// Its periods.
    pub cycle: PeriodCycle,
    /// The amount for each period; a partial period has a share of it (VRP-036).
    pub amount: Amount,
}

/// The periodic limits, in the TPP's order; at least one. Several may have the same periods. Source: VRP-011.
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
    /// The limits; `None` if there are none, which would allow any number of payments.
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

/// A VRP type. Source: VRP-007, `OBVRPConsentType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VrpType {
    /// Between accounts of the same customer.
    Sweeping,
    /// Anything else.
    Other,
    /// The first kind of commercial payments; only v4.0 has these kinds. Source: CVRP-002.
    Commercial1,
    /// The second kind of commercial payments.
    Commercial2,
    /// The third kind of commercial payments.
    Commercial3,
}

impl VrpType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Sweeping, Self::Other, Self::Commercial1, Self::Commercial2, Self::Commercial3];
    /// The types that are not commercial.
    pub const USUAL: [Self; 2] = [Self::Sweeping, Self::Other];

    /// Whether the payments belong to commercial VRP. Source: CVRP-002.
    pub const fn is_commercial(self) -> bool {
        match self {
            Self::Sweeping | Self::Other => false,
            Self::Commercial1 | Self::Commercial2 | Self::Commercial3 => true,
        }
    }
}

/// A PSU authentication method. Source: VRP-008, `OBVRPAuthenticationMethods`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuthenticationMethod {
    /// Strong customer authentication.
    Strong,
    /// No authentication is required.
    NotRequired,
}

impl AuthenticationMethod {
    /// Every method.
    pub const ALL: [Self; 2] = [Self::Strong, Self::NotRequired];
}

/// A PSU interaction type. Source: VRP-009, `OBVRPInteractionTypes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionType {
    /// The PSU is present.
    InSession,
    /// The PSU is not present.
    OffSession,
}

impl InteractionType {
    /// Every interaction type.
    pub const ALL: [Self; 2] = [Self::InSession, Self::OffSession];
}

/// The bank's VRP offer, published for TPPs. Source: PIS-021.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpCapabilities {
    /// The currencies of limits. Source: PIS-123.
    pub currencies: Vec<Currency>,
    /// The VRP types.
    pub types: BTreeSet<VrpType>,
    /// The PSU authentication methods.
    pub methods: BTreeSet<AuthenticationMethod>,
    /// The largest number of periodic limits of one consent; each of them can be breached by a payment and yields a
    /// fault.
    pub periodic_limits_max: usize,
    /// The rules for consents with a commercial type. The commercial types that are offered are among `types`.
    pub commercial: CommercialVrp,
}

impl VrpCapabilities {
    /// Whether commercial VRP is offered. Source: CVRP-002.
    pub fn offers_commercial(&self) -> bool {
        self.types.iter().any(|kind| kind.is_commercial())
    }

    /// Whether a TPP may use a consent with these control parameters now. A consent with a commercial type can be used only while
    /// commercial VRP is offered and the TPP is a member of the agreement. Source: CVRP-007, CVRP-008.
    pub fn permits_use(&self, client: &ClientId, controls: &ControlParameters) -> bool {
        !controls.is_commercial() || (self.offers_commercial() && self.commercial.members.contains(client))
    }
}

/// The rules of commercial VRP. Source: CVRP-003, CVRP-005.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommercialVrp {
    /// Whether the bank enforces the members that the multilateral agreement makes mandatory.
    pub strict: bool,
    /// The payment contexts that a commercial VRP consent may have. Source: CVRP-003.
    pub contexts: Vec<PaymentContext>,
    /// The TPPs that have joined the agreement. Source: CVRP-008.
    pub members: BTreeSet<ClientId>,
}

/// The default rules. Source: CVRP-003.
impl Default for CommercialVrp {
    fn default() -> Self {
        let contexts = vec![
            PaymentContext::TransferToSelf,
            PaymentContext::MerchantInitiated,
            PaymentContext::FaceToFace,
            PaymentContext::TransferToThirdParty,
        ];
        Self { strict: false, contexts, members: BTreeSet::new() }
    }
}

/// The default offer. Source: PIS-123, VRP-007, VRP-008.
impl Default for VrpCapabilities {
    fn default() -> Self {
        Self {
            currencies: vec![Currency::GBP],
            types: VrpType::USUAL.into(),
            methods: AuthenticationMethod::ALL.into(),
            periodic_limits_max: 100,
            commercial: CommercialVrp::default(),
        }
    }
}
