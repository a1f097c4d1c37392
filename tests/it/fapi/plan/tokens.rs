//! Modules about the token endpoint: client authentication, codes and refresh tokens.

use super::suite::{ClientAuth, Fields, Suite, assertion_fields, came_of_call};
use super::{Allowed, Row, of_assertion, row};
use crate::harness::{ExchangeExt, rs256};
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use lombard_tpp::{IssuedTokens, Jwt, Protocol, Tpp};
use serde_json::{Value, json};

const DONE: Allowed = &["done"];
const CLIENT: Allowed = &["401 invalid_client"];
const GRANT: Allowed = &["400 invalid_grant"];

pub(super) const ROWS: &[Row] = &[
    row("ensure-client-id-in-token-endpoint", CLIENT, CLIENT, |s| Box::pin(other_client(s))),
    row("ensure-mtls-holder-of-key-required", CLIENT, CLIENT, |s| Box::pin(without_certificate(s))),
    row("ensure-authorization-code-is-bound-to-client", GRANT, GRANT, |s| {
        Box::pin(async move { came_of_call(&s.exchange(&s.second, &s.code(&s.first).await).await) })
    }),
    row("attempt-reuse-authorisation-code-after-one-second", GRANT, GRANT, |s| Box::pin(reused(s))),
    of_assertion("ensure-signed-client-assertion-with-RS256-fails", CLIENT, CLIENT, |s| {
        Box::pin(async move {
            let tpp = &s.first;
            let assertion = tpp.new_client_assertion().await.unwrap().header("alg", "RS256");
            let assertion = assertion.sign_with(|text| rs256(&tpp.folder.signing, text));
            exchanged_by(s, assertion_fields(&assertion)).await
        })
    }),
    of_assertion("ensure-client-assertion-in-token-endpoint", CLIENT, CLIENT, |s| {
        Box::pin(async move {
            let id = s.first.client_id().to_string();
            exchanged_by(s, vec![("client_id".to_owned(), id)]).await
        })
    }),
    of_assertion("ensure-client-assertion-with-exp-is-5-minutes-in-past-fails", CLIENT, CLIENT, |s| {
        asserted(s, |s, it| it.claim("exp", s.now() - 300))
    }),
    of_assertion("ensure-client-assertion-with-wrong-aud-fails", CLIENT, CLIENT, |s| {
        asserted(s, |_, it| it.claim("aud", "https://www.other1.example.com"))
    }),
    of_assertion("ensure-client-assertion-with-no-sub-fails", CLIENT, CLIENT, |s| {
        asserted(s, |_, it| it.claim("sub", Value::Null))
    }),
    of_assertion("ensure-client-assertion-with-wrong-iss-fails", CLIENT, CLIENT, |s| {
        asserted(s, |s, it| it.claim("iss", s.second.client_id().as_str()))
    }),
    of_assertion("ensure-client-assertion-with-wrong-sub-fails", CLIENT, CLIENT, |s| {
        asserted(s, |s, it| it.claim("sub", s.second.client_id().as_str()))
    }),
    of_assertion("ensure-client-assertion-with-iss-aud-succeeds", &["200"], &["200"], |s| {
        asserted(s, |s, it| it.claim("aud", s.first.endpoints.issuer.as_str()))
    }),
    of_assertion("test-array-as-audience-for-client-JWT-assertion", &["200"], &["200"], |s| {
        Box::pin(async move {
            let array = |it: Jwt| it.claim("aud", json!([s.first.endpoints.issuer, "https://www.other1.example.com"]));
            let object = s.request(&s.first).await.object.sign(&s.first.folder.signing).unwrap();
            if s.verifier().is_some() {
                let form = s.assertion(&s.first, array).await;
                s.push_as(&s.first, form, &[("request", &object)]).await.ok(201);
            }
            exchanged_by(s, s.assertion(&s.first, array).await).await
        })
    }),
    row("refresh-token", DONE, DONE, |s| Box::pin(refreshed(s))),
];

/// What comes of exchanging a good code of the first client with this authentication.
async fn exchanged_by(suite: &Suite, authentication: Fields) -> String {
    let code = suite.code(&suite.first).await;
    came_of_call(&suite.exchange_as(&suite.first, &code, authentication).await)
}

/// The same with an assertion that was changed in this way.
fn asserted(suite: &Suite, change: fn(&Suite, Jwt) -> Jwt) -> BoxFuture<'_, String> {
    Box::pin(async move {
        let form = suite.assertion(&suite.first, |it| change(suite, it)).await;
        exchanged_by(suite, form).await
    })
}

/// The first client names the second: by its id alone, or by an assertion that the first signed.
async fn other_client(suite: &Suite) -> String {
    let id = suite.second.client_id().as_str();
    let mut form = vec![("client_id".to_owned(), id.to_owned())];
    if suite.variant.auth == ClientAuth::PrivateKeyJwt {
        form.extend(suite.assertion(&suite.first, |it| it.claim("iss", id).claim("sub", id)).await);
    }
    exchanged_by(suite, form).await
}

/// Everything but the certificate is right. TLS versions and cipher suites, which the module looks at too, are those of
/// `tls::versions` (TLS-001, TLS-002).
async fn without_certificate(suite: &Suite) -> String {
    let tpp = &suite.first;
    let naked = tpp.with_certificate(None, Protocol::Any).unwrap();
    let tokens = suite.complete(tpp, &suite.request(tpp).await).await;
    naked.get(&tokens.access_token, "aisp/accounts").await.unwrap().unauthorised();
    if suite.verifier().is_some() {
        let object = suite.request(tpp).await.object.sign(&tpp.folder.signing).unwrap();
        assert_eq!(came_of_call(&suite.push(&naked, &[("request", &object)]).await), "401 invalid_client");
    }
    let code = suite.code(tpp).await;
    let refused = came_of_call(&suite.exchange(&naked, &code).await);
    // The code is as good as before.
    suite.exchange(tpp, &code).await.ok(200);
    refused
}

/// The tokens of a code end when it is used again.
async fn reused(suite: &Suite) -> String {
    let tpp = &suite.first;
    let code = suite.code(tpp).await;
    let tokens = IssuedTokens::from_exchange(suite.exchange(tpp, &code).await).unwrap();
    suite.bank.clock.advance(SignedDuration::from_secs(1));
    let again = came_of_call(&suite.exchange(tpp, &code).await);
    tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().unauthorised();
    again
}

/// A refresh token works for its client and with a certificate alone, and stays the same.
async fn refreshed(suite: &Suite) -> String {
    let refresh = async |tpp: &Tpp, token: &str| tpp.refresh(token).await.unwrap();
    for (tpp, other) in [(&suite.first, &suite.second), (&suite.second, &suite.first)] {
        let tokens = suite.complete(tpp, &suite.request(tpp).await).await;
        let token = tokens.refresh_token.expect("AS-093");
        assert!(token.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "AS-103");
        let renewed = IssuedTokens::from_exchange(refresh(tpp, &token).await).unwrap();
        assert_ne!(renewed.access_token, tokens.access_token);
        assert!(renewed.refresh_token.is_none_or(|again| again == token), "AS-097");
        tpp.get(&renewed.access_token, "aisp/accounts").await.unwrap().ok(200);
        let naked = tpp.with_certificate(None, Protocol::Any).unwrap();
        assert_eq!(came_of_call(&refresh(&naked, &token).await), "401 invalid_client", "AS-028");
        assert_eq!(came_of_call(&refresh(other, &token).await), "400 invalid_grant", "AS-096");
        refresh(tpp, &token).await.ok(200);
    }
    "done".to_owned()
}
