//! Orders under a consent that is known from before the transaction.

use super::samples::{at, client, digest, key, read, selected, write};
use super::samples_of_payments::{full_terms, order, payment_consent};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::OrderId;
use lombard_ports::store::{IdempotencyClaim, KeyClaim, Owned, Store, StoreError};

/// A consent that can be used once.
pub(crate) fn authorised(id: &str) -> Consent {
    let consent = payment_consent(id, "t", full_terms());
    Consent { state: ConsentState::Authorised, accounts: vec![selected("a", "alias")], ..consent }
}

/// What a request for an order learns: what its key was claimed for, and the consent that it went by.
type Placed = (IdempotencyClaim, Consent);

/// Places an order under a consent as it is known, if the transaction may assume that, or else as it is read; under one that is used up
/// already, none.
pub(crate) async fn place(store: &Store, known: Consent, name: &str, id: &str) -> Placed {
    let (name, id) = (name.to_owned(), id.to_owned());
    write(store, move |tx| {
        let (key, body) = (key(&name), digest(1));
        let claim =
            KeyClaim { key: &key, body: &body, resource: &id, now: at(50), window_start: at(1), other_operation: None };
        let (claimed, found) = if tx.idempotency_assume(&claim, Some(&known))? {
            (IdempotencyClaim::New, Owned::Mine(known.clone()))
        } else {
            tx.idempotency_claim_under(&claim, &known.client, &known.id)?
        };
        let Owned::Mine(before) = found else { panic!("{found:?}") };
        if claimed == IdempotencyClaim::New && before.state == ConsentState::Authorised {
            let used = Consent { state: ConsentState::Consumed, epoch: before.epoch + 1, ..before.clone() };
            tx.consent_update(&used)?;
            tx.order_insert(&order(&id, known.id.as_str(), "a", 1, &full_terms()))?;
        }
        Ok((claimed, before))
    })
    .await
}

async fn stored(store: &Store) -> Consent {
    let known = authorised("c");
    write(store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&known)
    })
    .await;
    consent(store).await
}

async fn consent(store: &Store) -> Consent {
    read(store, |tx| tx.consent_any_owner(&"c".into())).await.unwrap()
}

async fn order_of_consent(store: &Store) -> Option<OrderId> {
    read(store, |tx| tx.order_of_consent(&"c".into())).await
}

/// Source: PIS-061, PIS-064, RW-183.
pub(super) async fn a_key_in_use_is_found_by_whoever_assumed_it_free(store: Store) {
    let known = stored(&store).await;
    assert_eq!(place(&store, known.clone(), "k", "o1").await, (IdempotencyClaim::New, known.clone()));
    let used = consent(&store).await;
    assert_eq!((used.state, used.accounts.len()), (ConsentState::Consumed, 1));
    let replayed = IdempotencyClaim::Replay { resource: "o1".into() };
    assert_eq!(place(&store, known, "k", "o2").await, (replayed, used));
    assert_eq!(order_of_consent(&store).await, Some("o1".into()));
}

/// Source: PIS-040.
pub(super) async fn a_consent_that_has_changed_is_found_by_whoever_knew_it_before(store: Store) {
    let known = stored(&store).await;
    let used = Consent { state: ConsentState::Consumed, epoch: known.epoch + 1, ..known.clone() };
    let after = used.clone();
    write(&store, move |tx| tx.consent_update(&after)).await;
    assert_eq!(place(&store, known, "k", "o1").await, (IdempotencyClaim::New, used.clone()));
    assert_eq!((consent(&store).await, order_of_consent(&store).await), (used, None));
}

/// Whoever goes by a consent as it was known and does not update it goes by the stored one in the end.
pub(super) async fn a_consent_that_is_not_updated_is_read(store: Store) {
    let known = stored(&store).await;
    let stale = Consent { state: ConsentState::Consumed, ..known.clone() };
    assert_eq!(place(&store, stale, "k", "o1").await.1, known);
    let other = Consent { id: "other".into(), ..known.clone() };
    let both = write(&store, move |tx| {
        let (key, body) = (key("l"), digest(1));
        let claim = KeyClaim {
            key: &key,
            body: &body,
            resource: "o2",
            now: at(50),
            window_start: at(1),
            other_operation: None,
        };
        let is_assumed = tx.idempotency_assume(&claim, Some(&other))?;
        // Of another consent than the one that is assumed.
        tx.consent_update(&Consent { epoch: known.epoch + 7, ..known.clone() })?;
        Ok(is_assumed)
    });
    assert!(!both.await);
}

/// Of orders at once under one consent, by as many keys, one is placed. Source: PIS-040, PIS-061.
pub(super) async fn of_orders_at_once_under_one_consent_one_is_placed(store: Store) {
    let known = stored(&store).await;
    let placing = (0..12).map(|number| {
        let (store, known) = (store.clone(), known.clone());
        // Two requests by each key.
        tokio::spawn(async move { place(&store, known, &format!("k{}", number / 2), &format!("o{number}")).await })
    });
    let placed = futures_util::future::join_all(placing.collect::<Vec<_>>()).await;
    let placed: Vec<Placed> = placed.into_iter().map(Result::unwrap).collect();
    let is_first = |it: &&Placed| it.0 == IdempotencyClaim::New && it.1.state == ConsentState::Authorised;
    assert_eq!(placed.iter().filter(is_first).count(), 1, "{placed:?}");
    assert_eq!(placed.iter().filter(|it| it.0 == IdempotencyClaim::New).count(), 6, "each key is claimed once");
    assert!(order_of_consent(&store).await.is_some());
    assert_eq!(consent(&store).await.epoch, known.epoch + 1);
}

/// A setting that is assumed is as it is stored, or absent. What is committed went by it.
pub(super) async fn a_setting_that_is_assumed_is_the_stored_one(store: Store) {
    let value = async |known: &'static str| {
        write(&store, move |tx| {
            let is_assumed = tx.setting_assume("clock", "0", known)?;
            let value = if is_assumed { Some(known.into()) } else { tx.setting("clock")? };
            tx.setting_put("seen", value.as_deref().unwrap_or("0"))?;
            Ok::<_, StoreError>(value.unwrap_or_else(|| "0".into()))
        })
        .await
    };
    assert_eq!((value("0").await, value("7").await), ("0".to_owned(), "0".to_owned()));
    write(&store, |tx| tx.setting_put("clock", "7")).await;
    assert_eq!((value("0").await, value("7").await), ("7".to_owned(), "7".to_owned()));
    assert_eq!(read(&store, |tx| tx.setting("seen")).await.as_deref(), Some("7"));
}
