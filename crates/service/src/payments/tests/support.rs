//! What staff look up: searches, cases and customers.

use super::*;
use crate::support::{
    MatchedBy, SupportSubject, find_support_matches, list_active_consents, read_case_of_consent, read_case_of_order,
    read_customer,
};

/// A payment with this end-to-end id.
fn referenced(end_to_end: &str) -> PaymentConsentRequest {
    let terms = terms(now());
    let Instruction::Transfer(mut transfer) = terms.instruction else { unreachable!() };
    if let Route::Domestic(credit) = &mut transfer.route {
        credit.references = References { end_to_end: Some(end_to_end.to_owned()), ..References::default() };
    }
    PaymentConsentRequest::new(transfer)
}

async fn found(world: &World, text: &str) -> Vec<(SupportSubject, MatchedBy)> {
    let matches = find_support_matches(&world.context.store, text).await.unwrap();
    matches.into_iter().map(|it| (it.subject, it.by)).collect()
}

#[tokio::test]
async fn a_search_finds_records_by_each_of_their_ids() {
    let world = World::new().await;
    let order = world.order(referenced("E2E-7"), "k").await;
    let subject = || SupportSubject::Order(order.id.clone());
    let by = |by| vec![(subject(), by)];
    assert_eq!(found(&world, order.id.as_str()).await, by(MatchedBy::Id));
    assert_eq!(found(&world, order.id.for_line(3).as_str()).await, by(MatchedBy::Id), "a payment of a file");
    assert_eq!(found(&world, " E2E-7\n").await, by(MatchedBy::EndToEndId));
    for account in ["08080021325698", "08-08-00 21325698"] {
        assert_eq!(found(&world, account).await, by(MatchedBy::PayeeAccount));
    }
    let consent = SupportSubject::Consent(order.consent.clone());
    assert_eq!(found(&world, order.consent.as_str()).await, [(consent.clone(), MatchedBy::Id)]);
    assert_eq!(found(&world, "amelia").await, [(SupportSubject::Customer("amelia".into()), MatchedBy::Id)]);
    let case = read_case_of_order(&world.context.store, &order.id).await.unwrap().unwrap();
    assert_eq!(found(&world, case.events[0].event.id.as_str()).await, [(consent, MatchedBy::EventId)]);
    let too_long = "x".repeat(257);
    for text in ["", " ", "E2E", "nobody", "E2E-7\0", "bashir", too_long.as_str()] {
        assert_eq!(found(&world, text).await, [], "{text:?}");
    }
}

#[tokio::test]
async fn a_case_has_the_consent_with_its_orders_and_their_submission() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    let case = read_case_of_order(&world.context.store, &order.id).await.unwrap().unwrap();
    assert_eq!((&case.consent.id, case.orders.len()), (&order.consent, 1));
    assert_eq!(case.orders[0].submission.as_ref().map(|job| job.attempts), Some(0), "it waits for the worker");
    assert_eq!(read_case_of_consent(&world.context.store, &order.consent).await.unwrap(), Some(case));
    submission::submit_orders(&world.context).await.unwrap();
    let case = read_case_of_order(&world.context.store, &order.id).await.unwrap().unwrap();
    assert_eq!(case.orders[0].submission, None, "the core has it");
    assert_eq!(read_case_of_order(&world.context.store, &"none".into()).await.unwrap(), None);
    assert_eq!(read_case_of_consent(&world.context.store, &"none".into()).await.unwrap(), None);
}

#[tokio::test]
async fn a_customer_has_consents_and_orders_and_those_that_give_access() {
    let world = World::new().await;
    let first = world.order(terms(now()), "k").await;
    let second = world.authorised(terms(on_wednesday()), "l").await;
    let customer = read_customer(&world.context.store, &"amelia".into()).await.unwrap().unwrap();
    let consents: Vec<_> = customer.consents.iter().map(|it| &it.id).collect();
    assert!(consents.len() == 2 && [&first.consent, &second.id].iter().all(|id| consents.contains(id)), "{consents:?}");
    assert_eq!(customer.orders.iter().map(|it| &it.id).collect::<Vec<_>>(), [&first.id]);
    let active = list_active_consents(&world.context.store, &"amelia".into(), world.bank_now()).await.unwrap();
    assert_eq!(active, [], "a consent for one order cannot be revoked");
    assert_eq!(read_customer(&world.context.store, &"nobody".into()).await.unwrap(), None);
}
