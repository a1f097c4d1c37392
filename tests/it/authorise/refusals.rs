//! Error responses by redirect, and their codes. Source: AS-060 to AS-086.

use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, Tpp};
use serde_json::{Value, json};

#[tokio::test]
async fn as_061_to_086_a_verified_but_invalid_request_is_redirected_with_error() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let now = bank.now().as_second();
    let token_endpoint = tpp.discovery().await.unwrap().token_endpoint.clone();
    let cases: Vec<(&str, &str, Value, &[&str])> = vec![
        ("AS-072: the token endpoint", "aud", json!(token_endpoint), &["invalid_request_object"]),
        ("AS-081: exp in text", "exp", json!((now + 60).to_string()), &["invalid_request_object"]),
        ("AS-073: nbf in the future", "nbf", json!(now + 90), &["invalid_request_object"]),
        ("AS-181: iat in the future", "iat", json!(now + 90), &["invalid_request_object"]),
        ("AS-074: no iss", "iss", Value::Null, &["invalid_request_object"]),
        ("AS-074: another iss", "iss", json!("nobody"), &["invalid_request_object"]),
        ("AS-051: no openid", "scope", json!("accounts"), &["invalid_scope"]),
        ("AS-051: not the consent's scope", "scope", json!("openid payments"), &["invalid_scope"]),
        ("AS-051: an unknown scope", "scope", json!("openid accounts admin"), &["invalid_scope"]),
        ("AS-076: a nonce too long", "nonce", json!("n".repeat(2_049)), &["invalid_request"]),
        ("AS-063: a request inside", "request", json!("x"), &["invalid_request_object"]),
        ("AS-063: a request_uri inside", "request_uri", json!("urn:x"), &["invalid_request_object"]),
        ("AS-067: prompt none", "prompt", json!("none"), &["login_required", "consent_required"]),
        ("AS-067: an unknown prompt", "prompt", json!("maybe"), &["invalid_request"]),
        ("AS-077: no claims", "claims", Value::Null, &["invalid_request"]),
        ("AS-077: no intent", "claims", json!({"id_token": {}}), &["invalid_request"]),
        ("AS-077: an intent that is a number", "claims", intent(json!(1)), &["invalid_request"]),
        ("AS-078: an unknown intent", "claims", intent(json!("nothing")), &["invalid_request"]),
        ("AS-150: plain PKCE", "code_challenge", json!("x".repeat(43)), &["invalid_request"]),
    ];
    for (what, claim, value, errors) in cases {
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap().claim(claim, value);
        let channel = refused(&tpp, &request, what).await;
        assert!(errors.contains(&channel.error.as_deref().unwrap_or_default()), "{what}: {channel:?}");
        let state = tpp.get(&own, &format!("aisp/account-access-consents/{consent}")).await.unwrap().ok(200);
        assert_eq!(state["Data"]["Status"], "AwaitingAuthorisation", "{what}");
    }
}

#[tokio::test]
async fn as_062_063_066_outer_parameters_are_checked_against_the_signed_ones() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    for (name, value, error) in [
        ("response_type", "code", "invalid_request"),
        ("request_uri", "https://tpp.example/r", "invalid_request"),
        ("registration", "{}", "registration_not_supported"),
    ] {
        let channel = refused(&tpp, &request.clone().parameter(name, value), name).await;
        assert_eq!(channel.error.as_deref(), Some(error), "{name}");
    }
}

#[tokio::test]
async fn as_086_rw_036_rw_044_other_response_types_never_get_a_code() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    for kind in ["code", "token", "id_token", "code token", "code id_token token"] {
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let request = request.claim("response_type", kind).parameter("response_type", kind);
        let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
        let location = answer.head("location").to_owned();
        let known = ["unsupported_response_type", "unauthorized_client", "invalid_request"];
        assert!(known.iter().any(|error| location.contains(&format!("error={error}"))), "{kind}: {location}");
        assert!(!location.contains("code="), "{kind}: {location}");
    }
}

#[tokio::test]
async fn as_078_another_tpps_consent_reads_like_an_unknown_one() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let own = rival.client_credentials("accounts").await.unwrap().access_token;
    let foreign = rival.consent_create(&own, &EVERYTHING).await.unwrap();
    let foreign = tpp.new_authorisation_request(&foreign, "accounts").await.unwrap();
    let unknown = tpp.new_authorisation_request("unknown", "accounts").await.unwrap();
    let foreign = refused(&tpp, &foreign, "foreign").await;
    let unknown = refused(&tpp, &unknown, "unknown").await;
    assert_eq!((&foreign.error, &foreign.error_description), (&unknown.error, &unknown.error_description));
    assert_eq!(foreign.error.as_deref(), Some("invalid_request"));
}

#[tokio::test]
async fn as_130_rw_307_only_consents_awaiting_or_in_force_start_a_journey() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let new = async || tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let deleted = new().await;
    let rejected = new().await;
    tpp.delete(&own, &format!("aisp/account-access-consents/{deleted}")).await.unwrap().ok(204);
    let order = json!({"psu": "amelia", "decision": "reject"});
    let (status, answer) = bank.ops_post(&format!("/sandbox/consents/{rejected}/authorise"), &order).await;
    assert_eq!(status, 200, "{answer}");
    let end = bank.now() + jiff::SignedDuration::from_mins(1);
    let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
    let expired = tpp.consent_post(&own, &body).await.unwrap().text_at("/Data/ConsentId").unwrap();
    bank.clock.advance(jiff::SignedDuration::from_mins(1));
    for (what, consent) in [("deleted", deleted), ("rejected", rejected), ("expired", expired)] {
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let channel = refused(&tpp, &request, what).await;
        assert_eq!(channel.error.as_deref(), Some("invalid_request"), "AS-078: {what}");
    }
    // Access that the customer stopped may be given again: the consent itself stays Authorised (AIS-071).
    let authorised = new().await;
    for time in ["awaiting", "authorised", "stopped"] {
        if time == "stopped" {
            let path = format!("/sandbox/consents/{authorised}/revoke");
            let (status, answer) = bank.ops_post(&path, &Value::Null).await;
            assert_eq!(status, 200, "{answer}");
        }
        let request = tpp.new_authorisation_request(&authorised, "accounts").await.unwrap();
        let channel = tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.expect_code(&request.state).is_ok(), "{time}: {channel:?}");
    }
}

#[tokio::test]
async fn as_080_a_request_object_is_answered_once() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    tpp.authorise_headless(&request).await.unwrap().expect_code(&request.state).unwrap();
    let channel = refused(&tpp, &request, "again").await;
    assert_eq!(channel.error.as_deref(), Some("invalid_request_object"));
}

fn intent(value: Value) -> Value {
    json!({"id_token": {"openbanking_intent_id": {"essential": true, "value": value}}})
}

/// The error that came back to the TPP, with its state and in the fragment. Source: AS-065.
async fn refused(tpp: &Tpp, request: &AuthorisationRequest, what: &str) -> AuthorisationResponse {
    let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
    answer.decent();
    assert_eq!(answer.status, 302, "{what}: {}", answer.text());
    let channel = AuthorisationResponse::parse_redirect(&answer, tpp.redirect_uri().unwrap());
    let channel = channel.unwrap_or_else(|error| panic!("{what}: {error}: {}", answer.head("location")));
    assert_eq!(channel.state.as_deref(), Some(request.state.as_str()), "AS-065: {what}");
    assert!(channel.error.is_some() && channel.code.is_none(), "{what}: {channel:?}");
    channel
}
