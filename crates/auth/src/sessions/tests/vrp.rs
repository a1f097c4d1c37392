//! VRP consents, as the customer who authorised them sees them.

use super::*;
use crate::authorisation::testing::within_limits;
use lombard_domain::money::{Amount, Currency};
use lombard_ports::store::{Owned, StoreError};
use lombard_service::payments::consents::select_payer;

/// A VRP consent of the TPP `acme`, authorised by amelia for her first account.
async fn given(world: &World) -> ConsentId {
    let consent = world.stored(&world.payment("acme", within_limits()).await).await;
    let (context, id) = (auth(world).context.clone(), consent.id.clone());
    let payment = consent.request.payment().unwrap();
    let chosen = select_payer(&context, &"amelia".into(), payment, &"acc-1".into()).await.unwrap().unwrap();
    let inside = context.clone();
    let authorised = context.store.write::<_, consents::AuthoriseError, _>(move |tx| {
        let Owned::Mine(locked) = tx.consent_for_update(&"acme".into(), &consent.id)? else { panic!("not there") };
        consents::authorise_consent_in(tx, &inside, &locked, &"amelia".into(), &chosen)
    });
    authorised.await.unwrap();
    id
}

/// Payments of so many pence were made under it.
async fn pay(world: &World, id: &ConsentId, pence: u64) {
    let (consent, now) = (world.stored(id).await, auth(world).context.clocks.bank_now());
    let terms = consent.request.payment().unwrap().terms.instruction.vrp().unwrap().clone();
    let vrp_limits = terms.controls.limits_from(consent.created_at);
    let reservation = vrp_limits.reservation(now, Amount::from_minor(pence, Currency::GBP));
    let write =
        auth(world).context.store.write::<_, StoreError, _>(move |tx| tx.vrp_reserve(&consent.id, &reservation));
    write.await.unwrap();
}

#[tokio::test]
async fn as_134_a_mandate_is_listed_with_what_was_used_and_can_be_ended() {
    let world = World::new().await;
    let id = given(&world).await;
    pay(&world, &id, 130).await;
    let amelia = PsuId::from("amelia");
    let listed = apps::list_connected_apps(auth(&world), &amelia).await.unwrap();
    let [app] = listed.as_slice() else { panic!("not one: {listed:?}") };
    let [standing] = app.limit_usage.as_slice() else { panic!("one limit: {app:?}") };
    assert_eq!((standing.used.minor(), standing.remaining().minor()), (130, 370), "January is whole");
    assert_eq!(app.accounts.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["acc-1"]);
    assert!(apps::find_connected_app(auth(&world), &"bashir".into(), &id).await.unwrap().is_none(), "of nobody else");

    world.clock.advance(SignedDuration::from_hours(24 * 31));
    let app = apps::find_connected_app(auth(&world), &amelia, &id).await.unwrap().unwrap();
    assert_eq!((app.live, app.limit_usage[0].used.minor()), (true, 0), "a new month");

    let browser = logged_in(&world, "amelia").await;
    assert!(apps::end_connected_app(auth(&world), &submission(&world, &browser).await, &id).await.unwrap());
    assert_eq!(
        world.stored(&id).await.state,
        ConsentState::Revoked(lombard_domain::consent::RevokedBy::Psu),
        "VRP-085"
    );
    assert!(apps::list_connected_apps(auth(&world), &amelia).await.unwrap().is_empty());
    assert!(!apps::find_connected_app(auth(&world), &amelia, &id).await.unwrap().unwrap().live);
}
