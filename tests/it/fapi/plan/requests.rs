//! Modules about the authorisation request and its response.

use super::suite::{RequestWay, ResponseForm, Suite, VERIFIER, with_challenge};
use super::{Allowed, NOT_HERE, Row, row};
use crate::harness::{Browser, ExchangeExt, rs256};
use futures_util::future::BoxFuture;
use lombard_tpp::{AuthorisationRequest, HttpCall};
use serde_json::{Value, json};

const DONE: Allowed = &["done"];
const PAGE: Allowed = &["page"];
const INVALID: Allowed = &["redirect invalid_request"];
const OBJECT: Allowed = &["redirect invalid_request_object"];
const PAR_INVALID: Allowed = &["par 400 invalid_request"];
const PAR_OBJECT: Allowed = &["par 400 invalid_request_object"];

pub(super) const ROWS: &[Row] = &[
    row("", DONE, DONE, |s| Box::pin(happy(s))),
    row("user-rejects-authentication", &["redirect access_denied"], &["redirect access_denied"], |s| {
        Box::pin(rejected(s))
    }),
    row("ensure-request-object-with-multiple-aud-succeeds", DONE, DONE, |s| {
        succeeds(s, |s, it| it.claim("aud", json!([s.first.endpoints.issuer, "https://other1.example.com"])))
    }),
    row("ensure-authorization-request-without-state-success", DONE, DONE, |s| {
        succeeds(s, |_, it| it.claim("state", Value::Null))
    }),
    // Every pushed request has a challenge.
    row("ensure-valid-pkce-succeeds", DONE, NOT_HERE, |s| {
        Box::pin(async move {
            let request = with_challenge(s.request(&s.first).await);
            let answer = s.present(&s.first, &request).await;
            s.complete_from(&s.first, &request, &answer, Some(VERIFIER)).await;
            "done".to_owned()
        })
    }),
    row("ensure-other-scope-order-succeeds", DONE, DONE, |s| succeeds(s, |_, it| it.claim("scope", "accounts openid"))),
    row("access-token-type-header-case-sensitivity", &["200"], &["200"], |s| {
        Box::pin(async move {
            let token = s.complete(&s.first, &s.request(&s.first).await).await.access_token;
            let url = s.first.resource_url("aisp/accounts");
            let call = HttpCall::get(url).with_header("authorization", format!("bEARER {token}"));
            s.first.send(call).await.unwrap().status.as_u16().to_string()
        })
    }),
    row("ensure-response-mode-query", INVALID, PAR_INVALID, |s| changed(s, |_, it| it.claim("response_mode", "query"))),
    row("ensure-different-nonce-inside-and-outside-request-object", DONE, DONE, |s| {
        succeeds(s, |_, it| it.parameter("nonce", "other"))
    }),
    row("ensure-registered-redirect-uri", PAGE, PAR_INVALID, |s| {
        changed(s, |s, it| {
            let other = format!("{}/unregistered", s.first.redirect_uri().unwrap());
            it.claim("redirect_uri", other.as_str()).parameter("redirect_uri", &other)
        })
    }),
    row("ensure-request-object-with-long-nonce", DONE, DONE, |s| {
        succeeds(s, |_, it| it.claim("nonce", "n".repeat(384)))
    }),
    row("ensure-request-object-with-64-char-nonce-success", DONE, DONE, |s| {
        succeeds(s, |_, it| it.claim("nonce", "n".repeat(64)))
    }),
    row("ensure-request-object-with-long-state", DONE, DONE, |s| {
        succeeds(s, |_, it| it.claim("state", "s".repeat(1_000)))
    }),
    row("ensure-request-object-without-exp-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |_, it| it.claim("exp", Value::Null))
    }),
    row("ensure-request-object-without-nbf-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |_, it| it.claim("nbf", Value::Null))
    }),
    // The scope outside stays.
    row("ensure-request-object-without-scope-fails", INVALID, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("scope", Value::Null))
    }),
    row("state-only-outside-request-object-not-used", DONE, DONE, |s| {
        succeeds(s, |_, it| it.claim("state", Value::Null).parameter("state", "outside"))
    }),
    row("ensure-request-object-without-nonce-fails", INVALID, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("nonce", Value::Null).parameter("nonce", "outside"))
    }),
    row("ensure-request-object-without-redirect-uri-fails", PAGE, PAR_INVALID, |s| {
        changed(s, |s, it| {
            let outside = s.first.redirect_uri().unwrap();
            it.claim("redirect_uri", Value::Null).parameter("redirect_uri", outside)
        })
    }),
    row("ensure-expired-request-object-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |s, it| it.claim("exp", s.now() - 60))
    }),
    row("ensure-request-object-with-bad-aud-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |_, it| it.claim("aud", "https://www.other1.example.com"))
    }),
    row("ensure-request-object-with-exp-over-60-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |s, it| it.claim("exp", s.now() + 70 * 60))
    }),
    row("ensure-request-object-with-nbf-over-60-fails", OBJECT, PAR_OBJECT, |s| {
        changed(s, |s, it| it.claim("nbf", s.now() - 70 * 60))
    }),
    row("ensure-signed-request-object-with-RS256-fails", PAGE, PAR_OBJECT, |s| {
        signed(s, |s, it| {
            it.object.clone().header("alg", "RS256").sign_with(|text| rs256(&s.first.folder.signing, text))
        })
    }),
    row("ensure-request-object-signature-algorithm-is-not-none", PAGE, PAR_OBJECT, |s| {
        signed(s, |_, it| it.object.clone().header("alg", "none").header("kid", Value::Null).sign_with(|_| Vec::new()))
    }),
    row("ensure-request-object-with-invalid-signature-fails", PAGE, PAR_OBJECT, |s| {
        signed(s, |s, it| {
            it.object.sign_with(|text| {
                let mut signature = s.first.folder.signing.sign_ps256(text).unwrap();
                signature.iter_mut().for_each(|byte| *byte ^= 0x5a);
                signature
            })
        })
    }),
    row("ensure-matching-key-in-authorization-request", PAGE, PAR_OBJECT, |s| {
        signed(s, |s, it| it.object.sign(&s.second.folder.signing).unwrap())
    }),
    row("ensure-authorization-request-without-request-object-fails", PAGE, NOT_HERE, |s| {
        Box::pin(async move {
            let request = s.request(&s.first).await;
            let mut url: url::Url = s.first.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
            let claims = request.object.claims().iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
            url.query_pairs_mut().extend_pairs(claims);
            s.open(&s.first, url.as_str(), None).await.outcome
        })
    }),
    row("ensure-redirect-uri-in-authorization-request", PAGE, PAR_INVALID, |s| {
        changed(s, |_, it| it.claim("redirect_uri", Value::Null))
    }),
    row(
        "ensure-response-type-code-fails",
        &["redirect unsupported_response_type"],
        &["par 400 unsupported_response_type"],
        |s| {
            changed(s, |_, it| {
                let it = it.claim("response_type", "code").parameter("response_type", "code");
                it.claim("response_mode", Value::Null)
            })
        },
    ),
    row("ensure-server-handles-non-matching-intent-id", INVALID, PAR_INVALID, |s| {
        Box::pin(async move {
            let foreign = s.consent(&s.second).await;
            s.present(&s.first, &s.request_for(&s.first, &foreign).await).await.outcome
        })
    }),
    row("test-essential-acr-sca-claim", &["urn:openbanking:psd2:sca"], &["urn:openbanking:psd2:sca"], |s| {
        Box::pin(async move {
            // Every request of these tests asks for it as an essential claim.
            let request = s.request(&s.first).await;
            let asked = request.object.claims()["claims"].pointer("/id_token/acr/essential");
            assert_eq!(asked, Some(&json!(true)));
            let tokens = s.complete(&s.first, &request).await;
            let keys = s.first.bank_keys().await.unwrap();
            let token = s.first.check_id_token(&tokens.id_token.unwrap(), &keys, &Default::default()).await.unwrap();
            token.text("acr").unwrap().to_owned()
        })
    }),
];

/// Both clients go the whole way; a token of one works with no certificate of the other.
async fn happy(suite: &Suite) -> String {
    for (tpp, other) in [(&suite.first, &suite.second), (&suite.second, &suite.first)] {
        let tokens = suite.complete(tpp, &suite.request(tpp).await).await;
        let call = HttpCall::get(tpp.resource_url("aisp/accounts"))
            .with_bearer(&tokens.access_token)
            .with_header("x-fapi-auth-date", "Tue, 11 Sep 2012 19:43:31 GMT")
            .with_header("x-fapi-customer-ip-address", "198.51.100.119")
            .with_header("x-fapi-interaction-id", "93bac548-d2de-4546-b106-880a5018460d");
        let read = tpp.send(call).await.unwrap();
        read.ok(200);
        assert!(!read.head("date").is_empty(), "AS-114");
        let version_6 = HttpCall::get(tpp.resource_url("aisp/accounts")).with_bearer(&tokens.access_token);
        let version_6 = version_6.with_header("x-fapi-customer-ip-address", "2001:db8::1893:25c8:1946");
        tpp.send(version_6).await.unwrap().ok(200);
        other.get(&tokens.access_token, "aisp/accounts").await.unwrap().unauthorised();
        let in_query = format!("{}?access_token={}", tpp.resource_url("aisp/accounts"), tokens.access_token);
        tpp.send(HttpCall::get(in_query)).await.unwrap().unauthorised();
    }
    "done".to_owned()
}

/// A person refuses on the consent page.
async fn rejected(suite: &Suite) -> String {
    let tpp = &suite.asking;
    let request = suite.request(tpp).await;
    let url = url(suite, &request).await;
    let mut browser = Browser::new(tpp);
    let decision = browser.log_in(&url, "amelia").await;
    let refused = browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await;
    suite.answer(tpp, &refused.exchange, Some(&request)).await.outcome
}

/// Where a browser is sent with a request of the client that asks.
pub(super) async fn url(suite: &Suite, request: &AuthorisationRequest) -> String {
    let tpp = &suite.asking;
    let object = request.object.sign(&suite.asking.folder.signing).unwrap();
    match suite.variant.request {
        RequestWay::ByValue => request.url_with(&object).unwrap(),
        RequestWay::Pushed => {
            let pushed = suite.push(tpp, &[("request", &object)]).await;
            suite.url_of(tpp, &super::suite::reference_of(&pushed), &request.query).await
        }
    }
}

type Change = fn(&Suite, AuthorisationRequest) -> AuthorisationRequest;

/// What comes of a request that was changed in this way and signed by its client.
pub(super) fn changed(suite: &Suite, change: Change) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let request = change(suite, suite.request(&suite.first).await);
        suite.present(&suite.first, &request).await.outcome
    })
}

/// The whole way with a request that was changed in this way.
fn succeeds(suite: &Suite, change: Change) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let request = change(suite, suite.request(&suite.first).await);
        let answer = suite.present(&suite.first, &request).await;
        if answer.outcome != "code" {
            return answer.outcome;
        }
        suite.complete_from(&suite.first, &request, &answer, suite.verifier()).await;
        assert!(suite.variant.response == ResponseForm::Jarm || answer.text("id_token").is_some());
        "done".to_owned()
    })
}

/// What comes of a good request whose object is signed in this way.
fn signed(suite: &Suite, sign: fn(&Suite, &AuthorisationRequest) -> String) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let request = suite.request(&suite.first).await;
        suite.present_as(&suite.first, &request, &sign(suite, &request)).await.outcome
    })
}
