//! The negative tests, one for each row of the certification plan. Source: the negative list of the rules for
//! authorisation servers (section 4.16), with the rule behind each row.

use super::world::{Try, World, came_of};
use crate::authorise::pushed;
use crate::harness::{Browser, EVERYTHING, Engine, rs256};
use jiff::SignedDuration;
use lombard_tpp::{AuthorisationResponse, ExpectedIdToken, Protocol};
use serde_json::{Value, json};

/// A row: what is tried, the rule behind it, how, and what may come of it.
struct Row {
    case: &'static str,
    rule: &'static str,
    tried: Try,
    allowed: &'static [&'static str],
}

const fn row(case: &'static str, rule: &'static str, tried: Try, allowed: &'static [&'static str]) -> Row {
    Row { case, rule, tried, allowed }
}

const OBJECT: &[&str] = &["redirect invalid_request_object"];
const INVALID: &[&str] = &["redirect invalid_request", "redirect invalid_request_object"];
const PAGE: &[&str] = &["page"];
const UNVERIFIED: &[&str] = &["page", "redirect invalid_request_object"];
const CLIENT: &[&str] = &["401 invalid_client"];
const NO_PROOF: &[&str] = &["401 invalid_client", "400 invalid_client", "400 invalid_request"];
const GRANT: &[&str] = &["400 invalid_grant"];

/// Rows about the request that comes with the browser.
const REQUESTS: &[Row] = &[
    row("request object without exp", "AS-073", |w| w.claim("exp", Value::Null), OBJECT),
    row("request object without nbf", "AS-073", |w| w.claim("nbf", Value::Null), OBJECT),
    row("expired", "AS-073", |w| w.claim("exp", w.now() - 60), OBJECT),
    row("exp more than 60 min after nbf", "AS-073", |w| w.claim("exp", w.now() + 3_601), OBJECT),
    row("nbf more than 60 min past", "AS-073", |w| w.claim("nbf", w.now() - 3_661), OBJECT),
    row("bad aud", "AS-072", |w| w.claim("aud", "https://elsewhere.example"), OBJECT),
    row("no aud", "AS-072", |w| w.claim("aud", Value::Null), OBJECT),
    row(
        "without scope",
        "AS-074",
        |w| w.claim("scope", Value::Null),
        &["redirect invalid_scope", "redirect invalid_request", "redirect invalid_request_object"],
    ),
    row("without nonce", "AS-074", |w| w.claim("nonce", Value::Null), INVALID),
    row("without redirect_uri", "AS-064", |w| w.claim("redirect_uri", Value::Null), PAGE),
    row("unregistered redirect_uri", "AS-064", |w| w.claim("redirect_uri", "https://evil.example/"), PAGE),
    row(
        "redirect_uri only in query",
        "AS-064",
        |w| {
            Box::pin(async move {
                let ours = w.robot.redirect_uri().unwrap();
                w.asked(w.request().await.claim("redirect_uri", Value::Null).parameter("redirect_uri", ours)).await
            })
        },
        PAGE,
    ),
    row(
        "signed RS256",
        "AS-070",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                let object = request.object.clone().header("alg", "RS256");
                w.asked_with(&request, &object.sign_with(|it| rs256(&w.robot.folder.signing, it))).await
            })
        },
        UNVERIFIED,
    ),
    row(
        "alg none",
        "AS-070",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                let object = request.object.clone().header("alg", "none").sign_with(|_| Vec::new());
                w.asked_with(&request, &object).await
            })
        },
        UNVERIFIED,
    ),
    row(
        "broken signature",
        "AS-070",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                w.asked_with(&request, &request.object.sign_with(|_| vec![7; 256])).await
            })
        },
        UNVERIFIED,
    ),
    row(
        "key of another client",
        "AS-070",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                w.asked_with(&request, &request.object.sign(&w.rival.folder.signing).unwrap()).await
            })
        },
        UNVERIFIED,
    ),
    row(
        "no request object",
        "AS-061",
        |w| {
            Box::pin(async move {
                let query = w.request().await.query;
                let mut url: url::Url = w.robot.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
                url.query_pairs_mut().extend_pairs(query);
                came_of(&w.robot.open_authorisation(url.as_str()).await.unwrap(), None)
            })
        },
        &["page", "redirect invalid_request"],
    ),
    row(
        "response_type code",
        "AS-086",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                w.asked(request.claim("response_type", "code").parameter("response_type", "code")).await
            })
        },
        &["redirect unsupported_response_type", "redirect unauthorized_client", "redirect invalid_request"],
    ),
    row("response_mode query", "AS-085", |w| w.claim("response_mode", "query"), INVALID),
    row(
        "nonce and state differ outside",
        "AS-062",
        |w| {
            Box::pin(async move {
                let request = w.request().await.parameter("nonce", "other").parameter("state", "other");
                let channel = w.robot.authorise_headless(&request).await.unwrap();
                let (_, id_token) = channel.expect_code(&request.state).unwrap();
                let expected = ExpectedIdToken { nonce: Some(&request.nonce), ..ExpectedIdToken::default() };
                w.robot.check_id_token(id_token, &w.robot.bank_keys().await.unwrap(), &expected).await.unwrap();
                "the inner values are used".to_owned()
            })
        },
        &["the inner values are used"],
    ),
    row(
        "intent id of another client",
        "AS-078",
        |w| {
            Box::pin(async move {
                let own = w.rival.client_credentials("accounts").await.unwrap().access_token;
                let foreign = w.rival.consent_create(&own, &EVERYTHING).await.unwrap();
                w.asked(w.robot.new_authorisation_request(&foreign, "accounts").await.unwrap()).await
            })
        },
        &["redirect invalid_request"],
    ),
    row(
        "PSU rejects",
        "AS-089",
        |w| {
            Box::pin(async move {
                let own = w.rival.client_credentials("accounts").await.unwrap().access_token;
                let consent = w.rival.consent_create(&own, &EVERYTHING).await.unwrap();
                let request = w.rival.new_authorisation_request(&consent, "accounts").await.unwrap();
                let mut browser = Browser::new(&w.rival);
                let decision = browser.log_in(&request.url(&w.rival.folder.signing).unwrap(), "amelia").await;
                let refused = browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await;
                came_of(&refused.exchange, Some(&request))
            })
        },
        &["redirect access_denied"],
    ),
    row(
        "essential acr sca",
        "AS-079",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                let channel = w.robot.authorise_headless(&request).await.unwrap();
                let (_, id_token) = channel.expect_code(&request.state).unwrap();
                let keys = w.robot.bank_keys().await.unwrap();
                let token = w.robot.check_id_token(id_token, &keys, &ExpectedIdToken::default()).await.unwrap();
                format!("acr {}", token.text("acr").unwrap_or_default())
            })
        },
        &["acr urn:openbanking:psd2:sca"],
    ),
];

/// Rows about the token endpoint and what its tokens open.
const TOKENS: &[Row] = &[
    row(
        "token call without certificate",
        "AS-028",
        |w| {
            Box::pin(async move {
                let naked = w.robot.with_certificate(None, Protocol::Any).unwrap();
                came_of(&naked.request_token(&[("grant_type", "client_credentials")]).await.unwrap(), None)
            })
        },
        NO_PROOF,
    ),
    row(
        "token call without client_id (mtls)",
        "AS-022",
        |w| Box::pin(w.form(&w.rival, &[("grant_type", "client_credentials")])),
        NO_PROOF,
    ),
    row(
        "token call without assertion (pkjwt)",
        "AS-023",
        |w| {
            Box::pin(async move {
                let client = w.robot.client_id().as_str();
                w.form(&w.robot, &[("grant_type", "client_credentials"), ("client_id", client)]).await
            })
        },
        NO_PROOF,
    ),
    row(
        "assertion RS256",
        "AS-023",
        |w| {
            Box::pin(async move {
                let assertion = w.robot.new_client_assertion().await.unwrap().header("alg", "RS256");
                w.assertion_as(&assertion.sign_with(|it| rs256(&w.robot.folder.signing, it))).await
            })
        },
        CLIENT,
    ),
    row("assertion exp 5 min past", "AS-025", |w| w.assertion(|w, it| it.claim("exp", w.now() - 300)), CLIENT),
    row("assertion wrong aud", "AS-024", |w| w.assertion(|_, it| it.claim("aud", "https://elsewhere.example")), CLIENT),
    row("assertion no sub", "AS-023", |w| w.assertion(|_, it| it.claim("sub", Value::Null)), CLIENT),
    row(
        "code of client 1 by client 2",
        "AS-043",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                let channel = w.robot.authorise_headless(&request).await.unwrap();
                came_of(&w.rival.exchange_code(channel.expect_code(&request.state).unwrap().0).await.unwrap(), None)
            })
        },
        GRANT,
    ),
    row(
        "code reused after 1 s",
        "AS-043",
        |w| {
            Box::pin(async move {
                let request = w.request().await;
                let channel = w.robot.authorise_headless(&request).await.unwrap();
                let (code, _) = channel.expect_code(&request.state).unwrap();
                assert_eq!(came_of(&w.robot.exchange_code(code).await.unwrap(), None), "200");
                w.bank.clock.advance(SignedDuration::from_secs(1));
                came_of(&w.robot.exchange_code(code).await.unwrap(), None)
            })
        },
        GRANT,
    ),
    row(
        "refresh token of client 2 by client 1",
        "AS-096",
        |w| {
            Box::pin(async move {
                let refresh_token = w.tokens().await.refresh_token.unwrap();
                came_of(&w.rival.refresh(&refresh_token).await.unwrap(), None)
            })
        },
        GRANT,
    ),
    row(
        "access token with other certificate",
        "AS-111",
        |w| {
            Box::pin(async move {
                let token = w.tokens().await.access_token;
                came_of(&w.rival.get(&token, "aisp/accounts").await.unwrap(), None)
            })
        },
        &["401"],
    ),
];

/// Rows about requests pushed ahead.
const PUSHED: &[Row] = &[
    row(
        "PAR: reuse",
        "AS-152",
        |w| {
            Box::pin(async move {
                let request = pushed::request(&w.robot).await;
                let reference = pushed::reference(&pushed::pushed(&w.robot, &request).await);
                let first = pushed::open(&w.robot, &reference).await;
                assert_eq!(came_of(&first, Some(&request)), "code");
                came_of(&pushed::open(&w.robot, &reference).await, Some(&request))
            })
        },
        &["redirect invalid_request_uri"],
    ),
    row(
        "PAR: expired",
        "AS-152",
        |w| {
            Box::pin(async move {
                let answer = pushed::pushed(&w.robot, &pushed::request(&w.robot).await).await;
                let secs = answer.json().unwrap()["expires_in"].as_i64().unwrap();
                w.bank.clock.advance(SignedDuration::from_secs(secs));
                came_of(&pushed::open(&w.robot, &pushed::reference(&answer)).await, None)
            })
        },
        &["page", "redirect invalid_request_uri"],
    ),
    row(
        "PAR: other client",
        "AS-152",
        |w| {
            Box::pin(async move {
                let answer = pushed::pushed(&w.robot, &pushed::request(&w.robot).await).await;
                came_of(&pushed::open(&w.rival, &pushed::reference(&answer)).await, None)
            })
        },
        PAGE,
    ),
    row(
        "PAR: request_uri inside",
        "AS-151",
        |w| push(w, "request_uri", json!("urn:x")),
        &["400 invalid_request_object"],
    ),
    row(
        "PAR: GET",
        "AS-151",
        |w| {
            Box::pin(async move {
                let url = pushed::endpoint(&w.robot).await;
                came_of(&w.robot.send(lombard_tpp::HttpCall::get(url)).await.unwrap(), None)
            })
        },
        &["405 invalid_request"],
    ),
    row("PAR: no PKCE", "AS-151", |w| push(w, "code_challenge", Value::Null), &["400 invalid_request"]),
    row("PAR: plain", "AS-151", |w| push(w, "code_challenge_method", json!("plain")), &["400 invalid_request"]),
    row("PAR: wrong verifier", "AS-150", |w| verifier(w, Some("x".repeat(43))), GRANT),
    row("PAR: missing verifier", "AS-150", |w| verifier(w, None), GRANT),
    row(
        "PAR: bad redirect_uri",
        "AS-064",
        |w| push(w, "redirect_uri", json!("https://evil.example/")),
        &["400 invalid_request"],
    ),
    row(
        "PAR: bad aud",
        "AS-072",
        |w| push(w, "aud", json!("https://elsewhere.example")),
        &["400 invalid_request_object"],
    ),
];

fn push<'a>(world: &'a World, claim: &'static str, value: Value) -> futures_util::future::BoxFuture<'a, String> {
    Box::pin(async move {
        let request = pushed::request(&world.robot).await.claim(claim, value);
        came_of(&pushed::pushed(&world.robot, &request).await, None)
    })
}

fn verifier(world: &World, verifier: Option<String>) -> futures_util::future::BoxFuture<'_, String> {
    Box::pin(async move {
        let tpp = &world.robot;
        let request = pushed::request(tpp).await;
        let answer = pushed::open(tpp, &pushed::reference(&pushed::pushed(tpp, &request).await)).await;
        let channel = AuthorisationResponse::parse_redirect(&answer, tpp.redirect_uri().unwrap()).unwrap();
        let (code, _) = channel.expect_code(&request.state).unwrap();
        let mut form =
            vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", tpp.redirect_uri().unwrap())];
        form.extend(verifier.as_deref().map(|verifier| ("code_verifier", verifier)));
        came_of(&tpp.request_token(&form).await.unwrap(), None)
    })
}

#[tokio::test]
async fn every_row_of_the_negative_list_is_refused_as_it_says() {
    let mut wrong = Vec::new();
    for engine in Engine::at_hand() {
        let world = World::start(engine).await;
        for Row { case, rule, tried, allowed } in REQUESTS.iter().chain(TOKENS).chain(PUSHED) {
            let came = tried(&world).await;
            if !allowed.contains(&came.as_str()) {
                wrong.push(format!("{rule}: {case} on {engine:?}: {came}, not {}", allowed.join(" or ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
