//! Control parameters: what is accepted, and each kind of refusal.

mod migration;
mod requests;

use super::controls::VrpControls;
use super::names;
use crate::parse::{self, object};
use crate::paths::field_path;
use crate::v3_1::V3_1;
use jiff::civil::{Date, date};
use lombard_domain::calendar::london_midnight;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpCapabilities, VrpType,
};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Field};
use lombard_domain::version::Version;
use proptest::prelude::*;
use serde_json::{Value, json};

object! {
    /// A request reduced to its control parameters.
    struct Request: Open {
        required data: Data = "Data",
    }
}

object! {
    /// The data of such a request.
    struct Data: Open {
        required controls: VrpControls<V3_1> = "ControlParameters",
    }
}

/// Control parameters with every member.
fn block() -> Value {
    json!({
        "ValidFromDateTime": "2026-07-01T23:30:00Z",
        "ValidToDateTime": "2027-01-31T23:59:59+00:00",
        "MaximumIndividualAmount": {"Amount": "100.00", "Currency": "GBP"},
        "PeriodicLimits": [
            {"PeriodType": "Month", "PeriodAlignment": "Calendar", "Amount": "200.5", "Currency": "GBP"},
            {"PeriodType": "Fortnight", "PeriodAlignment": "Consent", "Amount": "150", "Currency": "EUR"}
        ],
        "VRPType": ["UK.OBIE.VRPType.Sweeping", "UK.OBIE.VRPType.Other", "UK.OBIE.VRPType.Sweeping"],
        "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"],
        "PSUInteractionTypes": ["OffSession"],
        "SupplementaryData": {}
    })
}

/// Sets the value at a JSON pointer, or removes it if the value is `null`.
fn with(mut block: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = block.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(name).unwrap()),
        (Value::Object(members), value) => drop(members.insert(name.to_owned(), value)),
        (parent, value) => parent[name.parse::<usize>().unwrap()] = value,
    }
    block
}

fn read(block: &Value) -> Result<ControlParameters, Vec<Fault>> {
    let body = json!({"Data": {"ControlParameters": block}}).to_string();
    parse::body::<Request>(body.as_bytes(), 16).map(|request| request.data.controls.controls)
}

/// The faults of control parameters: codes, and paths inside them.
fn wrong(block: &Value) -> Vec<(FaultCode, String)> {
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path.strip_prefix("Data.ControlParameters.").unwrap().to_owned(),
        other => panic!("a reader names paths, not {other:?}"),
    };
    read(block).err().unwrap_or_default().into_iter().map(|fault| (fault.code, path(fault.at))).collect()
}

fn limit(period: LimitPeriod, alignment: PeriodAlignment, minor: u64, currency: Currency) -> PeriodicLimit {
    let amount = Amount::from_minor(minor, currency);
    PeriodicLimit { cycle: PeriodCycle::new(period, alignment).unwrap(), amount }
}

#[test]
fn vrp_005_a_block_is_read_with_everything_it_says() {
    let expected = ControlParameters {
        // The time is half past midnight in London, in summer (PIS-154).
        valid_from: Some(date(2026, 7, 2)),
        valid_to: Some(date(2027, 1, 31)),
        individual: Amount::from_minor(10_000, Currency::GBP),
        limits: PeriodicLimits::new(vec![
            limit(LimitPeriod::Month, PeriodAlignment::Calendar, 20_050, Currency::GBP),
            limit(LimitPeriod::Fortnight, PeriodAlignment::Consent, 15_000, Currency::EUR),
        ])
        .unwrap(),
        types: VrpType::USUAL.into(),
        methods: [AuthenticationMethod::NotRequired].into(),
        interactions: [InteractionType::OffSession].into(),
    };
    assert_eq!(read(&block()).unwrap(), expected);
}

#[test]
fn vrp_005_what_is_optional_may_be_absent() {
    let mut bare = block();
    for name in ["ValidFromDateTime", "ValidToDateTime", "PSUInteractionTypes", "SupplementaryData"] {
        bare = with(bare, &format!("/{name}"), Value::Null);
    }
    let read_bare = read(&bare).unwrap();
    assert_eq!((read_bare.valid_from, read_bare.valid_to), (None, None));
    assert!(read_bare.interactions.is_empty());
    assert_eq!(read(&with(bare, "/PSUInteractionTypes", json!([]))).unwrap(), read_bare, "an empty list says nothing");
}

#[test]
fn vrp_006_every_mandatory_member_is_missed_at_its_path() {
    for (pointer, path) in [
        ("/MaximumIndividualAmount", "MaximumIndividualAmount"),
        ("/MaximumIndividualAmount/Amount", "MaximumIndividualAmount.Amount"),
        ("/MaximumIndividualAmount/Currency", "MaximumIndividualAmount.Currency"),
        ("/PeriodicLimits", "PeriodicLimits"),
        ("/PeriodicLimits/1/PeriodType", "PeriodicLimits[1].PeriodType"),
        ("/PeriodicLimits/0/PeriodAlignment", "PeriodicLimits[0].PeriodAlignment"),
        ("/PeriodicLimits/1/Amount", "PeriodicLimits[1].Amount"),
        ("/PeriodicLimits/0/Currency", "PeriodicLimits[0].Currency"),
        ("/VRPType", "VRPType"),
        ("/PSUAuthenticationMethods", "PSUAuthenticationMethods"),
    ] {
        let missing = [(FaultCode::FieldMissing, path.to_owned())];
        assert_eq!(wrong(&with(block(), pointer, Value::Null)), missing);
    }
}

#[test]
fn vrp_002_each_fault_has_its_code_and_path() {
    use FaultCode::{FieldInvalid, FieldInvalidDate, FieldUnexpected, InvalidFormat};
    for (pointer, value, code, path) in [
        ("/ValidFromDateTime", json!("soon"), FieldInvalidDate, "ValidFromDateTime"),
        ("/ValidToDateTime", json!("2026-02-30"), FieldInvalidDate, "ValidToDateTime"),
        ("/ValidToDateTime", json!(20_260_101), InvalidFormat, "ValidToDateTime"),
        ("/MaximumIndividualAmount", json!("1.00"), InvalidFormat, "MaximumIndividualAmount"),
        ("/MaximumIndividualAmount/Amount", json!(1), InvalidFormat, "MaximumIndividualAmount.Amount"),
        ("/MaximumIndividualAmount/Amount", json!("-1"), FieldInvalid, "MaximumIndividualAmount.Amount"),
        ("/MaximumIndividualAmount/Amount", json!("1.005"), FieldInvalid, "MaximumIndividualAmount.Amount"),
        ("/MaximumIndividualAmount/Currency", json!("GBR"), FieldInvalid, "MaximumIndividualAmount.Currency"),
        ("/PeriodicLimits", json!([]), FieldInvalid, "PeriodicLimits"),
        ("/PeriodicLimits", json!({}), InvalidFormat, "PeriodicLimits"),
        ("/PeriodicLimits/1", json!("Month"), InvalidFormat, "PeriodicLimits[1]"),
        ("/PeriodicLimits/1/PeriodType", json!("Quarter"), FieldInvalid, "PeriodicLimits[1].PeriodType"),
        ("/PeriodicLimits/1/PeriodType", json!("month"), FieldInvalid, "PeriodicLimits[1].PeriodType"),
        ("/PeriodicLimits/1/PeriodType", json!("HalfYear"), FieldInvalid, "PeriodicLimits[1].PeriodType"),
        ("/PeriodicLimits/0/PeriodAlignment", json!("Payment"), FieldInvalid, "PeriodicLimits[0].PeriodAlignment"),
        ("/PeriodicLimits/1/PeriodAlignment", json!("Calendar"), FieldInvalid, "PeriodicLimits[1].PeriodAlignment"),
        ("/PeriodicLimits/0/Amount", json!("1.005"), FieldInvalid, "PeriodicLimits[0].Amount"),
        ("/PeriodicLimits/0/Amount", json!("12345678901234"), FieldInvalid, "PeriodicLimits[0].Amount"),
        ("/PeriodicLimits/0/Currency", json!("gbp"), FieldInvalid, "PeriodicLimits[0].Currency"),
        ("/VRPType", json!("UK.OBIE.VRPType.Sweeping"), InvalidFormat, "VRPType"),
        ("/VRPType", json!([]), FieldInvalid, "VRPType"),
        ("/VRPType/1", json!("UK.OBIE.VRPType.Ecommerce"), FieldInvalid, "VRPType[1]"),
        ("/VRPType/1", json!("VRPType.Other"), FieldInvalid, "VRPType[1]"),
        ("/PSUAuthenticationMethods", json!([]), FieldInvalid, "PSUAuthenticationMethods"),
        ("/PSUAuthenticationMethods/0", json!("UK.Bank.SCA"), FieldInvalid, "PSUAuthenticationMethods[0]"),
        ("/PSUInteractionTypes/0", json!("Offline"), FieldInvalid, "PSUInteractionTypes[0]"),
        ("/PSUInteractionTypes", json!("InSession"), InvalidFormat, "PSUInteractionTypes"),
        ("/SupplementaryData", json!({"Extra": 1}), FieldUnexpected, "SupplementaryData.Extra"),
        ("/SupplementaryData", json!([]), InvalidFormat, "SupplementaryData"),
    ] {
        assert_eq!(wrong(&with(block(), pointer, value.clone())), [(code, path.to_owned())], "{value}");
    }
}

#[test]
fn rw_123_every_fault_of_a_block_at_once() {
    let mut bad = block();
    for (pointer, value) in [
        ("/ValidFromDateTime", json!("soon")),
        ("/MaximumIndividualAmount/Amount", json!("x")),
        ("/PeriodicLimits/0/PeriodType", json!("x")),
        ("/PeriodicLimits/1/PeriodAlignment", json!("Calendar")),
        ("/PeriodicLimits/1/Amount", json!("1.005")),
        ("/VRPType/2", json!("x")),
        ("/PSUInteractionTypes/0", json!("x")),
    ] {
        bad = with(bad, pointer, value);
    }
    let mut found: Vec<_> = wrong(&bad).into_iter().map(|(_, path)| path).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "MaximumIndividualAmount.Amount",
            "PSUInteractionTypes[0]",
            "PeriodicLimits[0].PeriodType",
            "PeriodicLimits[1].Amount",
            "PeriodicLimits[1].PeriodAlignment",
            "VRPType[2]",
            "ValidFromDateTime",
        ]
    );
}

#[test]
fn pis_157_other_members_are_let_through() {
    let mut more = block();
    for pointer in ["/Extra", "/MaximumIndividualAmount/Extra", "/PeriodicLimits/1/Extra"] {
        more = with(more, pointer, json!({"a": [1.50]}));
    }
    assert_eq!(read(&more).unwrap(), read(&block()).unwrap());
}

#[test]
fn vrp_055_the_fields_of_the_rules_stand_where_the_paths_say() {
    let body = json!({"Data": {"ControlParameters": block()}});
    for field in [
        Field::ValidFrom,
        Field::ValidTo,
        Field::IndividualAmount,
        Field::IndividualCurrency,
        Field::PeriodicLimits,
        Field::PeriodicAmount(0),
        Field::PeriodicAmount(1),
        Field::PeriodicCurrency(1),
        Field::VrpTypes,
        Field::AuthenticationMethods,
        Field::InteractionTypes,
    ] {
        for version in [Version::V3_1, Version::V4_0] {
            let path = field_path(version, field);
            let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
            assert!(body.pointer(&pointer).is_some(), "{path}");
        }
    }
    assert_eq!(field_path(Version::V3_1, Field::PeriodicAmount(7)), "Data.ControlParameters.PeriodicLimits[7].Amount");
}

#[test]
fn vrp_011_what_was_read_is_judged_by_the_rules() {
    let found = read(&block()).unwrap().faults(london_midnight(date(2026, 7, 1)), &VrpCapabilities::default());
    let found: Vec<_> = found.into_iter().map(|fault| (fault.code, fault.at)).collect();
    assert_eq!(found, [(FaultCode::FieldInvalid, Some(FaultLocation::Field(Field::PeriodicCurrency(1))))]);
}

fn written(it: &ControlParameters) -> Value {
    let instant = |day: Date| json!(london_midnight(day).to_string());
    let amount = |it: Amount| json!({"Amount": it.decimal(), "Currency": it.currency().code()});
    let limit = |it: &PeriodicLimit| {
        let mut limit = amount(it.amount);
        limit["PeriodType"] = json!(names::period_type(it.cycle.period()));
        limit["PeriodAlignment"] = json!(names::period_alignment(it.cycle.alignment()));
        limit
    };
    json!({
        "ValidFromDateTime": it.valid_from.map(instant),
        "ValidToDateTime": it.valid_to.map(instant),
        "MaximumIndividualAmount": amount(it.individual),
        "PeriodicLimits": it.limits.iter().map(limit).collect::<Vec<_>>(),
        "VRPType": it.types.iter().map(|it| names::vrp_type(*it)).collect::<Vec<_>>(),
        "PSUAuthenticationMethods": it.methods.iter().map(|it| names::authentication_method(*it)).collect::<Vec<_>>(),
        "PSUInteractionTypes": it.interactions.iter().map(|it| names::interaction_type(*it)).collect::<Vec<_>>(),
    })
}

fn some_of<T: Copy + Ord + std::fmt::Debug + 'static>(
    all: &'static [T],
    least: usize,
) -> impl Strategy<Value = std::collections::BTreeSet<T>> {
    prop::sample::subsequence(all, least..=all.len()).prop_map(|some| some.into_iter().collect())
}

prop_compose! {
    fn any_parameters()(
        valid_from in prop::option::of(0_i16..9_000),
        valid_to in prop::option::of(0_i16..9_000),
        individual in 0_u64..1_000_000_000_000_000,
        limits in prop::collection::vec((0_usize..6, any::<bool>(), 0_u64..1_000_000_000_000_000), 1..20),
        types in some_of(&VrpType::USUAL, 1),
        methods in some_of(&AuthenticationMethod::ALL, 1),
        interactions in some_of(&InteractionType::ALL, 0),
    ) -> ControlParameters {
        const PERIODS: [LimitPeriod; 6] =
            [LimitPeriod::Day, LimitPeriod::Week, LimitPeriod::Fortnight, LimitPeriod::Month, LimitPeriod::HalfYear, LimitPeriod::Year];
        let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
        let day = |days: i16| date(2000, 1, 1).saturating_add(jiff::Span::new().days(days));
        let limit = |(period, calendar, pence): (usize, bool, u64)| {
            let period = PERIODS[period];
            let calendar = PeriodCycle::new(period, PeriodAlignment::Calendar).filter(|_| calendar);
            PeriodicLimit { cycle: calendar.unwrap_or(PeriodCycle::Consent(period)), amount: pounds(pence) }
        };
        ControlParameters {
            valid_from: valid_from.map(day),
            valid_to: valid_to.map(day),
            individual: pounds(individual),
            limits: PeriodicLimits::new(limits.into_iter().map(limit).collect()).unwrap(),
            types,
            methods,
            interactions,
        }
    }
}

proptest! {
    #[test]
    fn vrp_005_to_010_whatever_can_be_asked_for_is_read_as_it_was_meant(parameters in any_parameters()) {
        prop_assert_eq!(read(&written(&parameters)).unwrap(), parameters);
    }
}
