//! Modules about pushed requests and the proof key that they need.

use super::requests::{changed, url};
use super::suite::{Suite, came_of_call, reference_of};
use super::{Allowed, NOT_HERE, Row, of_assertion, row};
use crate::harness::Browser;
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use lombard_tpp::{AuthorisationRequest, HttpCall, Jwt};
use serde_json::Value;

const CREATED: Allowed = &["201"];
const CLIENT: Allowed = &["401 invalid_client"];
const GRANT: Allowed = &["400 invalid_grant"];
const PAR_INVALID: Allowed = &["par 400 invalid_request"];
const PAR_OBJECT: Allowed = &["par 400 invalid_request_object"];

pub(super) const ROWS: &[Row] = &[
    row("par-ensure-reused-request-uri-prior-to-auth-completion-succeeds", NOT_HERE, &["code"], |s| {
        Box::pin(opened_twice(s))
    }),
    row("par-attempt-reuse-request_uri", NOT_HERE, &["redirect invalid_request_uri"], |s| {
        Box::pin(async move {
            let (request, url) = pushed(s).await;
            assert_eq!(s.open(&s.first, &url, Some(&request)).await.outcome, "code");
            s.open(&s.first, &url, Some(&request)).await.outcome
        })
    }),
    row("par-attempt-to-use-expired-request_uri", NOT_HERE, &["page"], |s| {
        Box::pin(async move {
            let (_, url) = pushed(s).await;
            s.bank.clock.advance(SignedDuration::from_secs(600));
            s.open(&s.first, &url, None).await.outcome
        })
    }),
    of_assertion("par-test-pushed-authorization-url-as-audience-for-client-JWT-assertion", NOT_HERE, CREATED, |s| {
        asserted(s, |s, it| it.claim("aud", format!("{}/par", s.first.endpoints.mtls)))
    }),
    of_assertion("par-token-endpoint-url-as-audience-for-client-JWT-assertion", NOT_HERE, CREATED, |s| {
        asserted(s, |s, it| it.claim("aud", format!("{}/token", s.first.endpoints.mtls)))
    }),
    of_assertion("par-ensure-client-assertion-with-wrong-aud-fails", NOT_HERE, CLIENT, |s| {
        asserted(s, |_, it| it.claim("aud", "https://www.other1.example.com"))
    }),
    of_assertion("par-ensure-client-assertion-with-wrong-iss-fails", NOT_HERE, CLIENT, |s| {
        asserted(s, |s, it| it.claim("iss", s.second.client_id().as_str()))
    }),
    of_assertion("par-ensure-client-assertion-with-wrong-sub-fails", NOT_HERE, CLIENT, |s| {
        asserted(s, |s, it| it.claim("sub", s.second.client_id().as_str()))
    }),
    row("par-attempt-to-use-request_uri-for-different-client", NOT_HERE, &["page"], |s| {
        Box::pin(async move {
            let object = s.request(&s.first).await.object.sign(&s.first.folder.signing).unwrap();
            let reference = reference_of(&s.push(&s.first, &[("request", &object)]).await);
            s.open(&s.second, &s.url_of(&s.second, &reference, &[]).await, None).await.outcome
        })
    }),
    row("par-authorization-request-containing-request_uri-form-param", NOT_HERE, &["400 invalid_request"], |s| {
        Box::pin(async move {
            let object = s.request(&s.first).await.object.sign(&s.first.folder.signing).unwrap();
            let fields = [("request", object.as_str()), ("request_uri", "urn:ietf:params:oauth:request_uri:random")];
            came_of_call(&s.push(&s.first, &fields).await)
        })
    }),
    row("par-attempt-invalid-http-method", NOT_HERE, &["405 invalid_request"], |s| {
        Box::pin(async move {
            let url = format!("{}/par", s.first.endpoints.mtls);
            came_of_call(&s.first.send(HttpCall::get(url)).await.unwrap())
        })
    }),
    row("par-ensure-pkce-required", NOT_HERE, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("code_challenge", Value::Null).claim("code_challenge_method", Value::Null))
    }),
    row("ensure-pkce-code-verifier-required", NOT_HERE, GRANT, |s| verified(s, None)),
    row("incorrect-pkce-code-verifier-rejected", NOT_HERE, GRANT, |s| {
        verified(s, Some("M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag"))
    }),
    row("par-plain-pkce-rejected", NOT_HERE, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("code_challenge_method", "plain"))
    }),
    row("par-pushed-authorization-url-as-audience-in-request-object", NOT_HERE, PAR_OBJECT, |s| {
        changed(s, |s, it| it.claim("aud", format!("{}/par", s.first.endpoints.mtls)))
    }),
    row("par-attempt-invalid-redirect_uri", NOT_HERE, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("redirect_uri", "https://www.other1.example.com/callback"))
    }),
    row("par-authorization-request-containing-request_uri", NOT_HERE, PAR_OBJECT, |s| {
        changed(s, |_, it| it.claim("request_uri", "urn:ietf:params:oauth:request_uri:random"))
    }),
    row("par-without-duplicate-parameters", NOT_HERE, &["done"], |s| {
        Box::pin(async move {
            let tpp = &s.first;
            let request = s.request(tpp).await;
            let object = request.object.sign(&tpp.folder.signing).unwrap();
            let reference = reference_of(&s.push(tpp, &[("request", &object)]).await);
            let answer = s.open(tpp, &s.url_of(tpp, &reference, &[]).await, Some(&request)).await;
            s.complete_from(tpp, &request, &answer, s.verifier()).await;
            "done".to_owned()
        })
    }),
];

/// A good request of the first client that was pushed, and where its browser is sent.
async fn pushed(suite: &Suite) -> (AuthorisationRequest, String) {
    let tpp = &suite.first;
    let request = suite.request(tpp).await;
    let object = request.object.sign(&tpp.folder.signing).unwrap();
    let reference = reference_of(&suite.push(tpp, &[("request", &object)]).await);
    let url = suite.url_of(tpp, &reference, &request.query).await;
    (request, url)
}

/// What comes of pushing with an assertion that was changed in this way.
fn asserted(suite: &Suite, change: fn(&Suite, Jwt) -> Jwt) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let tpp = &suite.first;
        let object = suite.request(tpp).await.object.sign(&tpp.folder.signing).unwrap();
        let form = suite.assertion(tpp, |it| change(suite, it)).await;
        came_of_call(&suite.push_as(tpp, form, &[("request", &object)]).await)
    })
}

/// What comes of exchanging a code of a pushed request with this verifier.
fn verified<'a>(suite: &'a Suite, verifier: Option<&'static str>) -> BoxFuture<'a, String> {
    Box::pin(async move {
        let tpp = &suite.first;
        let mut form = suite.exchange_form(tpp, &suite.code(tpp).await, verifier);
        form.extend(tpp.authentication().await.unwrap());
        came_of_call(&tpp.request_token_with_form(&form).await.unwrap())
    })
}

/// A person opens the address, does nothing, opens it again in another browser and agrees.
async fn opened_twice(suite: &Suite) -> String {
    let tpp = &suite.asking;
    let request = suite.request(tpp).await;
    let url = url(suite, &request).await;
    Browser::new(tpp).open(&url).await.form_with("password");
    let mut browser = Browser::new(tpp);
    let decision = browser.log_in(&url, "amelia").await;
    let form = decision.form_with("decision");
    let account = form.values("account").first().expect("an account to share").clone();
    let agreed = browser.submit(form, &[("decision", "approve"), ("account", &account)]).await;
    let answer = suite.answer(tpp, &agreed.exchange, Some(&request)).await;
    suite.complete_from(tpp, &request, &answer, suite.verifier()).await;
    answer.outcome
}
