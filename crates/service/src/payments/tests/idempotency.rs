//! Repeated requests. Source: section 2.6.

use super::*;

#[tokio::test]
async fn pis_061_a_repeat_finds_the_consent_as_it_stands() {
    let world = World::new().await;
    let first = world.create(terms(now()), "k").await.unwrap();
    assert_eq!(world.create(terms(now()), "k").await.unwrap(), first);
    let agreed = world.agree(first, "amelia", "b-1").await;
    assert_eq!(world.create(terms(now()), "k").await.unwrap(), agreed);
}

#[tokio::test]
async fn pis_064_a_repeat_is_answered_if_draft_is_outdated_and_bank_unavailable() {
    let world = World::new().await;
    world.clock.advance(SignedDuration::from_hours(13));
    let tomorrow = Timing::Scheduled(date(2026, 3, 3));
    let first = world.create(terms(tomorrow.clone()), "k").await.unwrap();
    world.clock.advance(SignedDuration::from_hours(2));
    assert_eq!(world.create(terms(tomorrow.clone()), "k").await.unwrap(), first, "its day has come");
    assert_eq!(codes(world.create(terms(tomorrow), "l").await), [FaultCode::FieldInvalidDate]);
    world.bank.payment_script().unavailable_calls = [PaymentCall::Conditions, PaymentCall::Payers].into();
    let second = world.create(terms(now()), "k").await.unwrap();
    assert_eq!(second, first, "the digest says what the body is, and it was the same");
}

#[tokio::test]
async fn pis_066_another_body_is_refused_and_changes_nothing() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    let other =
        asked::create_payment_consent(&world.context, &acme(), draft(terms(monthly())), once("consents", "k", 2)).await;
    assert_eq!(refusal(other).kind, RefusalKind::IdempotencyKeyReused);
    let order = world.place(&consent, "k").await.unwrap();
    let other =
        ordering::create_order(&world.context, &consent, ordered(&consent, alike()), once("orders", "k", 2)).await;
    assert_eq!(refusal(other).kind, RefusalKind::IdempotencyKeyReused);
    assert_eq!(world.stored(&order.id).await.status_history, order.status_history);
}

#[tokio::test]
async fn pis_062_and_pis_063_a_key_is_one_clients_at_one_address() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    world.place(&consent, "k").await.unwrap();
    let elsewhere =
        asked::create_payment_consent(&world.context, &acme(), draft(terms(now())), once("other consents", "k", 1))
            .await;
    assert_ne!(elsewhere.unwrap().id, consent.id);
    let mut foreign = once("consents", "k", 1);
    foreign.key.client = "rival".into();
    let rivals =
        asked::create_payment_consent(&world.context, &"rival".into(), draft(terms(now())), foreign).await.unwrap();
    assert_eq!(rivals.client, ClientId::from("rival"));
}

#[tokio::test]
async fn pis_064_a_replayed_order_is_returned_though_its_consent_is_consumed() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    let order = world.place(&consent, "k").await.unwrap();
    submission::submit_orders(&world.context).await.unwrap();
    world.pay(&order.id, 1, PaymentStatus::InProcess);
    world.pay(&order.id, 1, PaymentStatus::Settled);
    working::apply_status_updates(&world.context).await.unwrap();
    world.clock.advance(DAY - SignedDuration::from_secs(1));
    let again = world.place(&consent, "k").await.unwrap();
    assert_eq!((again.id.clone(), again.consent), (order.id, consent.id));
    assert_eq!(again.status_history.current().summary(again.product.family()), SummaryStatus::Settled);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "no second promise");
    assert_eq!(world.at_bank(), [again.id]);
}

#[tokio::test]
async fn pis_067_after_a_day_the_key_is_new() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    world.place(&consent, "k").await.unwrap();
    world.clock.advance(DAY);
    assert_ne!(world.create(terms(now()), "k").await.unwrap().id, consent.id);
    assert_eq!(codes(world.place(&consent, "k").await), [FaultCode::InvalidConsentStatus]);
}

#[tokio::test]
async fn pis_068_a_request_that_made_nothing_leaves_the_key_free() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    let wrong =
        ordering::create_order(&world.context, &consent, ordered(&consent, different()), once("orders", "k", 2)).await;
    assert_eq!(codes(wrong), [FaultCode::ConsentMismatch]);
    assert_eq!(world.consent(&consent.id).await, consent, "PIS-046");
    assert!(world.place(&consent, "k").await.is_ok());
}

#[tokio::test]
async fn pis_069_two_at_once_make_one() {
    let world = World::new().await;
    let (one, other) = tokio::join!(world.create(terms(now()), "k"), world.create(terms(now()), "k"));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    let consent = world.agree(one, "amelia", "b-1").await;
    let (one, other) = tokio::join!(world.place(&consent, "k"), world.place(&consent, "k"));
    assert_eq!(one.unwrap().id, other.unwrap().id);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 1);
    assert_eq!(world.at_bank().len(), 1);
}

#[tokio::test]
async fn pis_069_and_pis_066_of_two_bodies_at_once_one_wins() {
    let world = World::new().await;
    let context = &world.context;
    let ask = |body| async move {
        asked::create_payment_consent(context, &acme(), draft(terms(now())), once("consents", "k", body)).await
    };
    let (one, other) = tokio::join!(ask(1), ask(2));
    let (won, lost) = if one.is_ok() { (one, other) } else { (other, one) };
    assert!(won.is_ok());
    assert_eq!(refusal(lost).kind, RefusalKind::IdempotencyKeyReused);
}
