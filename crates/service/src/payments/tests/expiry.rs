//! Consents that nobody decides.

use super::super::expiry::{reject, reject_undecided_consents};
use super::*;

#[tokio::test]
async fn pis_026_pis_027_so_018_a_day_old_undecided_consent_is_rejected() {
    let world = World::new().await;
    let undecided = world.create(terms(now()), "k").await.unwrap();
    let agreed = world.authorised(terms(now()), "l").await;
    world.clock.advance(DAY - SignedDuration::from_secs(1));
    let younger = world.create(terms(now()), "m").await.unwrap();
    assert_eq!(reject_undecided_consents(&world.context).await.unwrap(), 0);
    world.clock.advance(SignedDuration::from_secs(2));
    assert_eq!(reject_undecided_consents(&world.context).await.unwrap(), 1);
    assert_eq!(reject_undecided_consents(&world.context).await.unwrap(), 0);
    let rejected = world.consent(&undecided.id).await;
    assert_eq!((rejected.state, rejected.state_changed_at), (ConsentState::Rejected, world.bank_now()));
    assert_eq!(world.told(undecided.id.as_str()).await, 1);
    assert_eq!(world.consent(&agreed.id).await, agreed);
    assert_eq!(world.consent(&younger.id).await, younger);
}

#[tokio::test]
async fn pis_027_many_at_once_are_rejected_batch_by_batch() {
    let world = World::new().await;
    for number in 0..120 {
        world.create(terms(now()), &format!("{number}")).await.unwrap();
    }
    world.clock.advance(DAY * 2);
    let mut rejected = 0;
    while let more @ 1.. = reject_undecided_consents(&world.context).await.unwrap() {
        rejected += more;
    }
    assert_eq!(rejected, 120);
}

#[tokio::test]
async fn pis_027_what_was_decided_since_it_was_found_stays_as_it_is() {
    let world = World::new().await;
    let agreed = world.authorised(terms(now()), "k").await;
    let ordered = world.order(terms(now()), "l").await.consent;
    for id in [agreed.id, ordered, "nothing".into()] {
        let before = world.context.store.read({
            let id = id.clone();
            move |tx| tx.consent_any_owner(&id)
        });
        let (before, context, asked) = (before.await.unwrap(), world.context.clone(), id.clone());
        assert!(!world.context.store.write(move |tx| reject(tx, &context, &asked)).await.unwrap());
        assert_eq!(world.context.store.read(move |tx| tx.consent_any_owner(&id)).await.unwrap(), before);
    }
}
