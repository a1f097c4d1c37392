//! Requests that break a rule. Source: AS-160.

use super::{Asking, decide, hint, reach_decision};
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, rs256};
use lombard_jose::SigningKey;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

async fn refused(asking: &Asking, signed: &str, error: &str, what: &str) {
    let answer = asking.tpp.send_backchannel_request(signed).await.unwrap();
    assert_eq!(answer.json().unwrap()["error"], error, "{what}: {}", answer.text());
    answer.oauth(400, error);
}

#[tokio::test]
async fn as_160_a_request_that_breaks_a_rule_is_refused_and_asks_nobody() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let now = bank.now().as_second();
        // CIBA Core section 13 lists no invalid_request_object.
        let object = "invalid_request";
        let cases: Vec<(&str, Value, &str)> = vec![
            ("aud", json!("https://other.example"), object),
            ("aud", Value::Null, object),
            ("iss", json!("nobody"), object),
            ("iss", Value::Null, object),
            ("client_id", json!("nobody"), object),
            ("exp", json!(now), object),
            ("exp", Value::Null, object),
            ("exp", json!((now + 60).to_string()), object),
            ("exp", json!(now + 3_601), object),
            ("nbf", Value::Null, object),
            ("nbf", json!(now - 3_600), object),
            ("nbf", json!(now + 90), object),
            ("iat", Value::Null, object),
            ("jti", Value::Null, object),
            ("request", json!("x"), object),
            ("openbanking-intent-id", Value::Null, "invalid_request"),
            ("openbanking-intent-id", json!(1), "invalid_request"),
            ("openbanking-intent-id", json!("nothing"), "invalid_request"),
            ("openbanking_intent_id", json!("other"), "invalid_request"),
            ("scope", Value::Null, "invalid_request"),
            ("scope", json!("accounts"), "invalid_scope"),
            ("scope", json!("openid payments"), "invalid_scope"),
            ("scope", json!("openid accounts admin"), "invalid_scope"),
            ("binding_message", json!("m".repeat(65)), "invalid_binding_message"),
            ("binding_message", json!(""), "invalid_binding_message"),
            ("binding_message", json!("a\nb"), "invalid_binding_message"),
            ("binding_message", json!("PAY \u{202E}001\u{202C}"), "invalid_binding_message"),
            ("binding_message", json!("\u{200B}"), "invalid_binding_message"),
            ("binding_message", json!("A\u{2066}B"), "invalid_binding_message"),
            ("binding_message", json!("A\u{E0041}"), "invalid_binding_message"),
            ("requested_expiry", json!(0), "invalid_request"),
            ("requested_expiry", json!("soon"), "invalid_request"),
        ];
        for (claim, value, error) in cases {
            let request = asking.request().await.claim(claim, value.clone());
            let signed = request.sign(&asking.tpp.folder.signing).unwrap();
            refused(&asking, &signed, error, &format!("{claim} {value}")).await;
        }
        assert_eq!(asking.status().await, "AwaitingAuthorisation");
        // The other writing of the claim is accepted.
        let other = asking.request().await.claim("openbanking-intent-id", Value::Null);
        let other = other.claim("openbanking_intent_id", asking.consent.as_str());
        asking.tpp.ask_over_backchannel(&other).await.unwrap();
    }
}

#[tokio::test]
async fn as_160_a_request_that_the_client_did_not_sign_is_refused() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let request = asking.request().await;
    let key = &asking.tpp.folder.signing;
    let foreign = SigningKey::generate().unwrap();
    let rival = bank.tpp("rival").folder.signing.clone();
    let forged = [
        ("alg none", request.clone().header("alg", "none").sign_with(|_| Vec::new())),
        ("no signature", request.sign_with(|_| Vec::new())),
        ("RS256", request.clone().header("alg", "RS256").sign_with(|message| rs256(key, message))),
        ("a key of nobody", request.sign(&foreign).unwrap()),
        ("a key of another client", request.sign(&rival).unwrap()),
        ("no JWS", "nonsense".to_owned()),
        ("too large", "x".repeat(13 * 1024)),
    ];
    for (what, forged) in forged {
        let answer = asking.tpp.send_backchannel_request(&forged).await.unwrap();
        assert_eq!(answer.status, 400, "{what}: {}", answer.text());
        let error = answer.json().unwrap()["error"].as_str().unwrap().to_owned();
        assert_eq!(error, "invalid_request", "{what}");
    }
    // Parameters beside the signed request are refused, as is a request without any.
    let url = asking.tpp.discovery().await.unwrap().backchannel_authentication_endpoint.clone().unwrap();
    for fields in [vec![("scope", "openid accounts"), ("openbanking-intent-id", "x")], vec![]] {
        let mut form = asking.tpp.authentication().await.unwrap();
        form.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        let call = HttpCall::post(&url).with_form(form.iter().map(|(name, value)| (name, value)));
        asking.tpp.send(call).await.unwrap().oauth(400, "invalid_request");
    }
    assert_eq!(asking.status().await, "AwaitingAuthorisation");
}

#[tokio::test]
async fn as_160_a_client_that_is_not_registered_for_it_is_refused() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::of(bank.tpp("rival")).await;
        let signed = asking.request().await.sign(&asking.tpp.folder.signing).unwrap();
        asking.tpp.send_backchannel_request(&signed).await.unwrap().oauth(400, "unauthorized_client");
        asking.tpp.poll_backchannel("anything").await.unwrap().oauth(400, "unauthorized_client");
    }
}

#[tokio::test]
async fn as_028_without_a_certificate_or_proof_nothing_is_looked_at() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let signed = asking.request().await.sign(&asking.tpp.folder.signing).unwrap();
    let url = asking.tpp.discovery().await.unwrap().backchannel_authentication_endpoint.clone().unwrap();
    let unknown = [("client_id", asking.tpp.client_id().as_str()), ("request", signed.as_str())];
    asking.tpp.send(HttpCall::post(&url).with_form(unknown)).await.unwrap().oauth(401, "invalid_client");
    asking.tpp.send(HttpCall::get(&url)).await.unwrap().oauth(405, "invalid_request");
}

#[tokio::test]
async fn as_160_a_consent_has_one_live_request() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        let second = asking.request().await.sign(&asking.tpp.folder.signing).unwrap();
        refused(&asking, &second, "invalid_request", "a second request").await;
        // Of many at once one is accepted.
        let other = Asking::of(bank.tpp("acme")).await;
        let calls = (0..8).map(|_| async {
            let signed = other.request().await.sign(&other.tpp.folder.signing).unwrap();
            other.tpp.send_backchannel_request(&signed).await.unwrap().status == 200
        });
        let accepted = futures_util::future::join_all(calls).await;
        assert_eq!(accepted.iter().filter(|accepted| **accepted).count(), 1);
        // A journey in the TPP's browser takes the place of the request.
        let request = asking.tpp.new_authorisation_request(&asking.consent, "accounts").await.unwrap();
        let mut browser = crate::harness::Browser::new(&asking.tpp);
        browser.open(&request.url(&asking.tpp.folder.signing).unwrap()).await;
        asking.is_told(&answer, "access_denied").await;
        asking.ask("amelia").await;
    }
}

#[tokio::test]
async fn as_160_a_client_asks_a_customer_at_most_five_times_at_once() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    asking.ask("amelia").await;
    let hint = json!(hint(&json!({"sub": "amelia"})));
    let mut answers = Vec::new();
    let mut consents = Vec::new();
    for _ in 0..5 {
        let consent = asking.tpp.consent_create(&asking.own, &EVERYTHING).await.unwrap();
        let request = asking.tpp.backchannel_request(&consent, "accounts").await.unwrap();
        let signed = request.claim("login_hint_token", hint.clone()).sign(&asking.tpp.folder.signing).unwrap();
        answers.push(asking.tpp.send_backchannel_request(&signed).await.unwrap());
        if answers.len() < 5 {
            consents.push(consent);
        }
    }
    let last = answers.pop().unwrap();
    assert!(answers.iter().all(|answer| answer.status == 200));
    last.oauth(403, "access_denied");
    // A consent that has ended gives its place back.
    let path = format!("aisp/account-access-consents/{}", consents.pop().unwrap());
    asking.tpp.delete(&asking.own, &path).await.unwrap();
    Asking::of(asking.tpp.clone()).await.ask("amelia").await;
    // Others are asked, and she again once she has decided.
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    decide(&mut visitor, &page, "refuse").await;
    Asking::new(&bank).await.ask("amelia").await;
    Asking::new(&bank).await.ask("bashir").await;
}
