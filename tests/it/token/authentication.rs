//! Attacks on client authentication. Source: AS-020 to AS-030.

use crate::harness::{Bank, ExchangeExt, rs256};
use aws_lc_rs::hmac;
use lombard_jose::SigningKey;
use lombard_tpp::{ASSERTION_TYPE, HttpCall, HttpExchange, Jwt, Protocol, Tpp};
use serde_json::{Value, json};

#[tokio::test]
async fn as_023_an_assertion_must_be_signed_ps256_by_a_registered_key() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let honest = tpp.new_client_assertion().await.unwrap();
    let foreign = SigningKey::generate().unwrap();
    let rivals = bank.tpp("rival").folder.signing.clone();
    let forged = [
        ("alg none", honest.clone().header("alg", "none").sign_with(|_| Vec::new())),
        ("alg None", honest.clone().header("alg", "None").sign_with(|_| Vec::new())),
        ("no alg", honest.clone().header("alg", Value::Null).sign(&tpp.folder.signing).unwrap()),
        ("RS256", honest.clone().header("alg", "RS256").sign_with(|message| rs256(&tpp.folder.signing, message))),
        ("PSS called RS256", honest.clone().header("alg", "RS256").sign(&tpp.folder.signing).unwrap()),
        ("HS256 by the public key", hs256(&honest, &tpp)),
        ("a key of nobody", honest.sign(&foreign).unwrap()),
        ("a key of another client", honest.sign(&rivals).unwrap()),
        ("an unknown kid", honest.clone().header("kid", "unknown").sign(&tpp.folder.signing).unwrap()),
        ("a key in the header", with_own_key(&honest, &foreign)),
        (
            "an unknown crit",
            honest.clone().header("crit", json!(["x"])).header("x", 1).sign(&tpp.folder.signing).unwrap(),
        ),
        ("no signature", honest.sign_with(|_| Vec::new())),
        ("no JWS", "nonsense".to_owned()),
        ("an empty text", String::new()),
    ];
    for (what, assertion) in forged {
        refused(&tpp, &assertion, what).await;
    }
    assertion_token(&tpp, &honest.sign(&tpp.folder.signing).unwrap()).await.ok(200);
}

#[tokio::test]
async fn as_023_as_025_claims_of_an_assertion_are_checked() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let now = bank.now().as_second();
    let other = bank.tpp("rival").client_id().to_string();
    let wrong: Vec<(&str, &str, Value)> = vec![
        ("no iss", "iss", Value::Null),
        ("another iss", "iss", json!(other)),
        ("no sub", "sub", Value::Null),
        ("another sub", "sub", json!(other)),
        ("no aud", "aud", Value::Null),
        ("a wrong aud", "aud", json!("https://elsewhere.example/token")),
        ("an aud that is a number", "aud", json!(1)),
        ("no jti", "jti", Value::Null),
        ("an empty jti", "jti", json!("")),
        ("no exp", "exp", Value::Null),
        ("an exp in text", "exp", json!((now + 60).to_string())),
        ("expired five minutes ago", "exp", json!(now - 300)),
        ("expired beyond the grace", "exp", json!(now - 6)),
        ("good for too long", "exp", json!(now + 3_700)),
        ("not valid yet", "nbf", json!(now + 120)),
        ("issued in the future", "iat", json!(now + 120)),
    ];
    for (what, name, value) in wrong {
        let assertion = tpp.new_client_assertion().await.unwrap().claim(name, value);
        refused(&tpp, &assertion.sign(&tpp.folder.signing).unwrap(), what).await;
    }
    let discovery = tpp.discovery().await.unwrap().clone();
    let right: Vec<(&str, &str, Value)> = vec![
        ("AS-024: the token endpoint", "aud", json!(discovery.token_endpoint)),
        ("AS-024: one of several", "aud", json!(["https://elsewhere.example", discovery.token_endpoint])),
        ("AS-025: an hour", "exp", json!(now + 3_600)),
        ("AS-025: ten seconds ahead", "nbf", json!(now + 10)),
        ("AS-027: claims nobody asked for", "claims", json!({"id_token": {}})),
        ("AS-011: no kid", "", Value::Null),
    ];
    for (what, name, value) in right {
        let mut assertion = tpp.new_client_assertion().await.unwrap().claim(name, value);
        if what.contains("AS-011") {
            assertion = assertion.header("kid", Value::Null);
        }
        let answer = assertion_token(&tpp, &assertion.sign(&tpp.folder.signing).unwrap()).await;
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    }
}

#[tokio::test]
async fn as_026_a_jti_works_once_until_it_expires() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let assertion = tpp.new_client_assertion().await.unwrap().sign(&tpp.folder.signing).unwrap();
        assertion_token(&tpp, &assertion).await.ok(200);
        refused(&tpp, &assertion, "the same assertion again").await;
        let first = tpp.new_client_assertion().await.unwrap();
        let again = tpp.new_client_assertion().await.unwrap().claim("jti", first.claims()["jti"].clone());
        assertion_token(&tpp, &first.sign(&tpp.folder.signing).unwrap()).await.ok(200);
        refused(&tpp, &again.sign(&tpp.folder.signing).unwrap(), "a new assertion with the same jti").await;
    }
}

#[tokio::test]
async fn as_026_of_a_thousand_uses_at_once_one_works() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let assertion = tpp.new_client_assertion().await.unwrap().sign(&tpp.folder.signing).unwrap();
        let mut racers = tokio::task::JoinSet::new();
        for _ in 0..1_000 {
            let tpp = tpp.clone();
            let assertion = assertion.clone();
            racers.spawn(async move { assertion_token(&tpp, &assertion).await });
        }
        let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(|it| it.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 999));
        lost.iter().filter(|it| !it.is_busy()).for_each(|it| it.oauth(401, "invalid_client"));
    }
}

#[tokio::test]
async fn as_020_021_only_the_registered_method_works_and_only_one_at_a_time() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let credentials = [("grant_type", "client_credentials"), ("scope", "accounts")];

    let bare = form(&robot, &credentials, &[("client_id", robot.client_id().as_str())]).await;
    bare.oauth(401, "invalid_client");
    let assertion = rival.new_client_assertion().await.unwrap().sign(&rival.folder.signing).unwrap();
    assertion_token(&rival, &assertion).await.oauth(401, "invalid_client");
    form(&rival, &credentials, &[]).await.oauth(401, "invalid_client");
    let secret = [("client_id", rival.client_id().as_str()), ("client_secret", "secret")];
    form(&rival, &credentials, &secret).await.oauth(401, "invalid_client");

    let basic = rival.send(
        HttpCall::post(&rival.discovery().await.unwrap().token_endpoint)
            .with_header("authorization", "Basic eDp5")
            .with_form(credentials),
    );
    let basic = basic.await.unwrap();
    basic.oauth(401, "invalid_client");
    assert!(!basic.head("www-authenticate").is_empty(), "AS-030");

    let other_id = rival.client_id().to_string();
    let assertion = robot.new_client_assertion().await.unwrap().sign(&robot.folder.signing).unwrap();
    let mixed = [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", &assertion), ("client_id", &other_id)];
    form(&robot, &credentials, &mixed).await.oauth(401, "invalid_client");
    let assertion = robot.new_client_assertion().await.unwrap().sign(&robot.folder.signing).unwrap();
    let untyped = [("client_assertion_type", "urn:other"), ("client_assertion", assertion.as_str())];
    form(&robot, &credentials, &untyped).await.oauth(401, "invalid_client");
}

#[tokio::test]
async fn as_022_028_029_the_certificate_must_be_the_clients_own() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let credentials = [("grant_type", "client_credentials"), ("scope", "accounts")];
    for protocol in [Protocol::Any, Protocol::Http1] {
        let naked = robot.with_certificate(None, protocol).unwrap();
        naked.request_token(&credentials).await.unwrap().oauth(401, "invalid_client");
        let disguised = robot.with_certificate(Some(&rival.folder.identity), protocol).unwrap();
        disguised.request_token(&credentials).await.unwrap().oauth(401, "invalid_client");
        let disguised = rival.with_certificate(Some(&robot.folder.identity), protocol).unwrap();
        disguised.request_token(&credentials).await.unwrap().oauth(401, "invalid_client");
    }
}

#[tokio::test]
async fn as_030_all_failures_read_alike() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let foreign = SigningKey::generate().unwrap();
    let wrong_key = assertion_token(&tpp, &tpp.new_client_assertion().await.unwrap().sign(&foreign).unwrap()).await;
    let unknown = tpp.new_client_assertion().await.unwrap().claim("iss", "nobody").claim("sub", "nobody");
    let unknown = assertion_token(&tpp, &unknown.sign(&foreign).unwrap()).await;
    let disguised = tpp.with_certificate(Some(&bank.tpp("rival").folder.identity), Protocol::Any).unwrap();
    let wrong_certificate = disguised.request_token(&[("grant_type", "client_credentials")]).await.unwrap();
    assert_eq!(wrong_key.body, unknown.body);
    assert_eq!(wrong_key.body, wrong_certificate.body);
    wrong_key.oauth(401, "invalid_client");
}

async fn refused(tpp: &Tpp, assertion: &str, what: &str) {
    let answer = assertion_token(tpp, assertion).await;
    assert_eq!(answer.status, 401, "{what}: {}", answer.text());
    answer.oauth(401, "invalid_client");
}

async fn assertion_token(tpp: &Tpp, assertion: &str) -> HttpExchange {
    let credentials = [("grant_type", "client_credentials"), ("scope", "accounts")];
    form(tpp, &credentials, &[("client_assertion_type", ASSERTION_TYPE), ("client_assertion", assertion)]).await
}

async fn form(tpp: &Tpp, fields: &[(&str, &str)], more: &[(&str, &str)]) -> HttpExchange {
    let url = tpp.discovery().await.unwrap().token_endpoint.clone();
    tpp.send(HttpCall::post(url).with_form(fields.iter().chain(more).map(|(name, value)| (*name, *value))))
        .await
        .unwrap()
}

/// The old trick: the public key, which everybody has, as the secret of an HMAC.
fn hs256(jwt: &Jwt, tpp: &Tpp) -> String {
    let public = tpp.folder.signing.public().to_jwk(&[]).to_string();
    let key = hmac::Key::new(hmac::HMAC_SHA256, public.as_bytes());
    jwt.clone().header("alg", "HS256").sign_with(|message| hmac::sign(&key, message).as_ref().to_vec())
}

/// A key the attacker brings along. Source: AS-010.
fn with_own_key(jwt: &Jwt, key: &SigningKey) -> String {
    jwt.clone().header("jwk", key.public().to_jwk(&[])).header("kid", key.id().as_str()).sign(key).unwrap()
}
