//! What an instruction says of itself.

use super::*;
use crate::calendar::london_midnight;
use jiff::civil::date;

#[test]
fn section_5_timing_makes_the_product() {
    for (timing, product) in [
        (Timing::Immediate, Product::DomesticPayment),
        (Timing::On(date(2026, 6, 10)), Product::DomesticScheduledPayment),
        (Timing::Recurring(monthly(date(2026, 6, 10))), Product::DomesticStandingOrder),
    ] {
        assert_eq!(terms(timing).product(), product);
    }
}

#[test]
fn sch_006_an_order_is_posted_before_its_first_day_begins() {
    let last = |timing| terms(timing).instruction.last_submission_at();
    let day = date(2026, 7, 10);
    assert_eq!(last(Timing::Immediate), None);
    assert_eq!(last(Timing::On(day)), Some("2026-07-09T23:00:00Z".parse().unwrap()));
    assert_eq!(last(Timing::Recurring(monthly(day))), Some(london_midnight(day)));
}

#[test]
fn pis_083_the_payer_needs_the_amount_and_their_own_charges() {
    let charge = |bearer, minor, currency| Charge {
        bearer,
        kind: ChargeType::ChapsOut,
        amount: Amount::from_minor(minor, currency),
    };
    let instruction = terms(Timing::Immediate).instruction;
    assert_eq!(instruction.needs(&Conditions::default()), pounds(1_000));
    let charges = vec![
        charge(ChargeBearer::Debtor, 250, Currency::GBP),
        charge(ChargeBearer::Creditor, 7_000, Currency::GBP),
        charge(ChargeBearer::Debtor, 40, Currency::EUR),
    ];
    assert_eq!(instruction.needs(&Conditions { charges, ..Conditions::default() }), pounds(1_250));
}

#[test]
fn pis_111_a_single_authorisation_needs_an_account_of_one() {
    let wish = |kind| AuthorisationWish { kind, complete_by: None };
    for (kind, authorisers, allowed) in [
        (AuthorisationWishType::Any, 3, true),
        (AuthorisationWishType::Single, 1, true),
        (AuthorisationWishType::Single, 2, false),
    ] {
        assert_eq!(wish(kind).allows(authorisers), allowed);
    }
}
