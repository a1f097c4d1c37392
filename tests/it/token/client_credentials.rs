use crate::harness::{Bank, ExchangeExt, ValueExt};
use lombard_tpp::IssuedTokens;

#[tokio::test]
async fn as_036_038_both_methods_get_an_access_token_and_nothing_else() {
    for bank in Bank::each_engine().await {
        for name in ["robot", "rival"] {
            let answer =
                bank.tpp(name).request_token(&[("grant_type", "client_credentials"), ("scope", "accounts")]).await;
            let answer = answer.unwrap();
            let body = answer.ok(200);
            assert_eq!(body.text("token_type"), "Bearer", "{name}");
            assert_eq!(body.text("scope"), "accounts", "{name}");
            assert_eq!(body["expires_in"], 3600, "AS-093: {name}");
            assert!(body.get("refresh_token").is_none() && body.get("id_token").is_none(), "{name}");
            assert_eq!((answer.head("cache-control"), answer.head("pragma")), ("no-store", "no-cache"), "{name}");
        }
    }
}

#[tokio::test]
async fn as_103_tokens_are_256_random_bits_in_unreserved_characters() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let mut seen = std::collections::HashSet::new();
    for _ in 0..8 {
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        assert_eq!(lombard_jose::from_base64url(&token).map(|bytes| bytes.len()), Some(32), "{token}");
        assert!(seen.insert(token));
    }
}

#[tokio::test]
async fn as_039_openid_is_dropped_and_several_scopes_may_be_asked() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for (asked, granted) in [
        ("accounts openid", "accounts"),
        ("openid accounts", "accounts"),
        ("payments accounts", "accounts payments"),
        ("accounts fundsconfirmations payments", "accounts payments fundsconfirmations"),
    ] {
        let tokens = tpp.client_credentials(asked).await.unwrap();
        assert_eq!(tokens.scope.as_deref(), Some(granted), "{asked}");
    }
}

#[tokio::test]
async fn rw_032_a_scope_outside_the_registered_roles_is_invalid_scope() {
    let bank = Bank::start().await;
    let narrow = bank.create_tpp(&serde_json::json!({"name": "narrow", "roles": ["cbpii"]})).await;
    for scope in ["accounts", "payments", "accounts fundsconfirmations", "fundsconfirmations admin"] {
        let answer = narrow.request_token(&[("grant_type", "client_credentials"), ("scope", scope)]).await.unwrap();
        answer.oauth(400, "invalid_scope");
    }
    assert!(narrow.client_credentials("fundsconfirmations").await.is_ok());
}

#[tokio::test]
async fn as_040_without_scope_the_token_opens_no_api() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for fields in
        [vec![("grant_type", "client_credentials")], vec![("grant_type", "client_credentials"), ("scope", "")]]
    {
        let tokens = IssuedTokens::from_exchange(tpp.request_token(&fields).await.unwrap()).unwrap();
        let body = serde_json::json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}});
        let answer = tpp.consent_post(&tokens.access_token, &body).await.unwrap();
        assert!(answer.refused(403)[0].0.ends_with("Forbidden.Scope"), "RW-105, RW-130: {}", answer.text());
    }
}
