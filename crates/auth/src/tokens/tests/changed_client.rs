//! A client whose registration is changed, as by another node, after this node has read it.

use super::*;
use crate::clients::authenticate_client;
use crate::testing::{foreign_key, jwks};
use lombard_domain::client::{Client, Jwks};
use lombard_domain::registration::{ApplicationType, GrantType, Registration};
use lombard_ports::store::ReplayPurpose;

const CREDENTIALS: [(&str, &str); 2] = [("grant_type", "client_credentials"), ("scope", "accounts")];

/// A client whose registration is cached, because it was issued a token, and is then changed.
async fn changed(change: impl FnOnce(&mut Tpp)) -> (World, Tpp, Tpp) {
    let (world, before) = World::with_tpp().await;
    world.token(&before, &CREDENTIALS).await.unwrap();
    let mut tpp = before.clone();
    change(&mut tpp);
    world.update(&tpp.client).await;
    (world, before, tpp)
}

fn rotate_keys(tpp: &mut Tpp) {
    tpp.key = foreign_key();
    tpp.client.jwks = Jwks::Local(jwks(&tpp.key));
}

#[tokio::test]
async fn as_023_new_keys_work_at_once_and_old_ones_no_more() {
    let (world, before, tpp) = changed(rotate_keys).await;
    assert_eq!(code(world.token(&before, &CREDENTIALS).await), OAuthErrorCode::InvalidClient);
    assert!(world.token(&tpp, &CREDENTIALS).await.is_ok());
    let (world, before, tpp) = changed(rotate_keys).await;
    assert!(world.token(&tpp, &CREDENTIALS).await.is_ok());
    assert_eq!(code(world.token(&before, &CREDENTIALS).await), OAuthErrorCode::InvalidClient);
}

#[tokio::test]
async fn as_029_a_client_that_was_disabled_gets_no_token() {
    let (world, _, tpp) = changed(|tpp| tpp.client.status = ClientStatus::Disabled).await;
    for _ in 0..2 {
        assert_eq!(code(world.token(&tpp, &CREDENTIALS).await), OAuthErrorCode::InvalidClient);
    }
    // And enabled again.
    world.update(&Client { status: ClientStatus::Active, epoch: tpp.client.epoch + 1, ..tpp.client.clone() }).await;
    assert!(world.token(&tpp, &CREDENTIALS).await.is_ok());
}

/// A grant type that was removed is refused at once, and one that was added again works at once.
#[tokio::test]
async fn as_052_dcr_011_a_grant_is_judged_by_what_is_registered_now() {
    let for_codes = Registration {
        application_type: ApplicationType::Web,
        grant_types: vec![GrantType::AuthorizationCode],
        response_types: vec![],
    };
    for (roles, registration, refusal) in [
        (vec![TppRole::Pisp], None, OAuthErrorCode::InvalidScope),
        (TppRole::ALL.to_vec(), Some(for_codes), OAuthErrorCode::UnauthorizedClient),
    ] {
        let take = |tpp: &mut Tpp| (tpp.client.roles, tpp.client.registration) = (roles, registration);
        let (world, before, tpp) = changed(take).await;
        assert_eq!(code(world.token(&tpp, &CREDENTIALS).await), refusal);
        world.update(&Client { epoch: tpp.client.epoch + 1, ..before.client.clone() }).await;
        assert!(world.token(&before, &CREDENTIALS).await.is_ok());
    }
}

/// An assertion is marked as used once, whether or not the grant is refused, even if its client was authenticated twice. Source: AS-026.
#[tokio::test]
async fn as_026_an_assertion_of_a_changed_client_is_spent_once() {
    for scope in ["accounts", "fundsconfirmations"] {
        let rename = |tpp: &mut Tpp| {
            tpp.client.software_name = "Renamed".into();
            tpp.client.roles = vec![TppRole::Aisp];
        };
        let (world, _, tpp) = changed(rename).await;
        let form = tpp.form(world.wall(), &[("grant_type", "client_credentials"), ("scope", scope)]);
        let request = tpp.token_request(&form);
        let call =
            async || issue_tokens(&world.auth, authenticate_client(&world.auth, &request).await?, &request).await;
        assert_eq!(call().await.is_ok(), scope == "accounts");
        assert_eq!(code(call().await), OAuthErrorCode::InvalidClient);
    }
}

/// The transaction of a token fails and stores nothing if the registration was changed after it was read.
#[tokio::test]
async fn an_assertion_is_not_spent_in_the_name_of_a_client_that_was_changed() {
    let (world, before, _) = changed(|tpp| tpp.client.software_name = "Renamed".into()).await;
    let form = before.form(world.wall(), &CREDENTIALS);
    let stale = authenticate_client(&world.auth, &before.token_request(&form)).await.unwrap();
    assert_eq!(stale.client().epoch, 1, "as it was read before");
    let spent = world.auth.context.store.write::<_, StoreError, _>(move |tx| stale.spend_assertion(tx)).await;
    assert!(matches!(spent, Err(StoreError::Corrupt { table: ReplayPurpose::TABLE, .. })), "{spent:?}");
}
