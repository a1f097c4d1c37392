//! The control parameters of a consent request. They are echoed as submitted (PIS-019), so they are only parsed here.

use super::names;
use crate::parse::{FaultCollector, FromJson, JsonPath, NonEmpty, ObjectSource, Stopped, object};
use crate::payments::forms::PaymentForms;
use crate::payments::open_amount::OpenAmount;
use crate::payments::parts::SupplementaryData;
use crate::payments::values::{DecimalText, LondonDay, UpTo, amount, listed, read_codes};
use lombard_domain::money::Currency;
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpType,
};
use lombard_domain::refusal::FaultCode;
use serde_json::Value;
use std::marker::PhantomData;

object! {
    /// The members of the control parameters; unknown members are accepted (PIS-157). Source: VRP-005, VRP-006,
    /// `OBDomesticVRPControlParameters`.
    struct Controls<V: PaymentForms>: Open {
        optional from: LondonDay = "ValidFromDateTime",
        optional to: LondonDay = "ValidToDateTime",
        required individual: OpenAmount = "MaximumIndividualAmount",
        required limits: NonEmpty<PeriodicLimit> = "PeriodicLimits",
        required types: NonEmpty<V::VrpKind> = "VRPType",
        required methods: NonEmpty<AuthenticationMethod> = "PSUAuthenticationMethods",
        optional interactions: UpTo<InteractionType, { usize::MAX }> = "PSUInteractionTypes",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

/// Control parameters as a version states them.
#[derive(Debug)]
pub(crate) struct VrpControls<V> {
    pub(crate) controls: ControlParameters,
    /// Whether the request names interaction types.
    pub(crate) names_interactions: bool,
    version: PhantomData<V>,
}

/// The combination of the members is validated afterwards ([`ControlParameters::faults`]).
impl<V: PaymentForms> FromJson for VrpControls<V> {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        Controls::<V>::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let Some(it) = Controls::<V>::object(reader, at, members)? else { return Ok(None) };
        let named = it.interactions.map_or_else(Vec::new, |types| types.0);
        let names_interactions = !named.is_empty();
        let interactions =
            if names_interactions { named.into_iter().collect() } else { V::DEFAULT_INTERACTION.into_iter().collect() };
        let controls = PeriodicLimits::new(it.limits.0).map(|limits| ControlParameters {
            valid_from: it.from.map(|day| day.0),
            valid_to: it.to.map(|day| day.0),
            individual: it.individual.0,
            limits,
            types: it.types.0.into_iter().map(Into::into).collect(),
            methods: it.methods.0.into_iter().collect(),
            interactions,
        });
        Ok(controls.map(|controls| Self { controls, names_interactions, version: PhantomData }))
    }
}

object! {
    /// Source: VRP-010, `OBDomesticVRPControlParameters/PeriodicLimits`.
    struct LimitMembers: Open {
        required period: LimitPeriod = "PeriodType",
        required alignment: PeriodAlignment = "PeriodAlignment",
        required amount: DecimalText = "Amount",
        required currency: Currency = "Currency",
    }
}

/// Source: VRP-010.
impl FromJson for PeriodicLimit {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        LimitMembers::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let Some(it) = LimitMembers::object(reader, at, members)? else { return Ok(None) };
        let cycle = PeriodCycle::new(it.period, it.alignment);
        if cycle.is_none() {
            let message = "The calendar has no fortnights: they begin with the consent.";
            reader.fault(FaultCode::FieldInvalid, &at.member("PeriodAlignment"), message);
        }
        let amount = amount(reader, at, &it.amount, it.currency);
        Ok(cycle.zip(amount).map(|(cycle, amount)| Self { cycle, amount }))
    }
}

read_codes! {
    VrpType: names::read_vrp_type, FieldInvalid, "Must be a VRP type of the standard.", listed::<Self>();
    AuthenticationMethod: names::read_authentication_method, FieldInvalid, "Must be a method of the standard.", listed::<Self>();
    InteractionType: names::read_interaction_type, FieldInvalid, "Must be InSession or OffSession.", listed::<Self>();
    LimitPeriod: names::read_period_type, FieldInvalid, "Must be a period of the standard.", listed::<Self>();
    PeriodAlignment: names::read_period_alignment, FieldInvalid, "Must be Consent or Calendar.", listed::<Self>();
}
