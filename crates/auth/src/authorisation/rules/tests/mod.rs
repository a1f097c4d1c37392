//! Tests of the rules: one table of requests that must be refused, and one of requests that must be accepted.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]

mod admitted;
mod forged;
mod refused;

use self::forged::{critical, forged, hs256, own_key, rs256, unsigned, with_payload};
use self::refused::{Change, INTENT, REFUSED, SCA, add, remove, set};
use super::authentication_class::Acr;
use super::*;
use crate::authorisation::testing::{ACME_KEY, Answer, ISSUER, REDIRECT_URI, RIVAL_KEY, World, client, raw, signed};
use crate::authorisation::{AuthorisationReply, handle_authorisation_request};
use crate::error::OAuthErrorCode::{self, *};
use crate::tokens::identity::{IdTokenBinding, sign_identity_token};
use jiff::SignedDuration;
use lombard_domain::client::{Client, ClientStatus};
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_domain::ids::ConsentId;
use lombard_domain::scope::{Scopes, TppRole};
use lombard_domain::version::Version;
use lombard_jose::{JoseHeader, base64url, sign_compact};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The rule that refused and its error code; `None` if the request may be presented to the PSU.
async fn verdict(world: &World, raw: &RawRequest) -> Option<(&'static str, OAuthErrorCode)> {
    let located = identify_request(&world.auth, raw).await.expect("the request can be located");
    let checked = match check(&world.auth, &located) {
        Ok(checked) => checked,
        Err(refused) => return Some((refused.rule, refused.error.code)),
    };
    find_authorisable_request(&world.auth, checked).await.err().map(|refused| (refused.rule, refused.error.code))
}

#[tokio::test]
async fn as_063_to_081_as_150_every_bad_claim_is_refused_by_its_rule() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    for (rule, code, what, change) in REFUSED {
        let mut claims = world.claims("acme", &consent);
        change(&mut claims, world.clock_seconds());
        let raw = raw("acme", &signed(&ACME_KEY, &claims), &[]);
        assert_eq!(verdict(&world, &raw).await, Some((*rule, *code)), "{what}");
    }
}

#[test]
fn every_row_of_the_table_is_attacked() {
    // AS-071, AS-086 and AS-154 need more than a claim; they have tests of their own.
    for row in table::ROWS.iter().filter(|row| !["AS-071", "AS-086", "AS-154"].contains(&row.source)) {
        assert!(REFUSED.iter().any(|(rule, ..)| *rule == row.source), "{}", row.source);
    }
}

#[tokio::test]
async fn as_065_errors_are_in_the_fragment_of_the_verified_uri_with_its_state() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut claims = world.claims("acme", &consent);
    set(&mut claims, "/scope", json!("accounts"));
    set(&mut claims, "/state", json!("inside & intact"));
    let raw = raw("acme", &signed(&ACME_KEY, &claims), &[("state", "outside"), ("redirect_uri", "https://evil.test")]);
    let AuthorisationReply::Redirect(redirect) = handle_authorisation_request(&world.auth, &raw).await else {
        panic!("not answered")
    };
    let answer = Answer::read(&redirect);
    assert_eq!(answer.address, REDIRECT_URI);
    assert_eq!(answer.names(), ["error", "error_description", "state"]);
    assert_eq!((answer.error(), answer.value("state")), (Some("invalid_scope"), Some("inside & intact")));
}

#[tokio::test]
async fn as_050_to_as_079_what_a_good_client_may_send_is_accepted() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let accepted: &[(&str, Change)] = &[
        ("as it is", |_, _| {}),
        ("AS-050: scope in another order", |c, _| set(c, "/scope", json!("accounts openid"))),
        ("AS-051: a further registered scope", |c, _| set(c, "/scope", json!("openid payments accounts"))),
        ("AS-062: response type in another order", |c, _| set(c, "/response_type", json!("id_token code"))),
        ("AS-067: prompts that ask for what is done", |c, _| add(c, "prompt", json!("login consent select_account"))),
        ("AS-067: max_age", |c, _| add(c, "max_age", json!(0))),
        ("AS-067: max_age with a fraction of zeros", |c, _| add(c, "max_age", json!(3_600.0))),
        ("AS-181: iat a minute ahead", |c, now| add(c, "iat", json!(now + 60))),
        ("AS-067: hints", |c, _| add(c, "ui_locales", json!("fr"))),
        ("AS-072: several audiences", |c, _| set(c, "/aud", json!(["https://other.test", ISSUER]))),
        ("AS-073: the whole window", |c, now| {
            set(c, "/nbf", json!(now - 3_599));
            set(c, "/exp", json!(now + 1));
        }),
        ("AS-073: a clock a minute ahead", |c, now| set(c, "/nbf", json!(now + 60))),
        ("AS-075: no state", |c, _| remove(c, "state")),
        ("AS-076: nonce and state of 2048", |c, _| {
            set(c, "/nonce", json!("é".repeat(2_048)));
            set(c, "/state", json!("s".repeat(2_048)));
        }),
        ("AS-077: the same intent for userinfo", |c, _| {
            let intent = c.pointer(INTENT).unwrap().clone();
            add(&mut c["claims"], "userinfo", json!({"openbanking_intent_id": intent}));
        }),
        ("AS-077: nothing for userinfo", |c, _| {
            add(&mut c["claims"], "userinfo", json!({"openbanking_intent_id": Value::Null}));
        }),
        ("AS-079: no acr", |c, _| set(c, SCA, Value::Null)),
        ("AS-079: a voluntary acr nobody attains", |c, _| set(c, SCA, json!({"values": ["urn:x"]}))),
        ("AS-080: no jti", |c, _| remove(c, "jti")),
        ("AS-081: decimal dates", |c, now| set(c, "/exp", json!(now as f64 + 59.5))),
        ("AS-085: the mode that is meant anyway", |c, _| add(c, "response_mode", json!("fragment"))),
        ("AS-150: an S256 challenge", |c, _| {
            add(c, "code_challenge", json!(base64url(&[1; 32])));
            add(c, "code_challenge_method", json!("S256"));
        }),
    ];
    for (what, change) in accepted {
        let mut claims = world.claims("acme", &consent);
        change(&mut claims, world.clock_seconds());
        let object = signed(&ACME_KEY, &claims);
        assert_eq!(verdict(&world, &raw("acme", &object, &[])).await, None, "{what}");
        let outside = [("nonce", "other"), ("state", "other"), ("redirect_uri", "https://evil.test"), ("x", "y")];
        assert_eq!(verdict(&world, &raw("acme", &object, &outside)).await, None, "AS-062, AS-066: {what}");
    }
}

#[tokio::test]
async fn as_071_the_type_of_the_header_is_that_of_a_request_object() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let with = |typ: &str| {
        let claims = world.claims("acme", &consent).to_string();
        let header = JoseHeader::ps256(ACME_KEY.id()).typ(typ);
        raw("acme", &sign_compact(&ACME_KEY, &header, claims.as_bytes()).unwrap(), &[])
    };
    for typ in ["JWT", "jwt", "application/JWT", "oauth-authz-req+jwt", "application/oauth-authz-req+jwt"] {
        assert_eq!(verdict(&world, &with(typ)).await, None, "{typ}");
    }
    for typ in ["at+jwt", "JOSE", "", "application/"] {
        assert_eq!(verdict(&world, &with(typ)).await, Some(("AS-071", InvalidRequestObject)), "{typ}");
    }
}

#[tokio::test]
async fn as_086_only_the_hybrid_flow_is_offered() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    for response_type in ["code", "id_token", "token", "code token", "code id_token token", "none", "Code id_token"] {
        let mut claims = world.claims("acme", &consent);
        set(&mut claims, "/response_type", json!(response_type));
        let object = signed(&ACME_KEY, &claims);
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.extend_pairs([("client_id", "acme"), ("response_type", response_type), ("request", &object)]);
        let raw = RawRequest { encoded: form.finish() };
        assert_eq!(verdict(&world, &raw).await, Some(("AS-086", UnsupportedResponseType)), "{response_type}");
    }
}

#[tokio::test]
async fn as_063_other_forms_beside_the_object_are_refused_at_the_client() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    for (more, code) in [
        (("request_uri", "https://tpp.test/object"), InvalidRequest),
        (("registration", "{}"), RegistrationNotSupported),
    ] {
        let object = signed(&ACME_KEY, &world.claims("acme", &consent));
        assert_eq!(verdict(&world, &raw("acme", &object, &[more])).await, Some(("AS-063", code)));
    }
}

/// All faults after which there is no verified address to send a browser to.
#[tokio::test]
async fn as_064_what_cannot_be_trusted_stays_on_a_page_and_never_redirects() {
    let world = World::new().await;
    world.register(Client { status: ClientStatus::Disabled, ..client("gone", &ACME_KEY) }).await;
    let consent = world.consent("acme").await;
    let good = || world.claims("acme", &consent);
    let changed = |change: Change| {
        let mut claims = good();
        change(&mut claims, 0);
        signed(&ACME_KEY, &claims)
    };
    let object = signed(&ACME_KEY, &good());
    let twice = format!("{}&client_id=acme", raw("acme", &object, &[]).encoded);
    let without = |name: &str| {
        let all = raw("acme", &object, &[]).encoded;
        let kept = url::form_urlencoded::parse(all.as_bytes()).filter(|(known, _)| known != name);
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish()
    };
    let of = |client: &str, object: &str| raw(client, object, &[]).encoded;
    let requests: Vec<(&str, &str, String)> = vec![
        ("AS-066", "a parameter twice", twice),
        ("AS-066", "too long", of("acme", &"x".repeat(16 * 1024))),
        ("AS-066", "an object too long", of("acme", &changed(|c, _| add(c, "x", json!("x".repeat(9_300)))))),
        ("AS-061", "no object", without("request")),
        ("AS-063", "a reference instead", format!("{}&request_uri=https%3A%2F%2Ftpp.test", without("request"))),
        ("AS-064", "no client", without("client_id")),
        ("AS-064", "an unknown client", of("nobody", &object)),
        ("AS-064", "a disabled client", of("gone", &signed(&ACME_KEY, &world.claims("gone", &consent)))),
        ("AS-064", "no token at all", of("acme", "hello")),
        ("AS-064", "no redirect_uri", of("acme", &changed(|c, _| remove(c, "redirect_uri")))),
        (
            "AS-064",
            "redirect_uri outside only",
            format!(
                "{}&redirect_uri=https%3A%2F%2Ftpp.test%3A8445%2Fcallback",
                of("acme", &changed(|c, _| remove(c, "redirect_uri")))
            ),
        ),
        (
            "AS-064",
            "a foreign redirect_uri",
            of("acme", &changed(|c, _| set(c, "/redirect_uri", json!("https://evil.test")))),
        ),
        (
            "AS-064",
            "a redirect_uri that is no text",
            of("acme", &changed(|c, _| set(c, "/redirect_uri", json!([REDIRECT_URI])))),
        ),
        ("AS-070", "another client's key", of("acme", &signed(&RIVAL_KEY, &good()))),
        ("AS-070", "another client", of("rival", &object)),
        ("AS-070", "another payload", of("acme", &forged(&object))),
        ("AS-070", "alg none", of("acme", &unsigned(&good(), "none"))),
        ("AS-070", "alg None", of("acme", &unsigned(&good(), "None"))),
        ("AS-070", "RS256", of("acme", &rs256(&good()))),
        ("AS-070", "HS256 with the public key", of("acme", &hs256(&good()))),
        ("AS-070", "a key in the header", of("acme", &own_key(&good()))),
        ("AS-070", "crit", of("acme", &critical(&good()))),
        ("AS-081", "a name twice", of("acme", &with_payload(&good().to_string().replacen('{', r#"{"aud":"x","#, 1)))),
        ("AS-081", "no object inside", of("acme", &with_payload("[]"))),
    ];
    let mut sentences = Vec::new();
    for (rule, what, encoded) in requests {
        let reply = handle_authorisation_request(&world.auth, &RawRequest { encoded }).await;
        let AuthorisationReply::ErrorPage(problem) = reply else { panic!("{what}: {reply:?}") };
        assert_eq!(problem.rule, rule, "{what}");
        if ["AS-064", "AS-070", "AS-081"].contains(&rule) {
            sentences.push(problem.error.description);
        }
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "AS-064: nothing tells which clients exist");
}

#[tokio::test]
async fn as_066_a_request_and_its_object_may_be_as_long_as_the_bounds() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let good = raw("acme", &signed(&ACME_KEY, &world.claims("acme", &consent)), &[("x", "")]).encoded;
    let long = |bytes: usize| RawRequest { encoded: format!("{good}{}", "x".repeat(bytes - good.len())) };
    assert_eq!(verdict(&world, &long(16_384)).await, None);
    let problem = identify_request(&world.auth, &long(16_385)).await.unwrap_err();
    assert_eq!((problem.rule, problem.too_long), ("AS-066", true));
    assert_eq!(signature::fits(&"x".repeat(12_288)), Ok(()));
    assert_eq!(signature::fits(&"x".repeat(12_289)), Err(RequestObjectError::TooLong));
}

#[tokio::test]
async fn as_064_whatever_is_sent_a_client_that_exists_is_told_what_another_is() {
    let world = World::new().await;
    world.register(Client { status: ClientStatus::Disabled, ..client("gone", &ACME_KEY) }).await;
    for sent in [
        "request=hello".to_owned(),
        format!("request={}", "x".repeat(12 * 1024 + 1)),
        "request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Anone".to_owned(),
        "request_uri=https%3A%2F%2Ftpp.test".to_owned(),
        "response_type=code".to_owned(),
    ] {
        let mut told = Vec::new();
        for client in ["acme", "gone", "nobody", "no%00body", ""] {
            let encoded = format!("client_id={client}&{sent}");
            let reply = handle_authorisation_request(&world.auth, &RawRequest { encoded }).await;
            let AuthorisationReply::ErrorPage(problem) = reply else { panic!("{client}: {reply:?}") };
            told.push((problem.error.code, problem.error.description));
        }
        told.dedup();
        assert_eq!(told.len(), 1, "{sent:.40}: {told:?}");
    }
}

#[tokio::test]
async fn as_066_the_sizes_are_exactly_those() {
    let world = World::new().await;
    let read = |bytes: usize| {
        let encoded = format!("client_id={}", "x".repeat(bytes - "client_id=".len()));
        parameters::read(&RawRequest { encoded }).is_err_and(|problem| problem.too_long)
    };
    assert!(!read(16 * 1024) && read(16 * 1024 + 1));
    let acme = client("acme", &ACME_KEY);
    for (bytes, rule) in [(12 * 1024, "AS-064"), (12 * 1024 + 1, "AS-066")] {
        let refused = signature::open(&world.auth, &acme, &"x".repeat(bytes)).await.unwrap_err();
        assert_eq!(refused.rule(), rule);
    }
}

#[tokio::test]
async fn as_078_nothing_tells_one_unusable_consent_from_another() {
    let world = World::new().await;
    let context = &world.auth.context;
    let (deleted, rejected) = (world.consent("acme").await, world.consent("acme").await);
    lombard_service::consents::delete_consent(
        context,
        &"acme".into(),
        lombard_domain::consent::ConsentKind::AccountAccess,
        &deleted,
        Version::V3_1,
    )
    .await
    .unwrap();
    let (mut refused, now) = (world.stored(&rejected).await, context.clocks.bank_now());
    refused.reject(now);
    context.store.write(move |tx| tx.consent_update(&refused)).await.unwrap();
    let soon = now.checked_add(SignedDuration::from_secs(1)).unwrap();
    let expired = world.consent_until("acme", Some(soon)).await;
    world.clock.advance(SignedDuration::from_secs(1));
    let foreign = world.consent("rival").await;

    let mut answers = Vec::new();
    for consent in [deleted, rejected, expired, foreign, ConsentId::from("nowhere")] {
        let answer = world.answer("acme", &world.claims("acme", &consent)).await;
        assert_eq!(answer.error(), Some("invalid_request"), "{consent}");
        answers.push(answer.value("error_description").unwrap().to_owned());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
}

#[tokio::test]
async fn as_080_an_object_may_be_opened_again_but_is_answered_once() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let claims = world.claims("acme", &consent);
    for _ in 0..2 {
        assert!(
            matches!(world.ask("acme", &claims).await, AuthorisationReply::Journey(_)),
            "a reload before any answer"
        );
    }
    let mut bad = world.claims("acme", &consent);
    set(&mut bad, "/scope", json!("accounts"));
    assert_eq!(world.answer("acme", &bad).await.error(), Some("invalid_scope"));
    set(&mut bad, "/scope", json!("openid accounts"));
    assert_eq!(world.answer("acme", &bad).await.error(), Some("invalid_request_object"), "the jti was answered");

    let mut by_nonce = world.claims("acme", &consent);
    remove(&mut by_nonce, "jti");
    set(&mut by_nonce, "/scope", json!("accounts"));
    world.answer("acme", &by_nonce).await;
    set(&mut by_nonce, "/scope", json!("openid accounts"));
    assert_eq!(world.answer("acme", &by_nonce).await.error(), Some("invalid_request_object"), "so was the nonce");

    let theirs = world.consent("rival").await;
    let mut same_jti = world.claims("rival", &theirs);
    set(&mut same_jti, "/jti", bad["jti"].clone());
    assert!(
        matches!(world.ask("rival", &same_jti).await, AuthorisationReply::Journey(_)),
        "another client's jti is its own"
    );
}

#[tokio::test]
async fn as_051_further_scopes_are_dropped_and_as_052_lost_roles_open_nothing() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let mut claims = world.claims("acme", &consent);
    set(&mut claims, "/scope", json!("payments openid accounts"));
    let located = identify_request(&world.auth, &raw("acme", &signed(&ACME_KEY, &claims), &[])).await.unwrap();
    let checked = check(&world.auth, &located).unwrap();
    let authorisable = find_authorisable_request(&world.auth, checked).await.unwrap();
    assert_eq!(authorisable.scopes, Scopes::parse("openid accounts").unwrap());

    world.register(Client { roles: vec![TppRole::Pisp], ..client("pisp", &ACME_KEY) }).await;
    let consent = world.consent("pisp").await;
    assert_eq!(world.answer("pisp", &world.claims("pisp", &consent)).await.error(), Some("invalid_scope"));
}

#[tokio::test]
async fn as_079_the_acr_that_was_asked_for_is_the_one_returned() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    for (asked, given) in [
        (Value::Null, Acr::Sca),
        (json!({"essential": true, "value": "urn:openbanking:psd2:ca"}), Acr::Ca),
        (json!({"essential": true, "values": ["urn:x", "urn:openbanking:psd2:sca"]}), Acr::Sca),
        (json!({"essential": false, "values": ["urn:x"]}), Acr::Sca),
        (json!({"essential": true}), Acr::Sca),
    ] {
        let mut claims = world.claims("acme", &consent);
        set(&mut claims, SCA, asked.clone());
        let located = identify_request(&world.auth, &raw("acme", &signed(&ACME_KEY, &claims), &[])).await.unwrap();
        assert_eq!(check(&world.auth, &located).unwrap().acr, given, "{asked}");
    }
}

#[tokio::test]
async fn as_068_a_hint_is_a_token_of_ours_to_this_client_however_old() {
    let world = World::new().await;
    let (mine, theirs) = (world.consent("acme").await, world.consent("rival").await);
    let hint = async |client: &str, consent: &ConsentId| {
        let grant = Grant {
            id: "g".into(),
            client: client.into(),
            subject: GrantSubject::Psu { psu: "amelia".into(), consent: consent.clone() },
            scopes: Scopes::NONE,
            auth_time: None,
            acr: None,
            nonce: None,
            created_at: world.auth.context.clocks.wall_now(),
            revoked_at: None,
            epoch: 0,
        };
        sign_identity_token(&world.auth, &grant, IdTokenBinding::default()).await.unwrap()
    };
    let (own, foreign) = (hint("acme", &mine).await, hint("rival", &theirs).await);
    world.clock.advance(SignedDuration::from_hours(48));
    let asked = |token: &str| {
        let mut claims = world.claims("acme", &mine);
        add(&mut claims, "id_token_hint", json!(token));
        raw("acme", &signed(&ACME_KEY, &claims), &[])
    };
    assert_eq!(verdict(&world, &asked(&own)).await, None, "expiry is ignored");
    let located = identify_request(&world.auth, &asked(&own)).await.unwrap();
    assert_eq!(check(&world.auth, &located).unwrap().hint, Some(mine.clone()));
    for (what, token) in [
        ("another client's", foreign),
        ("forged", forged(&own)),
        ("the client's own", { signed(&ACME_KEY, &json!({"iss": ISSUER, "aud": "acme", "sub": mine.as_str()})) }),
    ] {
        assert_eq!(verdict(&world, &asked(&token)).await, Some(("AS-068", InvalidRequest)), "{what}");
    }
}

/// Addresses that are similar to a registered one, and some that are not.
fn near_misses() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(REDIRECT_URI.to_owned()),
        (0..=REDIRECT_URI.len(), "[ -~]{1,3}").prop_map(|(at, more)| {
            let (before, after) = REDIRECT_URI.split_at(at);
            format!("{before}{more}{after}")
        }),
        (0..REDIRECT_URI.len()).prop_map(|at| {
            let mut uri = REDIRECT_URI.to_owned();
            uri.remove(at);
            uri
        }),
        (0..REDIRECT_URI.len()).prop_map(|at| {
            let mut uri: Vec<char> = REDIRECT_URI.chars().collect();
            uri[at] = if uri[at].is_lowercase() { uri[at].to_ascii_uppercase() } else { 'x' };
            uri.into_iter().collect()
        }),
        "https://(tpp|evil)\\.test(:8445|:443)?/(callback|CALLBACK|callback/|callback\\?a=b|%63allback|\\.\\./x)?",
        any::<String>(),
    ]
}

#[test]
fn as_064_no_browser_is_ever_sent_to_an_address_that_was_not_registered() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(World::new());
    let consent = runtime.block_on(world.consent("acme"));
    proptest!(ProptestConfig::with_cases(192), |(asked in near_misses(), breaks in any::<bool>())| {
        let mut claims = world.claims("acme", &consent);
        set(&mut claims, "/redirect_uri", json!(asked));
        if breaks {
            set(&mut claims, "/scope", json!("nonsense"));
        }
        let registered = client("acme", &ACME_KEY).redirect_uris.contains(&asked);
        match runtime.block_on(world.ask("acme", &claims)) {
            AuthorisationReply::TooMany { .. } => prop_assert!(false),
            AuthorisationReply::ErrorPage(_) => prop_assert!(!registered),
            AuthorisationReply::Journey(_) => prop_assert!(registered && !breaks),
            AuthorisationReply::Redirect(redirect) => {
                prop_assert!(registered && breaks);
                prop_assert_eq!(Answer::read(&redirect).address, asked);
            }
        }
    });
}
