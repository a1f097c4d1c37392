//! Pushed requests of the client, and attempts of others to use a reference that they found.

use super::*;
use crate::authorisation::rules::RawRequest;
use crate::authorisation::testing::{ACME_KEY, Answer, ISSUER, RIVAL_KEY, World, raw, signed};
use crate::authorisation::{AuthorisationReply, handle_authorisation_request};
use crate::endpoints::OAuthEndpoint;
use crate::error::OAuthErrorCode::{self, *};
use crate::testing::{Leaf, Tpp};
use lombard_jose::{SigningKey, base64url, sha256};
use serde_json::{Value, json};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// The claims of a good pushed request: as in the browser, and with a challenge.
async fn claims(world: &World, client: &str) -> Value {
    let mut claims = world.claims(client, &world.consent(client).await);
    claims["code_challenge"] = json!(base64url(&sha256(VERIFIER.as_bytes()).0));
    claims["code_challenge_method"] = json!("S256");
    claims
}

/// Pushes these parameters as this client, which proves itself with a fresh assertion.
async fn push_form(world: &World, client: &str, parameters: &[(&str, &str)]) -> Result<PushedResponse, OAuthError> {
    let now = world.clock_seconds();
    let jti = base64url(&world.auth.context.ids.random_secret());
    let claims = json!({"iss": client, "sub": client, "aud": ISSUER, "exp": now + 60, "jti": jti});
    push_with(world, &signed(key_of(client), &claims), parameters).await
}

async fn push_with(world: &World, assertion: &str, parameters: &[(&str, &str)]) -> Result<PushedResponse, OAuthError> {
    let form = Tpp::form_with(assertion, parameters);
    let certificate = Leaf::obwac("0015800001041RHAAY").certificate();
    let endpoint = OAuthEndpoint::PushedAuthorization;
    let request =
        clients::ClientRequest { endpoint, form: &form, authorization_header: false, certificate: Some(&certificate) };
    let authenticated = clients::authenticate_client(&world.auth, &request).await.unwrap();
    push_request(&world.auth, authenticated, &form).await
}

async fn push_claims(world: &World, client: &str, claims: &Value) -> Result<PushedResponse, OAuthError> {
    push_form(world, client, &[("request", &signed(key_of(client), claims))]).await
}

fn key_of(client: &str) -> &'static SigningKey {
    if client == "rival" { &RIVAL_KEY } else { &ACME_KEY }
}

/// Sends a browser with a reference.
async fn open(world: &World, client: &str, reference: &str) -> AuthorisationReply {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    let encoded = form.append_pair("client_id", client).append_pair("request_uri", reference).finish();
    handle_authorisation_request(&world.auth, &RawRequest { encoded }).await
}

fn stayed(reply: AuthorisationReply) -> (&'static str, OAuthErrorCode) {
    match reply {
        AuthorisationReply::ErrorPage(problem) => (problem.rule, problem.error.code),
        other => panic!("did not stay: {other:?}"),
    }
}

fn left(reply: AuthorisationReply) -> Answer {
    match reply {
        AuthorisationReply::Redirect(redirect) => Answer::read(&redirect),
        other => panic!("did not leave: {other:?}"),
    }
}

#[tokio::test]
async fn as_151_a_push_is_answered_with_a_reference_nobody_can_guess() {
    let world = World::new().await;
    let request = claims(&world, "acme").await;
    let first = push_claims(&world, "acme", &request).await.unwrap();
    let second = push_claims(&world, "acme", &request).await.unwrap();
    assert_ne!(first.request_uri, second.request_uri);
    let random = first.request_uri.strip_prefix("urn:ietf:params:oauth:request_uri:").unwrap();
    assert_eq!(lombard_jose::from_base64url(random).unwrap().len(), 32);
    assert!((60..=600).contains(&first.expires_in));
}

#[tokio::test]
async fn as_151_what_would_be_refused_in_the_browser_is_refused_at_once() {
    let world = World::new().await;
    let good = claims(&world, "acme").await;
    let with = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        signed(&ACME_KEY, &claims)
    };
    let mut unproven = good.clone();
    for name in ["code_challenge", "code_challenge_method"] {
        unproven[name] = Value::Null;
    }
    let foreign = world.consent("rival").await;
    let intent = json!({"id_token": {"openbanking_intent_id": {"essential": true, "value": foreign.as_str()}}});
    for (what, request, code) in [
        ("AS-151: no PKCE", signed(&ACME_KEY, &unproven), InvalidRequest),
        ("PKCE without challenge", with("code_challenge", Value::Null), InvalidRequest),
        ("PKCE plain", with("code_challenge_method", json!("plain")), InvalidRequest),
        ("a reference inside", with("request_uri", json!("urn:x")), InvalidRequestObject),
        ("AS-064: a foreign address", with("redirect_uri", json!("https://evil.test")), InvalidRequest),
        ("AS-064: no address", with("redirect_uri", Value::Null), InvalidRequest),
        ("AS-066: too long", "x".repeat(12 * 1024 + 1), InvalidRequest),
        ("AS-070: another client's key", signed(&RIVAL_KEY, &good), InvalidRequestObject),
        ("AS-070: no token", "hello".to_owned(), InvalidRequestObject),
        ("AS-072: a bad aud", with("aud", json!("https://evil.test")), InvalidRequestObject),
        ("AS-073: expired", with("exp", json!(world.clock_seconds())), InvalidRequestObject),
        ("AS-062: another client inside", with("client_id", json!("rival")), InvalidRequest),
        ("AS-067: prompt none", with("prompt", json!("none")), LoginRequired),
        ("AS-078: another client's consent", with("claims", intent), InvalidRequest),
    ] {
        let refused = push_form(&world, "acme", &[("request", &request)]).await.unwrap_err();
        assert_eq!(refused.code, code, "{what}");
    }
    let request = with("x", json!(1));
    for (what, parameters) in [
        ("no request", &[][..]),
        ("a reference", &[("request_uri", "urn:ietf:params:oauth:request_uri:x")]),
        ("both", &[("request", request.as_str()), ("request_uri", "https://tpp.test/request")]),
        ("AS-062: another response type outside", &[("request", &request), ("response_type", "code")]),
    ] {
        assert_eq!(push_form(&world, "acme", parameters).await.unwrap_err().code, InvalidRequest, "{what}");
    }
}

#[tokio::test]
async fn as_026_a_refused_push_spends_its_assertion_too() {
    let world = World::new().await;
    let now = world.clock_seconds();
    let claims = json!({"iss": "acme", "sub": "acme", "aud": ISSUER, "exp": now + 60, "jti": "once"});
    let assertion = signed(&ACME_KEY, &claims);
    assert_eq!(push_with(&world, &assertion, &[]).await.unwrap_err().code, InvalidRequest);
    assert_eq!(push_with(&world, &assertion, &[]).await.unwrap_err().code, InvalidClient);
}

#[tokio::test]
async fn as_152_a_reference_is_used_at_the_decision_and_not_by_opening_it() {
    let world = World::new().await;
    let pushed = push_claims(&world, "acme", &claims(&world, "acme").await).await.unwrap();
    for _ in 0..2 {
        assert!(matches!(open(&world, "acme", &pushed.request_uri).await, AuthorisationReply::Journey(_)));
    }
    let request = claims(&world, "robot").await;
    let [first, second] = [0; 2].map(|_| push_claims(&world, "robot", &request));
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    let answer = left(open(&world, "robot", &first.request_uri).await);
    assert!(answer.value("code").is_some() && answer.value("state") == request["state"].as_str());
    for (what, reference) in [("used", first), ("the same request pushed twice", second)] {
        let answer = left(open(&world, "robot", &reference.request_uri).await);
        assert_eq!(answer.error(), Some("invalid_request_uri"), "{what}");
    }
    let by_value = raw("robot", &signed(&ACME_KEY, &request), &[]);
    let again = left(handle_authorisation_request(&world.auth, &by_value).await);
    assert_eq!(again.error(), Some("invalid_request_object"), "AS-080");
}

#[tokio::test]
async fn as_152_an_unknown_foreign_or_expired_reference_stays_on_a_page() {
    let world = World::new().await;
    let pushed = push_claims(&world, "acme", &claims(&world, "acme").await).await.unwrap();
    let reference = pushed.request_uri.as_str();
    let unknown = format!("{REFERENCE_PREFIX}unknown");
    assert_eq!(stayed(open(&world, "rival", reference).await), ("AS-152", InvalidRequestUri));
    assert_eq!(stayed(open(&world, "acme", &unknown).await), ("AS-152", InvalidRequestUri));
    let elsewhere = open(&world, "acme", "https://tpp.test/request").await;
    assert_eq!(stayed(elsewhere), ("AS-063", RequestUriNotSupported));
    let nobodys = open(&world, "nobody", reference).await;
    assert_eq!(stayed(nobodys), ("AS-152", InvalidRequestUri), "AS-064: nothing tells which clients exist");

    world.clock.advance(SignedDuration::from_secs(pushed.expires_in - 1));
    assert!(matches!(open(&world, "acme", reference).await, AuthorisationReply::Journey(_)));
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(stayed(open(&world, "acme", reference).await), ("AS-152", InvalidRequestUri));
}

#[tokio::test]
async fn as_152_a_reference_outlives_the_request_object_and_is_still_used_once() {
    let world = World::new().await;
    let mut request = claims(&world, "robot").await;
    request["exp"] = json!(world.clock_seconds() + 5);
    let pushed = push_claims(&world, "robot", &request).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(30));
    assert!(left(open(&world, "robot", &pushed.request_uri).await).value("code").is_some());
    let wall = world.auth.context.clocks.wall_now();
    world.auth.context.store.write(move |tx| tx.ended_purge(wall, 1_000)).await.unwrap();
    assert_eq!(left(open(&world, "robot", &pushed.request_uri).await).error(), Some("invalid_request_uri"));
}

#[tokio::test]
async fn as_063_a_request_comes_by_value_or_by_reference() {
    let world = World::new().await;
    let request = claims(&world, "acme").await;
    let pushed = push_claims(&world, "acme", &request).await.unwrap();
    let both = raw("acme", &signed(&ACME_KEY, &request), &[("request_uri", &pushed.request_uri)]);
    assert_eq!(left(handle_authorisation_request(&world.auth, &both).await).error(), Some("invalid_request"));
}
