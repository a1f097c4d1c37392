//! Whom a TPP names. Source: AS-161.

use super::{Asking, decide, hint, reach_decision};
use crate::apps::Visitor;
use crate::harness::{Bank, Engine, ExchangeExt};
use lombard_jose::SigningKey;
use lombard_tpp::Jwt;
use serde_json::{Value, json};

/// A request with this claim, or without it.
async fn answered(asking: &Asking, claims: &[(&str, Value)], error: &str) {
    let mut request = asking.request().await;
    for (name, value) in claims {
        request = request.claim(name, value.clone());
    }
    let signed = request.sign(&asking.tpp.folder.signing).unwrap();
    // Source: CIBA Core section 13.
    let status = if error == "access_denied" { 403 } else { 400 };
    asking.tpp.send_backchannel_request(&signed).await.unwrap().oauth(status, error);
}

#[tokio::test]
async fn as_161_what_names_nobody_or_in_another_way_is_refused() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let now = bank.now().as_second();
        let token = |claims: Value| json!(hint(&claims));
        let foreign = Jwt::ps256("x", json!({"sub": "amelia"}).as_object().cloned().unwrap());
        let forged = foreign.sign(&SigningKey::generate().unwrap()).unwrap();
        let cases = [
            ("login_hint_token", token(json!({"sub": "nobody"})), "unknown_user_id"),
            ("login_hint_token", token(json!({"email": "amelia@example.com"})), "invalid_request"),
            ("login_hint_token", token(json!({"phone_number": "+440000"})), "invalid_request"),
            ("login_hint_token", token(json!({"ephemeral_sub": "1"})), "invalid_request"),
            ("login_hint_token", token(json!({"sub": "amelia", "email": "a@b"})), "invalid_request"),
            ("login_hint_token", token(json!({"sub": ""})), "invalid_request"),
            ("login_hint_token", token(json!({"sub": 1})), "invalid_request"),
            ("login_hint_token", token(json!({})), "invalid_request"),
            ("login_hint_token", token(json!({"sub": "amelia", "exp": now})), "expired_login_hint_token"),
            ("login_hint_token", json!(forged), "invalid_request"),
            ("login_hint_token", json!("nonsense"), "invalid_request"),
            ("login_hint_token", json!(1), "invalid_request"),
            ("login_hint", json!("amelia"), "invalid_request"),
            ("id_token_hint", json!(forged), "invalid_request"),
        ];
        for (name, value, error) in cases {
            answered(&asking, &[(name, value.clone())], error).await;
        }
        let both = [("login_hint_token", token(json!({"sub": "amelia"}))), ("id_token_hint", json!("x"))];
        answered(&asking, &both, "invalid_request").await;
        assert_eq!(asking.status().await, "AwaitingAuthorisation");
    }
}

#[tokio::test]
async fn as_161_a_hint_that_the_client_signed_is_accepted() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let claims = json!({"sub": "amelia", "exp": bank.now().as_second() + 60}).as_object().cloned().unwrap();
    let signed = Jwt::ps256(&asking.tpp.folder.details.signing_kid, claims).sign(&asking.tpp.folder.signing).unwrap();
    let request = asking.request().await.claim("login_hint_token", signed);
    let answer = asking.tpp.ask_over_backchannel(&request).await.unwrap();
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    decide(&mut visitor, &page, "approve").await;
    asking.tokens(&answer).await;
}

#[tokio::test]
async fn as_131_a_consent_of_one_customer_is_not_put_to_another() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let answer = asking.ask("amelia").await;
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    decide(&mut visitor, &page, "approve").await;
    asking.tokens(&answer).await;
    let bashir = hint(&json!({"sub": "bashir"}));
    answered(&asking, &[("login_hint_token", json!(bashir))], "access_denied").await;
    // Without a hint, the customer who gave it is asked.
    asking.tpp.ask_over_backchannel(&asking.request().await).await.unwrap();
    let list = visitor.at("requests").await;
    assert!(list.exchange.text().contains("Acme Limited"), "{}", list.exchange.text());
    let mut other = Visitor::new(&bank);
    other.log_in("bashir").await;
    assert!(other.at("requests").await.exchange.text().contains("No application asks you now"));
}
