//! The hot paths of the server, as the services run them, for the test that counts their round trips.

use super::grants::issue_client_token;
use super::known_orders::{authorised, place};
use super::samples::{client, consent, digest, grant, read, selected, token, write};
use lombard_domain::consent::Consent;
use lombard_domain::grant::TokenKind;
use lombard_ports::store::{IdempotencyClaim, Store, StoreError};

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

/// The check of every request of a cached caller: the epochs of its token.
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

/// A token request with an assertion.
pub(crate) async fn issue_token(store: &Store, number: u8) {
    let name = format!("grant-{number}");
    assert!(issue_client_token(store, &client("t"), &name, &name, number.saturating_add(100)).await);
}

/// A payment order.
pub(crate) async fn place_order(store: &Store, number: u8) {
    let known = authorised(&format!("p{number}"));
    let (claimed, before) = place(store, known.clone(), &format!("key-{number}"), &format!("order-{number}")).await;
    assert_eq!((claimed, before), (IdempotencyClaim::New, known));
}
