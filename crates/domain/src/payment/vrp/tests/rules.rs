//! Validation of control parameters, and the fault of each breach.

use super::*;
use crate::refusal::{Fault, FaultCode, FaultLocation, Field};

const NOW: &str = "2026-07-01T12:00:00Z";

fn faults(parameters: &ControlParameters) -> Vec<(FaultCode, Field)> {
    parameters.faults(at(NOW), &VrpCapabilities::default()).into_iter().map(placed).collect()
}

fn placed(fault: Fault) -> (FaultCode, Field) {
    match fault.at {
        Some(FaultLocation::Field(field)) => (fault.code, field),
        other => panic!("a rule names a field, not {other:?}"),
    }
}

fn usual() -> ControlParameters {
    parameters(vec![monthly(PeriodAlignment::Calendar, 30_000)])
}

fn euros(cents: u64) -> Amount {
    Amount::from_minor(cents, Currency::EUR)
}

#[test]
fn vrp_005_without_a_limit_there_are_no_parameters() {
    assert_eq!(PeriodicLimits::new(Vec::new()), None);
}

#[test]
fn vrp_011_odd_but_accepted() {
    let repeated = vec![
        monthly(PeriodAlignment::Calendar, 1),
        monthly(PeriodAlignment::Calendar, 2),
        monthly(PeriodAlignment::Consent, 3),
    ];
    assert_eq!(
        faults(&parameters(repeated)),
        [],
        "the limits are below the most of one payment, and repeat themselves"
    );
}

#[test]
fn vrp_011_zero_and_mixed_currencies_are_refused() {
    use FaultCode::{FieldInvalid, UnsupportedCurrency};
    let limits = |amounts: &[Amount]| {
        let limit = |amount: &Amount| PeriodicLimit { amount: *amount, ..monthly(PeriodAlignment::Consent, 0) };
        PeriodicLimits::new(amounts.iter().map(limit).collect()).unwrap()
    };
    let check = |individual, amounts: &[Amount], expected: &[(FaultCode, Field)]| {
        assert_eq!(faults(&ControlParameters { individual, limits: limits(amounts), ..usual() }), expected);
    };
    check(pounds(0), &[pounds(1)], &[(FieldInvalid, Field::IndividualAmount)]);
    check(pounds(1), &[pounds(1), pounds(0)], &[(FieldInvalid, Field::PeriodicAmount(1))]);
    check(pounds(1), &[pounds(1), euros(1)], &[(FieldInvalid, Field::PeriodicCurrency(1))]);
    check(
        euros(1),
        &[pounds(1), euros(1)],
        &[
            (UnsupportedCurrency, Field::IndividualCurrency),
            (FieldInvalid, Field::PeriodicCurrency(0)),
            (UnsupportedCurrency, Field::PeriodicCurrency(1)),
        ],
    );
    let offer = VrpCapabilities { currencies: vec![Currency::GBP, Currency::EUR], ..VrpCapabilities::default() };
    let in_euros = ControlParameters { individual: euros(1), limits: limits(&[euros(1)]), ..usual() };
    assert_eq!(in_euros.faults(at(NOW), &offer), []);
}

#[test]
fn vrp_012_an_end_in_the_past_or_before_the_start_is_refused() {
    let wrong = [(FaultCode::FieldInvalidDate, Field::ValidTo)];
    let check = |valid_from, valid_to, expected: &[_]| {
        assert_eq!(faults(&ControlParameters { valid_from, valid_to, ..usual() }), expected);
    };
    let yesterday = date(2026, 6, 30);
    let today = date(2026, 7, 1);
    let tomorrow = date(2026, 7, 2);
    check(None, Some(yesterday), &wrong);
    check(Some(yesterday), Some(yesterday), &wrong);
    check(Some(tomorrow), Some(today), &wrong);
    check(Some(today), Some(today), &[]);
    check(Some(date(2017, 1, 1)), None, &[]);
    check(Some(date(2017, 1, 1)), Some(Date::MAX), &[]);
    check(None, Some(today), &[]);
}

#[test]
fn vrp_012_and_pis_154_today_is_londons() {
    let ends = ControlParameters { valid_to: Some(date(2026, 7, 1)), ..usual() };
    for (instant, has_ended) in [("2026-07-01T22:59:59.999999Z", false), ("2026-07-01T23:00:00Z", true)] {
        assert_eq!(ends.has_ended(at(instant)), has_ended, "VRP-022");
        assert_eq!(!ends.faults(at(instant), &VrpCapabilities::default()).is_empty(), has_ended);
    }
    assert!(!usual().has_ended(Timestamp::MAX));
}

#[test]
fn vrp_007_and_008_only_what_is_offered() {
    let offer = VrpCapabilities {
        types: [VrpType::Sweeping].into(),
        methods: [AuthenticationMethod::NotRequired].into(),
        periodic_limits_max: 2,
        ..VrpCapabilities::default()
    };
    let found: Vec<_> = usual().faults(at(NOW), &offer).into_iter().map(placed).collect();
    assert_eq!(
        found,
        [(FaultCode::FieldInvalid, Field::VrpTypes), (FaultCode::FieldInvalid, Field::AuthenticationMethods)]
    );
    let limits = |count| parameters(vec![monthly(PeriodAlignment::Consent, 1); count]);
    assert_eq!(limits(2).faults(at(NOW), &offer).len(), 2);
    let many: Vec<_> = limits(3).faults(at(NOW), &offer).into_iter().map(placed).collect();
    assert_eq!(many[0], (FaultCode::FieldInvalid, Field::PeriodicLimits));
}

#[test]
fn rw_123_every_fault_at_once() {
    let wrong = ControlParameters {
        valid_to: Some(date(2020, 1, 1)),
        individual: pounds(0),
        ..parameters(vec![monthly(PeriodAlignment::Consent, 0), monthly(PeriodAlignment::Consent, 1)])
    };
    let found: Vec<_> = faults(&wrong).into_iter().map(|(_, field)| field).collect();
    assert_eq!(found, [Field::ValidTo, Field::IndividualAmount, Field::PeriodicAmount(0)]);
}

#[test]
fn vrp_032_the_anchor_is_valid_from_or_the_creation_day_in_london() {
    let late_in_june = at("2026-06-30T23:30:00Z");
    assert_eq!(usual().limits_from(late_in_june).anchor(), date(2026, 7, 1));
    let from = ControlParameters { valid_from: Some(date(2021, 6, 6)), ..usual() };
    assert_eq!(from.limits_from(late_in_june).anchor(), date(2021, 6, 6));
}

#[test]
fn vrp_055_each_breach_is_named_once_with_its_parameter() {
    let agreed = ControlParameters {
        valid_from: Some(date(2026, 7, 1)),
        valid_to: Some(date(2026, 7, 31)),
        types: [VrpType::Other].into(),
        methods: [AuthenticationMethod::Strong].into(),
        interactions: [InteractionType::InSession].into(),
        ..parameters(vec![monthly(PeriodAlignment::Calendar, 30_000), monthly(PeriodAlignment::Consent, 5_000)])
    };
    let good = VrpPaymentAttempt {
        kind: VrpType::Other,
        method: AuthenticationMethod::Strong,
        interaction: Some(InteractionType::InSession),
        ..attempt(NOW, 5_000)
    };
    let bad = |attempt: VrpPaymentAttempt| -> Vec<Field> {
        let judged = agreed.limits_from(at("2026-05-01T00:00:00Z")).check_payment(&attempt, &VrpUsage::default());
        let placed = judged.err().unwrap_or_default().into_iter().map(|breach| placed(breach.into()));
        placed.inspect(|(code, _)| assert_eq!(*code, FaultCode::FailsControlParameters)).map(|(_, at)| at).collect()
    };
    assert_eq!(bad(good), []);
    assert_eq!(bad(VrpPaymentAttempt { interaction: None, ..good }), []);
    assert_eq!(bad(VrpPaymentAttempt { at: at("2026-06-30T22:59:59Z"), ..good }), [Field::ValidFrom]);
    assert_eq!(
        bad(VrpPaymentAttempt { at: at("2026-06-30T23:00:00Z"), ..good }),
        [],
        "VRP-031: the day counts, not the time"
    );
    assert_eq!(bad(VrpPaymentAttempt { at: at("2026-07-31T22:59:59Z"), ..good }), []);
    assert_eq!(bad(VrpPaymentAttempt { at: at("2026-07-31T23:00:00Z"), ..good }), [Field::ValidTo]);
    assert_eq!(bad(VrpPaymentAttempt { amount: pounds(5_001), ..good }), [Field::PeriodicAmount(1)]);
    assert_eq!(bad(VrpPaymentAttempt { amount: euros(1), ..good }), [Field::IndividualCurrency]);
    assert_eq!(
        bad(VrpPaymentAttempt { amount: pounds(30_001), ..good }),
        [Field::IndividualAmount, Field::PeriodicAmount(0), Field::PeriodicAmount(1)]
    );
    assert_eq!(bad(VrpPaymentAttempt { kind: VrpType::Sweeping, ..good }), [Field::VrpTypes]);
    assert_eq!(
        bad(VrpPaymentAttempt { method: AuthenticationMethod::NotRequired, ..good }),
        [Field::AuthenticationMethods]
    );
    assert_eq!(
        bad(VrpPaymentAttempt { interaction: Some(InteractionType::OffSession), ..good }),
        [Field::InteractionTypes]
    );
    let everything =
        VrpPaymentAttempt { interaction: Some(InteractionType::OffSession), ..attempt("2026-09-01T12:00:00Z", 30_001) };
    assert_eq!(
        bad(everything),
        [
            Field::ValidTo,
            Field::IndividualAmount,
            Field::PeriodicAmount(0),
            Field::PeriodicAmount(1),
            Field::VrpTypes,
            Field::AuthenticationMethods,
            Field::InteractionTypes,
        ]
    );
}

#[test]
fn vrp_055_a_breach_states_the_remaining_amount_and_its_period() {
    let agreed = parameters(vec![monthly(PeriodAlignment::Calendar, 30_000)]);
    let vrp_limits = agreed.limits_from(at("2021-06-06T09:00:00Z"));
    let mut usage = VrpUsage::default();
    usage.reserve(&vrp_limits.check_payment(&attempt("2021-06-06T09:00:00Z", 9_999), &usage).unwrap()).unwrap();
    usage.reserve(&vrp_limits.check_payment(&attempt("2021-06-30T22:59:00Z", 10_000), &usage).unwrap()).unwrap();
    let breaches = vrp_limits.check_payment(&attempt("2021-06-30T22:59:59Z", 5_002), &usage).unwrap_err();
    let said: Vec<_> = breaches.into_iter().map(|breach| Fault::from(breach).message).collect();
    assert_eq!(said, ["From 2021-06-06 to 2021-06-30, 50.01 GBP is left of this limit."]);
    assert!(
        vrp_limits.check_payment(&attempt("2021-06-30T23:00:00Z", 5_002), &usage).is_ok(),
        "July has begun in London"
    );
    let above = vrp_limits.check_payment(&attempt("2021-08-01T00:00:00Z", 10_001), &usage).unwrap_err();
    assert_eq!(Fault::from(above[0]).message, "One payment can be at most 100.00 GBP.");
}

#[test]
fn vrp_040_a_limit_may_be_reached_and_a_rejected_payment_gives_back() {
    let agreed = parameters(vec![monthly(PeriodAlignment::Consent, 20_000)]);
    let vrp_limits = agreed.limits_from(at("2026-01-31T12:00:00Z"));
    let mut usage = VrpUsage::default();
    for pence in [10_000, 5_000, 5_000] {
        usage.reserve(&vrp_limits.check_payment(&attempt("2026-02-27T12:00:00Z", pence), &usage).unwrap()).unwrap();
    }
    let full = vrp_limits.check_payment(&attempt("2026-02-27T12:00:00Z", 1), &usage).unwrap_err();
    assert!(
        matches!(full[..], [ControlBreach::Period { limit: 0, remaining, .. }] if remaining == pounds(0)),
        "{full:?}"
    );
    let rejected = vrp_limits.reservation(at("2026-02-27T12:00:00Z"), pounds(5_000));
    usage.release(&rejected).unwrap();
    assert!(vrp_limits.check_payment(&attempt("2026-02-27T12:00:00Z", 5_000), &usage).is_ok());
    assert!(vrp_limits.check_payment(&attempt("2026-02-27T12:00:00Z", 5_001), &usage).is_err());
}

#[test]
fn what_was_never_counted_cannot_be_given_back() {
    let agreed =
        parameters(vec![monthly(PeriodAlignment::Consent, 20_000), monthly(PeriodAlignment::Calendar, 30_000)]);
    let vrp_limits = agreed.limits_from(at("2026-01-15T12:00:00Z"));
    let early = at("2026-01-20T12:00:00Z");
    let late = at("2026-02-01T12:00:00Z");
    let mut usage = VrpUsage::default();
    usage.reserve(&vrp_limits.reservation(early, pounds(1_000))).unwrap();
    let before = usage.clone();
    // Both days lie in the same consent month but in different calendar months, so no counter changes.
    assert_eq!(usage.release(&vrp_limits.reservation(late, pounds(1_000))), Err(UsageMismatch));
    assert_eq!(usage.reserve(&vrp_limits.reservation(early, pounds(u64::MAX))), Err(UsageMismatch));
    assert_eq!(usage, before);
    assert_eq!(before.non_zero_counters().collect::<VrpUsage>(), before, "what is stored is what is read");
    usage.release(&vrp_limits.reservation(early, pounds(1_000))).unwrap();
    assert_eq!(usage, VrpUsage::default());
}

#[test]
fn limits_on_the_same_periods_share_a_counter() {
    let repeated = vec![
        monthly(PeriodAlignment::Consent, 500),
        monthly(PeriodAlignment::Calendar, 900),
        monthly(PeriodAlignment::Consent, 400),
    ];
    let agreed = parameters(repeated);
    let vrp_limits = agreed.limits_from(at("2026-01-15T12:00:00Z"));
    let reservation = vrp_limits.check_payment(&attempt("2026-02-20T12:00:00Z", 400), &VrpUsage::default()).unwrap();
    let from: Vec<_> = reservation.counters.iter().map(|counter| counter.from).collect();
    assert_eq!(from, [date(2026, 2, 15), date(2026, 2, 1)]);
    let mut usage = VrpUsage::default();
    usage.reserve(&reservation).unwrap();
    let standings = vrp_limits.limit_usages(at("2026-02-20T12:00:00Z"), &usage);
    let left: Vec<_> = standings.iter().map(|standing| standing.remaining()).collect();
    assert_eq!(left, [pounds(100), pounds(500), pounds(0)]);
}

#[test]
fn limits_can_be_shown_before_they_begin() {
    let agreed = ControlParameters {
        valid_from: Some(date(2026, 8, 17)),
        ..parameters(vec![monthly(PeriodAlignment::Calendar, 31_000)])
    };
    let vrp_limits = agreed.limits_from(at(NOW));
    let standings = vrp_limits.limit_usages(at(NOW), &VrpUsage::default());
    assert_eq!(standings.len(), 1);
    assert_eq!((standings[0].window.first, standings[0].window.last), (date(2026, 8, 17), date(2026, 8, 31)));
    assert_eq!((standings[0].allowed, standings[0].used), (pounds(15_000), pounds(0)));
    assert!(standings[0].window.is_cut_short());
    let early = vrp_limits.check_payment(&attempt(NOW, 1), &VrpUsage::default());
    assert_eq!(early, Err(vec![ControlBreach::NotYetValid { first: date(2026, 8, 17) }]), "and nothing paid");
}

#[test]
fn vrp_030_vrp_036_the_strictest_limit_bounds_the_payable_amount() {
    let yearly = PeriodicLimit { cycle: PeriodCycle::Calendar(CalendarPeriod::Year), amount: pounds(365_000) };
    let agreed = ControlParameters {
        valid_from: Some(date(2026, 8, 17)),
        valid_to: Some(date(2027, 3, 31)),
        ..parameters(vec![monthly(PeriodAlignment::Calendar, 31_000), yearly])
    };
    let vrp_limits = agreed.limits_from(at(NOW));
    let most = |from: Date, to: Date| vrp_limits.max_payable(from, to).minor();
    assert_eq!(most(date(2026, 8, 1), date(2026, 8, 31)), 15_000, "the share of the first, before which there is none");
    assert_eq!(most(date(2026, 8, 1), date(2026, 8, 16)), 0);
    assert_eq!(most(date(2026, 8, 31), date(2026, 9, 1)), 46_000, "both months are touched");
    assert_eq!(most(date(2026, 8, 17), date(2026, 12, 31)), 137_000, "137 days of the year");
    assert_eq!(most(date(2027, 3, 1), date(2027, 12, 31)), 31_000, "until it ends");
    assert_eq!(most(date(2027, 4, 1), date(2027, 12, 31)), 0);
}

proptest! {
    #[test]
    fn vrp_030_no_payments_come_to_more_than_limits_let_through(
        cycles in prop::collection::vec((cycles(), 1_u64..50_000), 1..4), anchor in days(), length in 0_i64..400,
    ) {
        let limits = cycles.into_iter().map(|(cycle, pence)| PeriodicLimit { cycle, amount: pounds(pence) }).collect();
        let agreed = ControlParameters { valid_from: Some(anchor), ..parameters(limits) };
        let vrp_limits = agreed.limits_from(at(NOW));
        let last = anchor.saturating_add(length.days());
        let mut usage = VrpUsage::default();
        let mut paid = 0_u64;
        // The whole remainder is paid on every day.
        for day in anchor.series(1.day()).take_while(|day| *day <= last) {
            let noon = day.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
            let left = vrp_limits.limit_usages(noon, &usage).iter().map(|it| it.remaining().minor()).min().unwrap();
            usage.reserve(&vrp_limits.reservation(noon, pounds(left))).unwrap();
            paid = paid.saturating_add(left);
        }
        let most = vrp_limits.max_payable(anchor, last).minor();
        prop_assert!(paid <= most, "{} of {}", paid, most);
        if agreed.limits.len() == 1 {
            prop_assert_eq!(paid, most, "one limit can be used up");
        }
    }
}
