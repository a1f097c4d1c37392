//! The hot paths of the server, as the services run them, for the test that counts their round trips.

use super::assumed_orders::authorised;
use super::samples::{client, consent, digest, grant, job, key, read, selected, token, write};
use super::samples_of_payments::{full_terms, order};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::grant::TokenKind;
use lombard_ports::store::{IdempotencyClaim, KeyClaim, Owned, ReplayPurpose, Store, StoreError};

/// A client with a grant, and payment consents.
pub(crate) async fn prepare(store: &Store, consents: u8) {
    write(store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&Consent { accounts: vec![selected("a", "alias")], ..consent("c", "t") })?;
        tx.grant_insert(&grant("g", "t", Some("c")))?;
        tx.token_insert(&token(7, "g", TokenKind::Access, None))?;
        for number in 0..consents {
            tx.consent_insert(&authorised(&format!("p{number}")))?;
        }
        Ok(())
    })
    .await;
}

/// Every request of a cached caller: the epochs of all that its token stands on.
pub(crate) async fn check_epochs(store: &Store) {
    let found = store.read_by_one_query::<_, StoreError, _>(|tx| tx.epochs(&"g".into())).await.unwrap();
    assert!(found.is_some());
}

/// A request of a caller that is not cached.
pub(crate) async fn load_caller(store: &Store) {
    let hash = token(7, "g", TokenKind::Access, None).hash;
    let find =
        async |hash| store.read_by_one_query::<_, StoreError, _>(move |tx| tx.token_holder(&hash)).await.unwrap();
    let (Some(holder), None) = (find(hash).await, find(digest(250)).await) else { panic!("one token is known") };
    let expected = read(store, move |tx| {
        Ok((tx.token_state(&hash)?.unwrap(), tx.client(&"t".into())?.unwrap(), tx.consent_any_owner(&"c".into())?))
    });
    assert_eq!((holder.state, holder.client, holder.consent), expected.await);
}

/// The client of a token request.
pub(crate) async fn find_client(store: &Store) {
    let found = store.read_by_one_query::<_, StoreError, _>(|tx| tx.client(&"t".into())).await.unwrap();
    assert!(found.is_some());
}

/// The transaction of a token request with an assertion.
pub(crate) async fn issue_token(store: &Store, number: u8) {
    write(store, move |tx| {
        let name = format!("grant-{number}");
        let expires_at = super::samples::at(99);
        tx.replay_spend(&client("t"), ReplayPurpose::ClientAssertion, &name, expires_at)?;
        tx.grant_insert(&grant(&name, "t", None))?;
        tx.token_insert(&token(number.saturating_add(100), &name, TokenKind::Access, Some(expires_at)))
    })
    .await;
}

/// The transaction of a payment order.
pub(crate) async fn place_order(store: &Store, number: u8) {
    let (known, name) = (authorised(&format!("p{number}")), format!("order-{number}"));
    write(store, move |tx| {
        let (key, body) = (key(&format!("key-{number}")), digest(number));
        let (now, window_start) = (super::samples::at(50), super::samples::at(1));
        let claim = KeyClaim { key: &key, body: &body, resource: &name, now, window_start, other_operation: None };
        if !tx.idempotency_assume(&claim, Some(&known))? {
            let (claimed, found) = tx.idempotency_claim_under(&claim, &known.client, &known.id)?;
            assert_eq!((claimed, found), (IdempotencyClaim::New, Owned::Mine(known.clone())));
        }
        tx.consent_update(&Consent { state: ConsentState::Consumed, epoch: known.epoch + 1, ..known.clone() })?;
        tx.order_insert(&order(&name, known.id.as_str(), "a", 1, &full_terms()))?;
        tx.job_enqueue(&job(&format!("job-{number}"), 1))
    })
    .await;
}
