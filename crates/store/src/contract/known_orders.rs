//! Orders under a consent that was read before the transaction.

use super::samples::{at, client, digest, job, key, read, selected, write};
use super::samples_of_payments::{full_terms, order, payment_consent};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::grant::Digest;
use lombard_domain::ids::OrderId;
use lombard_ports::clock::{Clocks, KnownBankTime, write_bank_offset_micros};
use lombard_ports::store::{
    ConsentCreation, DirectWriteOutcome, IdempotencyClaim, IdempotencyKey, KeyClaim, OrderPlacement, Owned, Store,
};

/// A consent that can be used once.
pub(crate) fn authorised(id: &str) -> Consent {
    let consent = payment_consent(id, "t", full_terms());
    Consent { state: ConsentState::Authorised, accounts: vec![selected("a", "alias")], ..consent }
}

/// The result of a request for an order: the claim of its key, and the consent under which it was placed.
type Placed = (IdempotencyClaim, Consent);

/// Places an order as services do: by a direct write under the known consent, if the database has direct writes and the consent
/// is unchanged, or else by a transaction. No order is placed under a consumed consent.
pub(crate) async fn place(store: &Store, known: Consent, name: &str, id: &str) -> Placed {
    place_at(store, known, name, id, Clocks::system().known_bank_time()).await
}

async fn place_at(store: &Store, known: Consent, name: &str, id: &str, time: KnownBankTime) -> Placed {
    let key = key(name);
    if let Some(direct) = store.direct_writes() {
        let used = used(&known);
        let (body, order, job) = (digest(1), order(id, known.id.as_str(), "a", 1, &full_terms()), job(id, 1));
        let placement = OrderPlacement {
            time,
            claim: claim(&key, &body, id),
            consent_epoch: known.epoch,
            consumed: &used,
            order: &order,
            job: &job,
        };
        if direct.order_place(placement).await.unwrap() == DirectWriteOutcome::Stored {
            return (IdempotencyClaim::New, known);
        }
    }
    let id = id.to_owned();
    write(store, move |tx| {
        let Owned::Mine(before) = tx.consent_for_update(&known.client, &known.id)? else { panic!("no consent") };
        let claimed = tx.idempotency_claim(&claim(&key, &digest(1), &id))?;
        if claimed == IdempotencyClaim::New && before.state == ConsentState::Authorised {
            tx.consent_update(&used(&before))?;
            tx.order_insert(&order(&id, known.id.as_str(), "a", 1, &full_terms()))?;
            tx.job_enqueue(&job(&id, 1))?;
        }
        Ok((claimed, before))
    })
    .await
}

fn used(before: &Consent) -> Consent {
    Consent { state: ConsentState::Consumed, state_changed_at: at(50), epoch: before.epoch + 1, ..before.clone() }
}

fn claim<'a>(key: &'a IdempotencyKey, body: &'a Digest, resource: &'a str) -> KeyClaim<'a> {
    KeyClaim { key, body, resource, now: at(50), window_start: at(1), other_operation: None }
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
pub(super) async fn a_key_in_use_is_found_by_whoever_took_it_for_free(store: Store) {
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
    let used = used(&known);
    let after = used.clone();
    write(&store, move |tx| tx.consent_update(&after)).await;
    assert_eq!(place(&store, known, "k", "o1").await, (IdempotencyClaim::New, used.clone()));
    assert_eq!((consent(&store).await, order_of_consent(&store).await), (used, None));
}

/// Of concurrent orders under one consent, each with its own key, one is placed. Source: PIS-040, PIS-061.
pub(super) async fn of_orders_at_once_under_one_consent_one_is_placed(store: Store) {
    let known = stored(&store).await;
    let placing = (0..12).map(|number| {
        let (store, known) = (store.clone(), known.clone());
        // Each key is used by two requests.
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

/// An order is placed only at the present time of the bank's clock: a move of the clock by another process is detected.
pub(super) async fn a_clock_that_has_moved_is_found_by_whoever_knew_it_before(store: Store) {
    let known = stored(&store).await;
    let clocks = Clocks::system();
    clocks.mark_bank_clock_movable();
    write(&store, |tx| write_bank_offset_micros(tx, 7)).await;
    let Some(direct) = store.direct_writes() else { return };
    for (offset, expected) in [(0, DirectWriteOutcome::RowsChanged), (7, DirectWriteOutcome::Stored)] {
        clocks.set_bank_offset_micros(offset);
        let consent = Consent { id: format!("at {offset}").into(), accounts: Vec::new(), ..known.clone() };
        let creation = ConsentCreation { time: clocks.known_bank_time(), claim: None, consent: &consent };
        assert_eq!(direct.consent_create(creation).await.unwrap(), expected, "{offset}");
        let used = used(&known);
        let (key, body, order) = (key("k"), digest(1), order("o", "c", "a", 1, &full_terms()));
        let (time, claim, job) = (clocks.known_bank_time(), claim(&key, &body, "o"), job("o", 1));
        let placement =
            OrderPlacement { time, claim, consent_epoch: known.epoch, consumed: &used, order: &order, job: &job };
        assert_eq!(direct.order_place(placement).await.unwrap(), expected, "{offset}");
    }
    assert_eq!(
        (order_of_consent(&store).await, consent(&store).await.state),
        (Some("o".into()), ConsentState::Consumed)
    );
}

/// Source: PIS-061, PIS-064.
pub(super) async fn a_consent_is_created_once_by_a_key(store: Store) {
    let Some(direct) = store.direct_writes() else { return };
    let time = Clocks::system().known_bank_time();
    let (key, body) = (key("k"), digest(1));
    for (id, expected) in [("c1", DirectWriteOutcome::Stored), ("c2", DirectWriteOutcome::RowsChanged)] {
        let consent = Consent { id: id.into(), accounts: Vec::new(), ..authorised(id) };
        let creation = ConsentCreation { time, claim: Some(claim(&key, &body, id)), consent: &consent };
        assert_eq!(direct.consent_create(creation).await.unwrap(), expected);
        let found =
            read(&store, move |tx| tx.consent_any_owner(&consent.id).map(|it| it.map(|it| it == consent))).await;
        assert_eq!(found, (expected == DirectWriteOutcome::Stored).then_some(true));
    }
}
