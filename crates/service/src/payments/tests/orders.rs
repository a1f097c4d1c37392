//! Orders: under which consents they are created, and how they are read.

use super::*;

#[tokio::test]
async fn pis_041_pis_042_and_pis_044_orders_consume_consents_and_are_queued() {
    let world = World::new().await;
    for (timing, product, phase) in [
        (now(), PaymentProduct::DomesticPayment, SummaryStatus::Pending),
        (on_wednesday(), PaymentProduct::DomesticScheduledPayment, SummaryStatus::InitiationPending),
        (monthly(), PaymentProduct::DomesticStandingOrder, SummaryStatus::InitiationPending),
    ] {
        let order = world.order(terms(timing), product.name()).await;
        assert_eq!(order.status_history.current().summary(order.product.family()), phase);
        assert_eq!((order.product, order.created_at), (product, world.bank_now()));
        let consent = world.consent(&order.consent).await;
        assert_eq!(consent.state, ConsentState::Consumed);
        assert_eq!(world.told(consent.id.as_str()).await, 1, "agreed, not consumed: SET-035");
        assert_eq!(world.told(order.id.as_str()).await, 0, "SET-035");
        let (id, of_consent) = (order.consent.clone(), order.id.clone());
        let found = world.context.store.read(move |tx| tx.order_of_consent(&id)).await.unwrap();
        assert_eq!(found, Some(of_consent));
    }
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 3);
    assert_eq!(world.at_bank().len(), 3);
}

#[tokio::test]
async fn pis_040_and_pis_165_only_an_authorised_consent_makes_an_order() {
    let world = World::new().await;
    let consent = world.create(terms(now()), "k").await.unwrap();
    let refused = refusal(world.place(&consent, "k").await);
    assert_eq!(refused.faults[0].code, FaultCode::InvalidConsentStatus);
    assert_eq!(refused.faults[0].at, Some(FaultLocation::Field(Field::ConsentStatus)));
    let consent = world.agree(consent, "amelia", "b-1").await;
    world.place(&consent, "k").await.unwrap();
    assert_eq!(codes(world.place(&consent, "another").await), [FaultCode::InvalidConsentStatus]);
    let (one, other) = {
        let consent = world.authorised(terms(now()), "l").await;
        tokio::join!(world.place(&consent, "l"), world.place(&consent, "m"))
    };
    let (won, lost) = if one.is_ok() { (one, other) } else { (other, one) };
    assert!(won.is_ok());
    assert_eq!(codes(lost), [FaultCode::InvalidConsentStatus]);
}

#[tokio::test]
async fn pis_014_where_the_customer_was_is_kept_with_the_order() {
    let world = World::new().await;
    for (key, address) in [("k", Some("203.0.113.7")), ("l", Some("2001:db8::7")), ("m", None)] {
        let consent = world.authorised(terms(now()), key).await;
        let customer_address = address.map(|address| address.parse().unwrap());
        let ordered = OrderSubmission { customer_address, ..ordered(&consent, alike()) };
        let placed = ordering::create_order(&world.context, &consent, ordered, once("orders", key, 1)).await;
        let id = placed.unwrap().id;
        let order = world.context.store.read(move |tx| tx.order_for_update(&id)).await.unwrap().unwrap();
        assert_eq!(order.customer_address, customer_address);
    }
}

#[tokio::test]
async fn pis_006_pis_007_and_pis_055_an_order_names_the_consent_of_its_token() {
    let world = World::new().await;
    let bound = world.authorised(terms(now()), "k").await;
    let own = world.authorised(terms(now()), "l").await;
    let mut foreign = once("consents", "k", 1);
    foreign.key.client = "rival".into();
    let foreign =
        asked::create_payment_consent(&world.context, &"rival".into(), draft(terms(now())), foreign).await.unwrap();
    let naming = |consent: &Consent, id: &str| {
        let mut ordered = ordered(consent, different());
        ordered.draft.consent = id.into();
        ordering::create_order(&world.context, &bound, ordered, once("orders", "k", 1))
    };
    assert_eq!(refusal(naming(&own, own.id.as_str()).await).kind, RefusalKind::ForeignOwner);
    assert_eq!(refusal(naming(&foreign, foreign.id.as_str()).await).kind, RefusalKind::ForeignOwner);
    let unknown = refusal(naming(&bound, "nothing").await);
    assert_eq!(unknown.faults[0].code, FaultCode::NotFound, "before the match");
    assert_eq!(unknown.faults[0].at, Some(FaultLocation::Field(Field::ConsentId)));
}

#[tokio::test]
async fn pis_008_pis_085_and_pis_160_a_wrong_product_or_version_is_not_found() {
    let world = World::new().await;
    let consent = world.authorised(terms(now()), "k").await;
    let scheduled = OrderSubmission { product: PaymentProduct::DomesticScheduledPayment, ..ordered(&consent, alike()) };
    let newer = OrderSubmission { endpoint_version: V4_0, payload_version: V4_0, ..ordered(&consent, alike()) };
    for other in [scheduled, newer] {
        let placed = ordering::create_order(&world.context, &consent, other, once("orders", "k", 1)).await;
        assert_eq!(codes(placed), [FaultCode::NotFound]);
    }
    assert!(world.place(&consent, "k").await.is_ok());
}

#[tokio::test]
async fn pis_046_and_pis_106_a_late_order_is_refused_and_leaves_its_consent() {
    let world = World::new().await;
    let at = monday() + SignedDuration::from_hours(1);
    let cut_off = Some(CutOff { at, lateness: AfterCutOffPolicy::Refused });
    world.bank.set_conditions(PaymentConditions { cut_off, ..PaymentConditions::default() });
    let consent = world.authorised(terms(now()), "k").await;
    world.clock.advance(SignedDuration::from_hours(1));
    let refused = refusal(world.place(&consent, "k").await);
    assert_eq!(
        (refused.faults[0].code, &refused.faults[0].at),
        (FaultCode::AfterCutOff, &Some(FaultLocation::Field(Field::CutOff)))
    );
    assert_eq!(world.consent(&consent.id).await.state, ConsentState::Authorised);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "nothing was promised");
}

#[tokio::test]
async fn pis_007_pis_008_and_pis_161_order_reads_check_tpp_and_oldest_version() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    let read = |client: &'static str, product, version| {
        let (context, id) = (world.context.clone(), order.id.clone());
        async move { ordering::read_order(&context, &ClientId::from(client), product, &id, version).await }
    };
    let product = PaymentProduct::DomesticPayment;
    assert_eq!(read("acme", product, V3_1).await.unwrap(), order);
    assert_eq!(read("acme", product, V4_0).await.unwrap(), order);
    assert_eq!(refusal(read("rival", product, V3_1).await).kind, RefusalKind::ForeignOwner);
    let other = read("acme", PaymentProduct::DomesticStandingOrder, V3_1).await;
    assert_eq!(refusal(other).kind, RefusalKind::NotFound);
}

#[tokio::test]
async fn pis_096_and_pis_098_the_refund_account_is_shown_if_it_was_requested() {
    let world = World::new().await;
    let order = world.order(terms(now()), "k").await;
    assert_eq!(order.refund, None);
    assert_eq!(order.debtor.unwrap().name, "amelia", "PIS-099");
    let mut asking = terms(now());
    asking.refund = true;
    let order = world.order(asking, "l").await;
    assert_eq!(order.refund.unwrap().account.number, "80200110203341");
}
