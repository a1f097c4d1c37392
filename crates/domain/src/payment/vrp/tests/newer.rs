//! Features that only v4.0 has: statuses of ended consents, blocked payments, and commercial types.

use super::consents::{CREATED, agreed, draft, payment, usual};
use super::*;
use crate::consent::{AccessEnd, RevokedBy};
use crate::payment::PaymentContext;
use crate::payment::offer::PaymentLimits;
use crate::payment::order::Order;
use crate::refusal::{FaultCode, FaultLocation, Field, RiskField};
use crate::version::Version;

#[test]
fn vrp_040_a_blocked_payment_does_not_count_in_v4_0() {
    let consent = agreed(usual());
    let (made, _) = consent.accept_vrp_order("o".into(), &payment(1), &VrpUsage::default(), at(CREATED)).unwrap();
    for (version, counts_while_blocked) in [(Version::V3_1, true), (Version::V4_0, false)] {
        let mut order = Order { version, ..made.clone() };
        for step in [Order::reserve, Order::settle] {
            let _ = step(&mut order, at(CREATED)).unwrap();
            assert!(order.uses_limits());
        }
        let _ = order.block(at(CREATED)).unwrap();
        assert_eq!(order.uses_limits(), counts_while_blocked);
        let mut credited = order.clone();
        let _ = credited.credit(at(CREATED)).unwrap();
        assert!(credited.uses_limits());
        let _ = order.reject(crate::payment::order::RejectionReason::NotGiven, at(CREATED)).unwrap();
        assert!(!order.uses_limits());
    }
}

#[test]
fn v4_021_a_consent_ends_by_revocation_or_last_day_unless_rejected() {
    let day = "2026-03-10".parse().unwrap();
    let mut it = agreed(ControlParameters { valid_to: Some(day), ..usual() });
    let ended = |it: &crate::consent::Consent, instant| it.payment_view(at(instant)).unwrap().ended;
    assert_eq!(ended(&it, "2026-03-10T23:59:59Z"), None);
    let after = Some(AccessEnd::Expired(at("2026-03-11T00:00:00Z")));
    assert_eq!(ended(&it, "2026-03-11T00:00:00Z"), after);
    it.revoke(RevokedBy::Bank, at("2026-03-03T10:00:00Z"));
    let revoked = Some(AccessEnd::Revoked(RevokedBy::Bank, at("2026-03-03T10:00:00Z")));
    assert_eq!(ended(&it, "2026-03-04T10:00:00Z"), revoked);
    assert_eq!(ended(&it, "2026-03-11T00:00:00Z"), after);
}

#[test]
fn cvrp_003_the_contexts_that_a_bank_may_allow_are_those_of_new_consents() {
    assert!(PaymentContext::CURRENT.into_iter().all(|context| !context.is_deprecated()), "PIS-144");
    let mut asked = draft(ControlParameters { types: [VrpType::Commercial2].into(), ..usual() });
    let mut limits = PaymentLimits::default();
    limits.vrp.types = VrpType::ALL.into();
    let mut allowed = |contexts: &[PaymentContext]| {
        limits.vrp.commercial.contexts = contexts.to_vec();
        let mut taken = PaymentContext::CURRENT.to_vec();
        taken.retain(|context| {
            asked.terms.context = Some(*context);
            asked.faults(at(CREATED), &limits).is_empty()
        });
        taken
    };
    for contexts in [&PaymentContext::CURRENT[..], &[PaymentContext::BilledInArrears], &[]] {
        assert_eq!(allowed(contexts), contexts);
    }
}

#[test]
fn cvrp_007_008_a_commercial_consent_is_used_by_members_while_offered() {
    let of = |types: &[VrpType]| ControlParameters { types: types.iter().copied().collect(), ..usual() };
    let mixed = of(&[VrpType::Sweeping, VrpType::Commercial3]);
    let mut offer = VrpCapabilities { types: VrpType::ALL.into(), ..VrpCapabilities::default() };
    let client = "t".into();
    assert!(!offer.permits_use(&client, &mixed), "no member");
    offer.commercial.members = ["t".into()].into();
    assert!(offer.permits_use(&client, &mixed) && !offer.permits_use(&"u".into(), &mixed));
    offer.types = VrpType::USUAL.into();
    assert!(!offer.permits_use(&client, &mixed), "not offered any more");
    assert!(offer.permits_use(&"u".into(), &of(&VrpType::USUAL)));
}

#[test]
fn cvrp_002_to_008_commercial_types_are_offered_to_members_within_rules() {
    let commercial = ControlParameters { types: [VrpType::Commercial1, VrpType::Sweeping].into(), ..usual() };
    let mut asked = draft(commercial);
    asked.form.absent = vec![Field::InteractionTypes, Field::Risk(RiskField::Purpose)];
    let found = |asked: &crate::payment::order::PaymentDraft, limits: &PaymentLimits| {
        let faults = asked.faults(at(CREATED), limits).into_iter();
        faults.map(|it| (it.code, it.at)).collect::<Vec<_>>()
    };
    let at_field = |code, field| (code, Some(FaultLocation::Field(field)));
    let mut limits = PaymentLimits::default();
    assert_eq!(found(&asked, &limits), [at_field(FaultCode::FieldInvalid, Field::VrpTypes)], "CVRP-002");
    assert!(!asked.needs_membership(&"t".into(), &limits.vrp), "the types are the fault");
    limits.vrp.types = VrpType::ALL.into();
    assert_eq!(found(&asked, &limits), [], "CVRP-007");
    assert!(asked.needs_membership(&"t".into(), &limits.vrp), "CVRP-008");
    limits.vrp.commercial.members = ["t".into()].into();
    assert!(!asked.needs_membership(&"t".into(), &limits.vrp));
    asked.terms.context = Some(PaymentContext::BilledInAdvance);
    assert_eq!(found(&asked, &limits), [at_field(FaultCode::FieldInvalid, Field::PaymentRisk)], "CVRP-003");
    asked.terms.context = None;
    limits.vrp.commercial.strict = true;
    let missing = [Field::PaymentRisk, Field::InteractionTypes, Field::Risk(RiskField::Purpose)];
    assert_eq!(found(&asked, &limits), missing.map(|field| at_field(FaultCode::FieldMissing, field)), "CVRP-005");
    let silent = VrpPayment { kind: VrpType::Commercial1, ..payment(1) };
    assert_eq!(silent.commercial_faults(&limits.vrp).len(), 1);
    assert!(payment(1).commercial_faults(&limits.vrp).is_empty());
}
