//! The ids of orders: the same for the same payment, also when the server has forgotten it, and different for every other.

use super::*;
use crate::payments::order_id::{VrpPaymentKey, derive_order_id};

async fn consent(world: &World, key: &str) -> Consent {
    world.authorised(terms(now()), key).await
}

#[tokio::test]
async fn pis_061_an_id_is_the_same_for_the_same_payment_alone() {
    let world = World::new().await;
    let [one, other] = [consent(&world, "k").await, consent(&world, "l").await];
    let id = |consent: &Consent, payment: Option<(&str, u32)>| {
        let payment = payment.map(|(key, uses_before)| VrpPaymentKey { key, uses_before });
        derive_order_id(b"a key", consent, payment)
    };
    let ids = [
        id(&one, None),
        id(&other, None),
        id(&one, Some(("k", 0))),
        id(&one, Some(("k", 1))),
        id(&one, Some(("l", 0))),
        derive_order_id(b"another key", &one, None),
    ];
    for (place, it) in ids.iter().enumerate() {
        assert!(it.as_str().len() == 36 && it.order_and_line().1.is_none(), "PIS-042: {it}");
        assert!(ids.iter().skip(place + 1).all(|later| later != it), "{ids:?}");
    }
    assert_eq!(ids[0], id(&one, None));
    // The beginning is the time of the consent, so that ids that are made one after the other are neighbours.
    assert_eq!(
        ids[0].as_str().split('-').take(2).collect::<String>(),
        ids[1].as_str().split('-').take(2).collect::<String>()
    );
    assert_eq!(world.place(&one, "k").await.unwrap().id, derive_order_id(b"a key of the tests", &one, None));
}

#[tokio::test]
async fn pis_061_after_a_restore_a_repeated_request_has_the_id_of_the_first() {
    let world = World::new().await;
    let consent = consent(&world, "k").await;
    let first = world.place(&consent, "k").await.unwrap().id;
    // What a restore of the database from before the order does.
    let before = World { bank: Arc::clone(&world.bank), ..World::new().await };
    let restored = consent.clone();
    let insert = move |tx: &mut dyn lombard_ports::store::ServerTransaction| tx.consent_insert(&restored);
    before.context.store.write::<_, StoreError, _>(insert).await.unwrap();
    for key in ["k", "another key"] {
        let again = before.place(&consent, key).await;
        match key {
            "k" => assert_eq!(again.unwrap().id, first),
            _ => assert!(matches!(again, Err(Failure::Refused(_))), "PIS-041: {again:?}"),
        }
    }
}
