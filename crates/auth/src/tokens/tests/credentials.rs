//! The status reason of a consent whose code or refresh token was not usable. Source: ERR-005.

use super::*;
use lombard_domain::consent::ConsentStatusReason;

async fn reason(world: &World) -> Option<ConsentStatusReason> {
    world.consent_again(CONSENT).await.status_reason
}

#[tokio::test]
async fn err_005_an_unusable_credential_is_recorded_until_a_usable_one_comes() {
    const UNUSABLE: Option<ConsentStatusReason> = Some(ConsentStatusReason::CredentialUnusable);
    let (world, tpp) = authorised(None).await;
    let other = Tpp::new("other");
    world.register(&other.client).await;
    assert_eq!(code(world.exchange(&other, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, None, "another client's attempt with a stolen code changes nothing");
    assert_eq!(code(world.exchange(&tpp, "code-2").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, None, "an unknown code is of no consent");

    let elsewhere =
        [("grant_type", "authorization_code"), ("code", "code-1"), ("redirect_uri", "https://tpp.example/other")];
    let before = world.consent_again(CONSENT).await;
    for _ in 0..3 {
        assert_eq!(code(world.token(&tpp, &elsewhere).await), OAuthErrorCode::InvalidGrant);
        assert_eq!(reason(&world).await, UNUSABLE);
    }
    let after = world.consent_again(CONSENT).await;
    assert_eq!((after.state, after.state_changed_at), (before.state, before.state_changed_at), "RW-309");
    assert_eq!(after.epoch, before.epoch + 1, "the same again writes nothing");

    let refresh = world.exchange(&tpp, "code-1").await.unwrap().refresh_token.unwrap();
    assert_eq!(reason(&world).await, None, "the code works after all");
    assert_eq!(code(world.exchange(&other, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, None);
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, UNUSABLE, "a code used again ends its tokens (AS-043)");
    let renewal = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
    assert_eq!(code(world.token(&tpp, &renewal).await), OAuthErrorCode::InvalidGrant);

    let again = world.consent_again(CONSENT).await;
    world.code(&again, "code-3", None).await;
    world.exchange(&tpp, "code-3").await.unwrap();
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, None, "a code that was replaced says nothing about the newer grant");
}

#[tokio::test]
async fn err_005_a_code_that_expired_is_noted() {
    let (world, tpp) = authorised(None).await;
    world.pass_secs(60);
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert_eq!(reason(&world).await, Some(ConsentStatusReason::CredentialUnusable));
}
