//! The hot paths of the server, as the services run them, for the test that counts their round trips.

use super::samples::{client, consent, digest, grant, job, key, read, selected, token, write};
use super::samples_of_payments::{full_terms, order, payment_consent};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::grant::{Digest, TokenKind};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_ports::store::{IdempotencyClaim, KeyClaim, Owned, ReplayPurpose, Store, StoreError};

/// A client with a grant, and payment consents.
pub(crate) async fn prepare(store: &Store, consents: u8) {
    write(store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&Consent { accounts: vec![selected("a", "alias")], ..consent("c", "t") })?;
        tx.grant_insert(&grant("g", "t", Some("c")))?;
        tx.token_insert(&token(7, "g", TokenKind::Access, None))?;
        for number in 0..consents {
            let consent = payment_consent(&format!("p{number}"), "t", full_terms());
            tx.consent_insert(&Consent {
                state: ConsentState::Authorised,
                accounts: vec![selected("a", "alias")],
                ..consent
            })?;
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
    write(store, move |tx| {
        let (key, owner, id) =
            (key(&format!("key-{number}")), ClientId::from("t"), ConsentId::from(format!("p{number}")));
        let body: Digest = digest(number);
        let (now, window_start) = (super::samples::at(50), super::samples::at(1));
        let name = format!("order-{number}");
        let claim = KeyClaim { key: &key, body: &body, resource: &name, now, window_start };
        let (claimed, found) = tx.idempotency_claim_under(&claim, &owner, &id)?;
        assert_eq!(claimed, IdempotencyClaim::New);
        let Owned::Mine(mut consent) = found else { panic!("{found:?}") };
        assert_eq!(consent.accounts.len(), 1);
        (consent.state, consent.epoch) = (ConsentState::Consumed, consent.epoch + 1);
        tx.consent_update(&consent)?;
        tx.order_insert(&order(&name, id.as_str(), "a", 1, &full_terms()))?;
        tx.job_enqueue(&job(&format!("job-{number}"), 1))
    })
    .await;
}
