//! Pushed authorisation requests. Source: AS-151, AS-152.

use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use jiff::SignedDuration;
use lombard_jose::{base64url, sha256};
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, HttpCall, HttpExchange, IssuedTokens, Tpp};
use serde_json::{Value, json};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// A good request to push: with proof that whoever exchanges the code made it.
pub(crate) async fn request(tpp: &Tpp) -> AuthorisationRequest {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let challenge = base64url(&sha256(VERIFIER.as_bytes()).0);
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    request.claim("code_challenge", challenge).claim("code_challenge_method", "S256")
}

pub(crate) async fn endpoint(tpp: &Tpp) -> String {
    let document = tpp.send(HttpCall::get(&tpp.endpoints.well_known)).await.unwrap().ok(200);
    document["pushed_authorization_request_endpoint"].as_str().unwrap().to_owned()
}

/// Pushes these parameters with the TPP's own client authentication.
async fn push(tpp: &Tpp, parameters: &[(&str, &str)]) -> HttpExchange {
    let mut form = tpp.authentication().await.unwrap();
    form.extend(parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    tpp.send(HttpCall::post(endpoint(tpp).await).with_form(form)).await.unwrap()
}

pub(crate) async fn pushed(tpp: &Tpp, request: &AuthorisationRequest) -> HttpExchange {
    push(tpp, &[("request", &request.object.sign(&tpp.folder.signing).unwrap())]).await
}

/// The reference a push was answered with.
pub(crate) fn reference(answer: &HttpExchange) -> String {
    answer.ok(201)["request_uri"].as_str().unwrap().to_owned()
}

/// Opens the authorisation endpoint with a reference in place of a request.
pub(crate) async fn open(tpp: &Tpp, reference: &str) -> HttpExchange {
    let mut url: url::Url = tpp.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
    url.query_pairs_mut().append_pair("client_id", tpp.client_id().as_str()).append_pair("request_uri", reference);
    tpp.open_authorisation(url.as_str()).await.unwrap()
}

fn back(tpp: &Tpp, answer: &HttpExchange) -> AuthorisationResponse {
    AuthorisationResponse::parse_redirect(answer, tpp.redirect_uri().unwrap()).unwrap()
}

#[tokio::test]
async fn as_151_152_a_reference_stands_for_the_request_once() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let request = request(&tpp).await;
        let answer = pushed(&tpp, &request).await;
        let body = answer.ok(201);
        assert!(answer.head("cache-control").contains("no-store"));
        assert!((60..=600).contains(&body["expires_in"].as_i64().unwrap()), "{body}");
        assert!(body["request_uri"].as_str().unwrap().starts_with("urn:ietf:params:oauth:request_uri:"));
        assert_eq!(body.as_object().unwrap().len(), 2);

        let channel = back(&tpp, &open(&tpp, &reference(&answer)).await);
        let (code, _) = channel.expect_code(&request.state).unwrap();
        let redirect_uri = tpp.redirect_uri().unwrap();
        let fields = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
        for (what, verifier) in [("missing", None), ("wrong", Some("x".repeat(43)))] {
            let mut fields = fields.to_vec();
            fields.extend(verifier.as_deref().map(|verifier| ("code_verifier", verifier)));
            let refused = tpp.request_token(&fields).await.unwrap();
            assert_eq!(refused.json().unwrap()["error"], "invalid_grant", "AS-150: {what} verifier");
        }
        let mut fields = fields.to_vec();
        fields.push(("code_verifier", VERIFIER));
        IssuedTokens::from_exchange(tpp.request_token(&fields).await.unwrap()).unwrap();

        let again = back(&tpp, &open(&tpp, &reference(&answer)).await);
        assert_eq!((again.error.as_deref(), again.code), (Some("invalid_request_uri"), None), "AS-152: reuse");
    }
}

#[tokio::test]
async fn as_152_a_foreign_or_expired_reference_is_an_error_page() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let answer = pushed(&tpp, &request(&tpp).await).await;
    let page = |answer: HttpExchange, what: &str| {
        answer.decent();
        assert_eq!((answer.status.as_u16(), answer.header("location")), (400, None), "{what}");
        assert!(answer.head("content-type").starts_with("text/html"), "{what}");
    };
    page(open(&rival, &reference(&answer)).await, "another client's");
    page(open(&tpp, "urn:ietf:params:oauth:request_uri:unknown").await, "unknown");
    page(open(&tpp, "https://tpp.example/request").await, "AS-063: not ours");
    bank.clock.advance(SignedDuration::from_secs(answer.ok(201)["expires_in"].as_i64().unwrap()));
    page(open(&tpp, &reference(&answer)).await, "expired");
}

#[tokio::test]
async fn as_151_a_bad_push_is_answered_in_json() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let now = bank.now().as_second();
    let good = request(&tpp).await;
    for (what, claim, value, error) in [
        ("no challenge", "code_challenge", json!(""), "invalid_request"),
        ("AS-074: no nonce", "nonce", Value::Null, "invalid_request"),
        ("AS-051: no openid", "scope", json!("accounts"), "invalid_scope"),
        ("AS-073: expired", "exp", json!(now - 1), "invalid_request_object"),
    ] {
        let answer = pushed(&tpp, &good.clone().claim(claim, value)).await;
        assert_eq!(answer.json().unwrap()["error"], error, "{what}");
        answer.oauth(400, error);
    }
    let object = good.object.sign(&tpp.folder.signing).unwrap();
    let foreign = good.object.sign(&bank.tpp("rival").folder.signing).unwrap();
    push(&tpp, &[("request", &foreign)]).await.oauth(400, "invalid_request_object");
    push(&tpp, &[("request", &object), ("request_uri", "urn:x")]).await.oauth(400, "invalid_request");
    push(&tpp, &[]).await.oauth(400, "invalid_request");
    push(&tpp, &[("request", &"x".repeat(20_000))]).await.oauth(413, "invalid_request");
    tpp.send(HttpCall::post(endpoint(&tpp).await).with_form([("request", &object)]))
        .await
        .unwrap()
        .oauth(401, "invalid_client");
    tpp.send(HttpCall::get(endpoint(&tpp).await)).await.unwrap().oauth(405, "invalid_request");
}
