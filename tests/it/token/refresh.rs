//! The refresh token grant. Source: AS-093 to AS-097.

use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};
use jiff::SignedDuration;
use lombard_tpp::IssuedTokens;
use serde_json::json;

#[tokio::test]
async fn as_096_097_a_refresh_token_keeps_buying_access_tokens() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let access = access(&tpp, &EVERYTHING).await;
        let refresh_token = access.tokens.refresh_token.clone().unwrap();
        bank.clock.advance(SignedDuration::from_secs(3_601));
        tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
        for _ in 0..2 {
            let tokens = IssuedTokens::from_exchange(tpp.refresh(&refresh_token).await.unwrap()).unwrap();
            assert!(tokens.refresh_token.is_none(), "AS-097: not repeated");
            tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        }
    }
}

#[tokio::test]
async fn as_096_a_scope_may_narrow_and_never_widen() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let access = access(&tpp, &EVERYTHING).await;
    let refresh_token = access.tokens.refresh_token.clone().unwrap();
    let asking = |scope: &'static str| {
        let tpp = tpp.clone();
        let refresh_token = refresh_token.clone();
        async move {
            let form = [("grant_type", "refresh_token"), ("refresh_token", &refresh_token), ("scope", scope)];
            tpp.request_token(&form).await.unwrap()
        }
    };
    asking("accounts payments").await.oauth(400, "invalid_scope");
    let narrowed = IssuedTokens::from_exchange(asking("accounts").await).unwrap();
    assert_eq!(narrowed.scope.as_deref(), Some("accounts"));
    tpp.get(&narrowed.access_token, "aisp/accounts").await.unwrap().ok(200);
}

#[tokio::test]
async fn as_096_only_its_own_client_may_use_a_refresh_token() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let refresh_token = access.tokens.refresh_token.unwrap();
    bank.tpp("rival").refresh(&refresh_token).await.unwrap().oauth(400, "invalid_grant");
    bank.tpp("robot").refresh("nonsense").await.unwrap().oauth(400, "invalid_grant");
    bank.tpp("robot").refresh(&access.tokens.access_token).await.unwrap().oauth(400, "invalid_grant");
    bank.tpp("robot").get(&refresh_token, "aisp/accounts").await.unwrap().unauthorised();
}

#[tokio::test]
async fn ais_063_077_nothing_is_refreshed_after_deletion_or_expiry() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let deleted = access(&tpp, &EVERYTHING).await;
    tpp.delete(&deleted.own, &deleted.consent_path()).await.unwrap().ok(204);
    tpp.refresh(&deleted.tokens.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");

    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let end = bank.now() + SignedDuration::from_mins(30);
    let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
    let consent = tpp.consent_post(&own, &body).await.unwrap().expect_status(http::StatusCode::CREATED).unwrap();
    let consent = consent.text_at("/Data/ConsentId").unwrap();
    let ending = crate::harness::CustomerAccess::of(&tpp, &own, &consent).await;
    assert!(ending.tokens.expires_in <= 1_800, "AS-093: {}", ending.tokens.expires_in);
    bank.clock.advance(SignedDuration::from_mins(30));
    tpp.get(ending.token(), "aisp/accounts").await.unwrap().unauthorised();
    tpp.refresh(&ending.tokens.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");
}

#[tokio::test]
async fn rw_039_a_refresh_token_with_an_end_says_so_in_the_id_token() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let end = bank.now() + SignedDuration::from_hours(48);
    let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
    let consent = tpp.consent_post(&own, &body).await.unwrap().expect_status(http::StatusCode::CREATED).unwrap();
    let consent = consent.text_at("/Data/ConsentId").unwrap();
    let access = crate::harness::CustomerAccess::of(&tpp, &own, &consent).await;
    let keys = tpp.bank_keys().await.unwrap();
    let token = access.tokens.id_token.unwrap();
    let claims = tpp.check_id_token(&token, &keys, &lombard_tpp::ExpectedIdToken::default()).await.unwrap();
    assert_eq!(claims.0["http://openbanking.org.uk/refresh_token_expires_at"], end.as_second());
}
