//! What an instruction says of itself.

use super::*;
use crate::calendar::london_midnight;
use crate::exchange::{Rate, Unconvertible};
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
    let transfer = transfer(Timing::Immediate);
    let needs = |conditions: &Conditions| {
        transfer.outlay(Currency::GBP, conditions, Rate::ONE).map(|outlay| outlay.total_debit())
    };
    assert_eq!(needs(&Conditions::default()), Ok(pounds(1_000)));
    let charges = vec![
        charge(ChargeBearer::Debtor, 250, Currency::GBP),
        charge(ChargeBearer::Creditor, 7_000, Currency::GBP),
        charge(ChargeBearer::Shared, 40, Currency::GBP),
    ];
    assert_eq!(needs(&Conditions { charges: charges.clone(), ..Conditions::default() }), Err(Unconvertible::TooSmall));
    let charges = charges.into_iter().filter(|it| it.bearer != ChargeBearer::Creditor).collect();
    assert_eq!(needs(&Conditions { charges, ..Conditions::default() }), Ok(pounds(1_290)));
    let outlay = transfer.outlay(Currency::EUR, &Conditions::default(), Rate::ONE);
    assert_eq!(outlay, Err(Unconvertible::ThirdCurrency), "nothing is exchanged inside the country");
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

#[test]
fn pis_132_to_134_a_rail_carries_what_it_has_room_for() {
    let Route::Domestic(mut credit) = transfer(Timing::Immediate).route else { panic!("it stays in the country") };
    let long = |letter: &str| Some(letter.repeat(200));
    credit.creditor = NamedAccount::named((*credit.creditor).clone(), "é".repeat(100));
    credit.references =
        References { instruction: None, end_to_end: long("e"), reference: long("r"), message: long("m") };
    let lengths = |carried: Carried| {
        let length = |text: Option<String>| text.map(|text| text.chars().count());
        [carried.name, carried.end_to_end, carried.reference, carried.message].map(length)
    };
    assert_eq!(lengths(credit.carried(Instrument::FasterPayments)), [Some(40), Some(31), Some(18), Some(140)]);
    assert_eq!(lengths(credit.carried(Instrument::Bacs)), [Some(18), None, Some(18), None]);
    assert_eq!(lengths(credit.carried(Instrument::Chaps)), [Some(35), Some(35), Some(16), Some(140)]);
    let account = Identification { secondary: Some("roll 7".into()), ..(*credit.creditor).clone() };
    credit.creditor = NamedAccount::named(account, "A".into());
    assert_eq!(credit.carried(Instrument::FasterPayments).reference.as_deref(), Some("roll 7"), "PIS-134");
    assert_eq!(credit.carried(Instrument::Chaps).reference, Some("r".repeat(16)));
    credit.references = References::default();
    assert_eq!(
        credit.carried(Instrument::Chaps),
        Carried { name: Some("A".into()), end_to_end: None, reference: None, message: None }
    );
}
