//! The derived properties of an instruction.

use super::*;
use crate::calendar::london_midnight;
use crate::payment::PaymentProduct;
use crate::payment::transfer::tests::abroad;
use crate::payment::transfer::{NamedAccount, Transfer};
use jiff::civil::date;

#[test]
fn section_5_timing_makes_the_product() {
    for (timing, product) in [
        (Timing::Immediate, PaymentProduct::DomesticPayment),
        (Timing::Scheduled(date(2026, 6, 10)), PaymentProduct::DomesticScheduledPayment),
        (Timing::StandingOrder(monthly(date(2026, 6, 10))), PaymentProduct::DomesticStandingOrder),
    ] {
        assert_eq!(terms(timing).product(), product);
    }
}

#[test]
fn sch_006_an_order_is_posted_before_its_first_day_begins() {
    let last = |timing| terms(timing).instruction.last_submission_at();
    let day = date(2026, 7, 10);
    assert_eq!(last(Timing::Immediate), None);
    assert_eq!(last(Timing::Scheduled(day)), Some("2026-07-09T23:00:00Z".parse().unwrap()));
    assert_eq!(last(Timing::StandingOrder(monthly(day))), Some(london_midnight(day)));
}

#[test]
fn pis_111_a_single_authorisation_needs_an_account_of_one() {
    let rate_request = |kind| RequestedAuthorisation { kind, complete_by: None };
    for (kind, authorisers, allowed) in [
        (RequestedAuthorisationType::Any, 3, true),
        (RequestedAuthorisationType::Single, 1, true),
        (RequestedAuthorisationType::Single, 2, false),
    ] {
        assert_eq!(rate_request(kind).allows_authorisers(authorisers), allowed);
    }
}

#[test]
fn section_5_timing_makes_the_international_product() {
    for (timing, product) in [
        (Timing::Immediate, PaymentProduct::InternationalPayment),
        (Timing::Scheduled(date(2026, 6, 10)), PaymentProduct::InternationalScheduledPayment),
        (Timing::StandingOrder(monthly(date(2026, 6, 10))), PaymentProduct::InternationalStandingOrder),
    ] {
        let it = Instruction::from(Transfer::international(abroad(), pounds(1_000), timing));
        assert_eq!(it.product(), product);
        assert_eq!(it.transfer().and_then(Transfer::international_details), Some(&abroad()));
        assert_eq!(it.creditor().map(NamedAccount::holder_name), Some("Ada"));
    }
    assert_eq!(transfer(Timing::Immediate).international_details(), None);
}
