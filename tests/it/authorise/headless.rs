use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};
use http::Method;
use lombard_tpp::{AuthorisationResponse, ExpectedIdToken, HttpCall};

#[tokio::test]
async fn as_085_087_088_171_a_headless_client_is_answered_at_once() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
        answer.decent();
        assert_eq!(answer.status, 302, "{}", answer.text());
        assert_eq!(answer.head("x-headless-consent"), "1", "AS-170");
        assert!(answer.head("cache-control").contains("no-store"), "{:?}", answer.headers);
        let channel = AuthorisationResponse::parse_redirect(&answer, tpp.redirect_uri().unwrap()).unwrap();
        assert_eq!(channel.names, ["code", "id_token", "state"]);
        let (code, id_token) = channel.expect_code(&request.state).unwrap();
        let expected = ExpectedIdToken {
            consent: Some(&consent),
            nonce: Some(&request.nonce),
            code: Some(code),
            state: Some(&request.state),
            access_token: None,
        };
        let token = tpp.check_id_token(id_token, &tpp.bank_keys().await.unwrap(), &expected).await.unwrap();
        assert_eq!(token.text("acr"), Some("urn:openbanking:psd2:sca"), "AS-079");
        let personal = ["name", "email", "given_name", "family_name", "preferred_username", "phone_number"];
        assert!(personal.iter().all(|claim| !token.0.contains_key(*claim)), "AS-100: {token:?}");
    }
}

#[tokio::test]
async fn as_060_a_form_post_works_too_and_is_answered_303() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let url: url::Url = request.url(&tpp.folder.signing).unwrap().parse().unwrap();
    let fields: Vec<_> = url.query_pairs().into_owned().collect();
    let endpoint = &tpp.discovery().await.unwrap().authorization_endpoint;
    let answer = tpp.send(HttpCall::new(Method::POST, endpoint).with_form(fields)).await.unwrap();
    assert_eq!(answer.status, 303, "AS-087: {}", answer.text());
    let channel = AuthorisationResponse::parse_redirect(&answer, tpp.redirect_uri().unwrap()).unwrap();
    channel.expect_code(&request.state).unwrap();
}

#[tokio::test]
async fn as_062_only_the_signed_nonce_and_state_count() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let request = request.parameter("nonce", "other").parameter("state", "other");
    let request = request.parameter("redirect_uri", "https://evil.example/");
    let channel = tpp.authorise_headless(&request).await.unwrap();
    let (_, id_token) = channel.expect_code(&request.state).unwrap();
    let expected = ExpectedIdToken { nonce: Some(&request.nonce), ..ExpectedIdToken::default() };
    tpp.check_id_token(id_token, &tpp.bank_keys().await.unwrap(), &expected).await.unwrap();
}

#[tokio::test]
async fn as_071_072_073_075_076_every_allowed_form_of_a_request_is_taken() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let now = bank.now().as_second();
    let issuer = tpp.endpoints.issuer.clone();
    let long = "n".repeat(2_048);
    let forms: Vec<(&str, &str, serde_json::Value)> = vec![
        ("AS-072: several audiences", "aud", serde_json::json!(["https://elsewhere.example", issuer])),
        ("AS-073: an hour", "exp", serde_json::json!(now + 3_600)),
        ("AS-073: ten seconds ahead", "nbf", serde_json::json!(now + 10)),
        ("AS-050: scopes in another order", "scope", serde_json::json!("accounts openid")),
        ("AS-051: further registered scopes", "scope", serde_json::json!("openid accounts payments")),
        ("AS-080: no jti", "jti", serde_json::Value::Null),
        ("AS-076: a long nonce", "nonce", serde_json::json!(long)),
        ("AS-067: hints", "ui_locales", serde_json::json!("en cy")),
        ("AS-067: prompt", "prompt", serde_json::json!("login consent")),
    ];
    for (what, claim, value) in forms {
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let mut request =
            tpp.new_authorisation_request(&consent, "accounts").await.unwrap().claim(claim, value.clone());
        if claim == "scope" {
            request = request.parameter("scope", value.as_str().unwrap());
        }
        let channel = tpp.authorise_headless(&request).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        let (code, _) = channel.expect_code(&request.state).unwrap_or_else(|error| panic!("{what}: {error}"));
        let tokens = lombard_tpp::IssuedTokens::from_exchange(tpp.exchange_code(code).await.unwrap()).unwrap();
        assert_eq!(tokens.scope.as_deref(), Some("openid accounts"), "AS-051: {what}");
    }
    for typ in ["JWT", "jwt", "oauth-authz-req+jwt", "application/oauth-authz-req+jwt"] {
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let mut request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        request.object = request.object.header("typ", typ);
        tpp.authorise_headless(&request).await.unwrap().expect_code(&request.state).unwrap();
    }
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request =
        tpp.new_authorisation_request(&consent, "accounts").await.unwrap().claim("state", serde_json::Value::Null);
    let channel = tpp.authorise_headless(&request).await.unwrap();
    assert_eq!((channel.state, channel.error), (None, None), "AS-075");
}

#[tokio::test]
async fn rw_305_309_authenticating_again_keeps_status_time_and_accounts() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let first = access(&tpp, &EVERYTHING).await;
        let before = tpp.get(&first.own, &first.consent_path()).await.unwrap().ok(200);
        let accounts = first.account_ids().await;
        bank.clock.advance(jiff::SignedDuration::from_mins(5));
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let second = crate::harness::CustomerAccess::of(&tpp, &own, &first.consent).await;
        let after = tpp.get(&own, &first.consent_path()).await.unwrap().ok(200);
        assert_eq!(before["Data"], after["Data"]);
        assert_eq!(second.account_ids().await, accounts, "AIS-083");
    }
}

#[tokio::test]
async fn as_171_configuration_can_have_every_headless_request_refused() {
    let mut bank = Bank::start().await;
    bank.stop().await;
    bank.restart_with(&[("sandbox.headless_decision", "reject")]).await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let channel = tpp.authorise_headless(&request).await.unwrap();
    assert_eq!((channel.error.as_deref(), channel.state.as_deref()), (Some("access_denied"), Some(&*request.state)));
    let read = tpp.get(&own, &format!("aisp/account-access-consents/{consent}")).await.unwrap().ok(200);
    assert_eq!(read["Data"]["Status"], "Rejected", "AS-089");
}
