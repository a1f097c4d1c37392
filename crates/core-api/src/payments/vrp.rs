//! The limits of variable recurring payments.

use super::party::AccountWithName;
use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FieldForm, FormOf, FormReader, ListForm, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::SetOf;
use crate::objects;
use jiff::civil::Date;
use lombard_domain::account::PostalAddress;
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::References;
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpType,
};

objects! {
    /// The content of a VRP consent.
    VrpConsentRequest as "VRP" {
        /// The control parameters.
        controls: required(FormOf<ControlParameters>, "ControlParameters");
        /// The creditor account; `None` allows any.
        creditor: optional(AccountWithName, "CreditorAccount");
        /// The payee's address.
        address: optional(FormOf<PostalAddress>, "CreditorPostalAddress");
        references: flat(References);
    }

    /// The control parameters of a VRP consent. Days are in London.
    ControlParameters as "ControlParameters" {
        /// The first day of payments; absent means the day of the consent's creation.
        valid_from: optional(FormOf<Date>, "ValidFromDate");
        /// The last day of payments; absent means no end.
        valid_to: optional(FormOf<Date>, "ValidToDate");
        /// The maximum individual amount. Its currency is that of every limit.
        individual: required(FormOf<Amount>, "MaximumIndividualAmount");
        /// The periodic limits; all of them apply.
        limits: required(AtLeastOneLimit, "PeriodicLimits");
        /// The VRP types.
        types: required(SetOf<FormOf<VrpType>>, "VRPType");
        /// The PSU authentication methods allowed for a payment.
        methods: required(SetOf<FormOf<AuthenticationMethod>>, "PSUAuthenticationMethods");
        /// The PSU interaction types allowed for a payment; empty allows any.
        interactions: required(SetOf<FormOf<InteractionType>>, "PSUInteractionTypes");
    }

    /// A periodic limit.
    PeriodicLimit as "PeriodicLimit" {
        cycle: flat(PeriodCycle);
        /// The amount for each period; a partial period has a share of it.
        amount: required(FormOf<Amount>, "Amount");
    }
}

impl ObjectForm for PeriodCycle {
    type Value = Self;

    fn name() -> String {
        "PeriodCycle".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<LimitPeriod>>("PeriodType", "The length of a period.");
        let about = "Whether periods begin with the first day of the consent or with the calendar's.";
        list.required::<FormOf<PeriodAlignment>>("PeriodAlignment", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let period = members.required::<LimitPeriod, FormOf<LimitPeriod>>("PeriodType");
        let alignment = members.required::<PeriodAlignment, FormOf<PeriodAlignment>>("PeriodAlignment");
        match Self::new(period?, alignment?) {
            Some(cycle) => Some(cycle),
            None => {
                let at = JsonLocation::Member(members.at, "PeriodAlignment");
                members.reader.fault(&at, "There is no calendar fortnight.")
            }
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.required::<_, FormOf<LimitPeriod>>("PeriodType", &value.period());
        object.required::<_, FormOf<PeriodAlignment>>("PeriodAlignment", &value.alignment());
    }
}

/// The form of the periodic limits, of which there must be at least one.
struct AtLeastOneLimit;

impl HasSchema for AtLeastOneLimit {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        <ListForm<FormOf<PeriodicLimit>> as HasSchema>::schema(definitions)
    }
}

impl FieldForm<PeriodicLimits> for AtLeastOneLimit {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<PeriodicLimits> {
        let limits = <ListForm<FormOf<PeriodicLimit>> as FieldForm<Vec<_>>>::read(node, at, reader)?;
        match PeriodicLimits::new(limits) {
            Some(limits) => Some(limits),
            None => reader.fault(at, "Must have at least one limit."),
        }
    }

    fn write(value: &PeriodicLimits) -> JsonNode<'static> {
        <ListForm<FormOf<PeriodicLimit>> as FieldForm<Vec<_>>>::write(&value.to_vec())
    }
}
