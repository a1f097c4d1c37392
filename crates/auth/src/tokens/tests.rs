mod changed_client;
mod credentials;

use super::*;
use crate::certificates::ClientCertificate;
use crate::endpoints::OAuthEndpoint;
use crate::testing::{ISSUER, Leaf, REDIRECT_URI, START, Tpp, World};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::ClientStatus;
use lombard_domain::grant::{Digest, TokenState};
use lombard_domain::scope::TppRole;
use lombard_jose::{CompactJws, from_base64url, half_hash, sha256};
use lombard_ports::store::Store;
use serde_json::{Value, json};

const CONSENT: &str = "consent-1";

fn code(result: Result<TokenResponse, OAuthError>) -> OAuthErrorCode {
    result.unwrap_err().code
}

async fn state(world: &World, token: &str) -> Option<TokenState> {
    let hash: Digest = sha256(token.as_bytes());
    let store: &Store = &world.auth.context.store;
    store.read::<_, StoreError, _>(move |tx| tx.token_state(&hash)).await.unwrap()
}

/// Whether an access token works with this certificate.
async fn works(world: &World, token: &str, certificate: &ClientCertificate) -> bool {
    world.auth.callers.resolve_caller(token, Some(certificate)).await.is_ok()
}

/// A TPP with an authorised consent and one code for it, `code-1`.
async fn authorised(expires_at: Option<Timestamp>) -> (World, Tpp) {
    let (world, tpp) = World::with_tpp().await;
    let consent = world.consent(&tpp.client.id, CONSENT, expires_at).await;
    world.code(&consent, "code-1", None).await;
    (world, tpp)
}

fn in_secs(secs: i64) -> Option<Timestamp> {
    Some(Timestamp::from_second(START + secs).unwrap())
}

fn claims(world: &World, id_token: &str) -> Value {
    let jws = CompactJws::parse(id_token).unwrap();
    jws.verify(&world.auth.keys.verification_keys()).unwrap();
    jws.claims().unwrap()
}

#[tokio::test]
async fn as_036_038_client_credentials_give_one_bearer_token() {
    let (world, tpp) = World::with_tpp().await;
    let answer = world.token(&tpp, &[("grant_type", "client_credentials"), ("scope", "accounts")]).await.unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        json,
        json!({"access_token": answer.access_token, "token_type": "Bearer", "expires_in": 3600, "scope": "accounts"})
    );
    assert_eq!(from_base64url(&answer.access_token).unwrap().len(), 32, "AS-103");
    assert!(works(&world, &answer.access_token, &tpp.certificate).await);
    let stored = state(&world, &answer.access_token).await.unwrap();
    assert_eq!(stored.token.certificate, tpp.certificate.thumbprint(), "AS-092");
}

#[tokio::test]
async fn as_039_040_052_which_scopes_a_client_gets() {
    let (world, mut tpp) = World::with_tpp().await;
    let mut aisp = Tpp::new("aisp");
    aisp.client.roles = vec![TppRole::Aisp];
    world.register(&aisp.client).await;
    let mut leaf = Leaf::obwac(tpp.client.org_id.as_str());
    leaf.statements = Some(crate::certificates::tests::statements(&[3]));
    for (who, scope, given) in [
        (&tpp, Some("accounts openid"), Some("accounts")),
        (&tpp, Some("payments accounts"), Some("accounts payments")),
        (&tpp, Some("openid"), Some("")),
        (&tpp, Some(""), Some("")),
        (&tpp, None, Some("")),
        (&tpp, Some("accounts email"), None),
        (&tpp, Some("ACCOUNTS"), None),
        (&aisp, Some("accounts"), Some("accounts")),
        (&aisp, Some("payments"), None),
        (&aisp, Some("accounts payments"), None),
    ] {
        let mut parameters = vec![("grant_type", "client_credentials"), ("redirect_uri", "https://ignored.example")];
        parameters.extend(scope.map(|scope| ("scope", scope)));
        let result = world.token(who, &parameters).await;
        match given {
            Some(given) => assert_eq!(result.unwrap().scope, given, "{scope:?}"),
            None => assert_eq!(code(result), OAuthErrorCode::InvalidScope, "{scope:?}"),
        }
    }
    tpp.certificate = leaf.certificate();
    let narrowed = world.token(&tpp, &[("grant_type", "client_credentials"), ("scope", "payments")]).await;
    assert_eq!(code(narrowed), OAuthErrorCode::InvalidScope, "DCR-053");
}

#[tokio::test]
async fn as_037_grants_that_are_none() {
    let (world, tpp) = World::with_tpp().await;
    for (parameters, expected) in [
        (&[][..], OAuthErrorCode::InvalidRequest),
        (&[("grant_type", "password")], OAuthErrorCode::UnsupportedGrantType),
        (&[("grant_type", "implicit")], OAuthErrorCode::UnsupportedGrantType),
        (&[("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")], OAuthErrorCode::UnsupportedGrantType),
        (&[("grant_type", "authorization_code")], OAuthErrorCode::InvalidRequest),
        (&[("grant_type", "authorization_code"), ("code", "c")], OAuthErrorCode::InvalidRequest),
        (&[("grant_type", "authorization_code"), ("redirect_uri", REDIRECT_URI)], OAuthErrorCode::InvalidRequest),
        (&[("grant_type", "refresh_token")], OAuthErrorCode::InvalidRequest),
    ] {
        assert_eq!(code(world.token(&tpp, parameters).await), expected, "{parameters:?}");
    }
}

#[tokio::test]
async fn as_026_an_assertion_is_spent_with_its_token_and_by_a_refused_grant() {
    let (world, tpp) = World::with_tpp().await;
    for grant in ["client_credentials", "password"] {
        let form = tpp.form(world.wall(), &[("grant_type", grant)]);
        let call = async || {
            let authenticated = world.authenticate(OAuthEndpoint::Token, &form, Some(&tpp.certificate)).await?;
            issue_tokens(&world.auth, authenticated, &tpp.token_request(&form)).await
        };
        assert_eq!(call().await.is_ok(), grant == "client_credentials");
        assert_eq!(code(call().await), OAuthErrorCode::InvalidClient);
    }
}

#[tokio::test]
async fn as_044_100_the_answer_to_a_code() {
    let (world, tpp) = authorised(None).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    assert_eq!((answer.scope.as_str(), answer.expires_in), ("openid accounts", 3600));
    assert!(works(&world, &answer.access_token, &tpp.certificate).await);
    let id_token = answer.id_token.unwrap();
    assert!(CompactJws::parse(&id_token).unwrap().header().kid.is_some());
    assert_eq!(
        claims(&world, &id_token),
        json!({
            "iss": ISSUER, "sub": CONSENT, "aud": "client-acme", "iat": START, "exp": START + 600,
            "openbanking_intent_id": CONSENT, "auth_time": START, "acr": "urn:openbanking:psd2:sca",
            "nonce": "n-0S6_WzA2Mj", "at_hash": half_hash(&answer.access_token),
        }),
        "AS-095: without refresh_token_expires_at, for it never ends"
    );
}

#[tokio::test]
async fn as_093_095_tokens_end_with_their_consent() {
    let (world, tpp) = authorised(in_secs(1000)).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    assert_eq!(answer.expires_in, 1000);
    let claim =
        &claims(&world, answer.id_token.as_deref().unwrap())["http://openbanking.org.uk/refresh_token_expires_at"];
    assert_eq!(*claim, json!(START + 1000));
    let refresh = answer.refresh_token.unwrap();
    assert_eq!(state(&world, &refresh).await.unwrap().token.expires_at, in_secs(1000));
    world.pass_secs(999);
    let renewed = world.token(&tpp, &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).await.unwrap();
    assert_eq!(renewed.expires_in, 1);
    world.pass_secs(1);
    assert!(!works(&world, &renewed.access_token, &tpp.certificate).await, "AIS-078: the boundary counts as ended");
    let late = world.token(&tpp, &[("grant_type", "refresh_token"), ("refresh_token", &refresh)]).await;
    assert_eq!(code(late), OAuthErrorCode::InvalidGrant);
}

#[tokio::test]
async fn a_consents_end_is_on_the_banks_clock() {
    let (world, tpp) = authorised(in_secs(1000)).await;
    world.clocks.set_bank_offset_micros(SignedDuration::from_secs(900).as_micros().try_into().unwrap());
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    assert_eq!(answer.expires_in, 100);
    world.clocks.set_bank_offset_micros(SignedDuration::from_secs(1000).as_micros().try_into().unwrap());
    assert!(!works(&world, &answer.access_token, &tpp.certificate).await);
}

#[tokio::test]
async fn as_042_043_what_a_code_is_bound_to() {
    let (world, tpp) = authorised(None).await;
    let other = Tpp::new("other");
    world.register(&other.client).await;
    assert_eq!(code(world.exchange(&other, "code-1").await), OAuthErrorCode::InvalidGrant, "another client");
    assert_eq!(code(world.exchange(&tpp, "code-2").await), OAuthErrorCode::InvalidGrant, "unknown");
    for uri in ["https://tpp.example/callback/", "https://TPP.example/callback", "https://tpp.example/callback?a=b"] {
        let parameters = [("grant_type", "authorization_code"), ("code", "code-1"), ("redirect_uri", uri)];
        assert_eq!(code(world.token(&tpp, &parameters).await), OAuthErrorCode::InvalidGrant, "{uri}");
    }
    world.pass_secs(59);
    assert!(world.exchange(&tpp, "code-1").await.is_ok(), "none of these spent it");
}

#[tokio::test]
async fn as_042_a_code_lives_60_seconds() {
    let (world, tpp) = authorised(None).await;
    world.pass_secs(60);
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
}

#[tokio::test]
async fn as_043_a_code_used_again_revokes_what_came_from_it() {
    let (world, tpp) = authorised(None).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    let other = Tpp::new("other");
    world.register(&other.client).await;
    assert_eq!(code(world.exchange(&other, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert!(works(&world, &answer.access_token, &tpp.certificate).await, "another client cannot do that");
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert!(!works(&world, &answer.access_token, &tpp.certificate).await);
    let parameters = [("grant_type", "refresh_token"), ("refresh_token", answer.refresh_token.as_deref().unwrap())];
    assert_eq!(code(world.token(&tpp, &parameters).await), OAuthErrorCode::InvalidGrant);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn as_043_of_many_at_once_one_redeems_the_code() {
    let (world, tpp) = authorised(None).await;
    let mut racers = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let parameters = [("grant_type", "authorization_code"), ("code", "code-1"), ("redirect_uri", REDIRECT_URI)];
        let form = tpp.form(world.wall(), &parameters);
        let authenticated = world.authenticate(OAuthEndpoint::Token, &form, Some(&tpp.certificate)).await.unwrap();
        let (auth, tpp) = (world.auth.clone(), tpp.clone());
        racers.spawn(async move { issue_tokens(&auth, authenticated, &tpp.token_request(&form)).await });
    }
    let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 11));
    assert!(lost.into_iter().all(|result| code(result) == OAuthErrorCode::InvalidGrant));
    for answer in won.into_iter().flatten() {
        assert!(!works(&world, &answer.access_token, &tpp.certificate).await, "the losers revoked the winner's token");
    }
}

#[tokio::test]
async fn as_150_pkce_is_checked_where_it_was_asked_for() {
    let (world, tpp) = authorised(None).await;
    let consent = world.consent(&tpp.client.id, "consent-2", None).await;
    world.code(&consent, "code-2", Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")).await;
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let wrong = "x".repeat(43);
    for (code_text, verifier, accepted) in [
        ("code-1", Some(verifier), false),
        ("code-2", None, false),
        ("code-2", Some(wrong.as_str()), false),
        ("code-2", Some(verifier), true),
    ] {
        let grant = ("grant_type", "authorization_code");
        let mut parameters = vec![grant, ("code", code_text), ("redirect_uri", REDIRECT_URI)];
        parameters.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        let result = world.token(&tpp, &parameters).await;
        assert_eq!(result.is_ok(), accepted, "{code_text} {verifier:?}");
        if let Err(error) = result {
            assert_eq!(error.code, OAuthErrorCode::InvalidGrant);
        }
    }
}

#[tokio::test]
async fn ais_065_a_code_dies_with_its_consent() {
    let (world, tpp) = authorised(None).await;
    world.delete(&CONSENT.into(), &tpp.client.id).await;
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    let (world, tpp) = authorised(in_secs(30)).await;
    world.pass_secs(30);
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
}

#[tokio::test]
async fn as_099_a_new_code_ends_the_earlier_tokens_when_it_is_exchanged() {
    let (world, tpp) = authorised(None).await;
    let first = world.exchange(&tpp, "code-1").await.unwrap();
    let consent = world.consent_again(CONSENT).await;
    world.code(&consent, "code-2", None).await;
    assert!(works(&world, &first.access_token, &tpp.certificate).await, "not before (RW-043)");
    let second = world.exchange(&tpp, "code-2").await.unwrap();
    assert!(!works(&world, &first.access_token, &tpp.certificate).await);
    assert!(works(&world, &second.access_token, &tpp.certificate).await);
    let parameters = [("grant_type", "refresh_token"), ("refresh_token", first.refresh_token.as_deref().unwrap())];
    assert_eq!(code(world.token(&tpp, &parameters).await), OAuthErrorCode::InvalidGrant);
}

#[tokio::test]
async fn as_041_what_does_not_belong_to_a_grant_is_ignored() {
    let (world, tpp) = authorised(None).await;
    let own = [("grant_type", "client_credentials"), ("scope", "accounts"), ("redirect_uri", "https://evil.test")];
    assert_eq!(world.token(&tpp, &own).await.unwrap().scope, "accounts");
    let parameters = [
        ("grant_type", "authorization_code"),
        ("code", "code-1"),
        ("redirect_uri", REDIRECT_URI),
        ("scope", "payments"),
    ];
    assert_eq!(world.token(&tpp, &parameters).await.unwrap().scope, "openid accounts");
}

#[tokio::test]
async fn as_099_a_newer_code_outlives_the_exchange_of_an_older_one() {
    let (world, tpp) = authorised(None).await;
    world.clock.advance(SignedDuration::from_secs(1));
    let consent = world.consent_again(CONSENT).await;
    world.code(&consent, "code-2", None).await;
    let first = world.exchange(&tpp, "code-1").await.unwrap();
    assert!(works(&world, &first.access_token, &tpp.certificate).await);
    let second = world.exchange(&tpp, "code-2").await.unwrap();
    assert!(works(&world, &second.access_token, &tpp.certificate).await);
    assert!(!works(&world, &first.access_token, &tpp.certificate).await);
}

#[tokio::test]
async fn as_099_an_older_code_is_worth_nothing_once_a_newer_one_was_exchanged() {
    let (world, tpp) = authorised(None).await;
    world.clock.advance(SignedDuration::from_secs(1));
    let consent = world.consent_again(CONSENT).await;
    world.code(&consent, "code-2", None).await;
    let second = world.exchange(&tpp, "code-2").await.unwrap();
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidGrant);
    assert!(works(&world, &second.access_token, &tpp.certificate).await);
}

#[tokio::test]
async fn a_signature_that_cannot_be_made_costs_neither_code_nor_assertion() {
    let (mut world, tpp) = authorised(None).await;
    let working = world.auth.keys.clone();
    world.auth.keys = World::new().await.without_keys().await;
    let parameters = [("grant_type", "authorization_code"), ("code", "code-1"), ("redirect_uri", REDIRECT_URI)];
    let form = tpp.form(world.wall(), &parameters);
    let failed = world.authenticate(OAuthEndpoint::Token, &form, Some(&tpp.certificate)).await.unwrap();
    assert_eq!(code(issue_tokens(&world.auth, failed, &tpp.token_request(&form)).await), OAuthErrorCode::ServerError);
    world.auth.keys = working;
    let again = world.authenticate(OAuthEndpoint::Token, &form, Some(&tpp.certificate)).await.unwrap();
    assert!(issue_tokens(&world.auth, again, &tpp.token_request(&form)).await.is_ok());
}

#[tokio::test]
async fn as_096_097_refreshing() {
    let (world, mut tpp) = authorised(None).await;
    let first = world.exchange(&tpp, "code-1").await.unwrap();
    let refresh = first.refresh_token.clone().unwrap();
    let with = |scope: Option<&'static str>| {
        let mut parameters = vec![("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
        parameters.extend(scope.map(|scope| ("scope", scope)));
        parameters
    };
    let renewed = world.token(&tpp, &with(None)).await.unwrap();
    assert_eq!((renewed.scope.as_str(), renewed.expires_in), ("openid accounts", 3600));
    assert_eq!((renewed.refresh_token, renewed.id_token), (None, None), "AS-097");
    assert!(works(&world, &first.access_token, &tpp.certificate).await, "the old access token lives on");
    assert_eq!(world.token(&tpp, &with(Some("accounts"))).await.unwrap().scope, "accounts");
    for wider in ["accounts payments", "openid accounts fundsconfirmations", "nonsense"] {
        assert_eq!(code(world.token(&tpp, &with(Some(wider))).await), OAuthErrorCode::InvalidScope, "{wider}");
    }
    let before = tpp.certificate.clone();
    tpp.certificate = Leaf::obwac(tpp.client.org_id.as_str()).certificate();
    let rotated = world.token(&tpp, &with(None)).await.unwrap();
    assert!(works(&world, &rotated.access_token, &tpp.certificate).await, "certificates can be renewed");
    assert!(!works(&world, &rotated.access_token, &before).await);
    let other = Tpp::new("other");
    world.register(&other.client).await;
    assert_eq!(code(world.token(&other, &with(None)).await), OAuthErrorCode::InvalidGrant);
    let access = [("grant_type", "refresh_token"), ("refresh_token", first.access_token.as_str())];
    assert_eq!(code(world.token(&tpp, &access).await), OAuthErrorCode::InvalidGrant, "an access token buys nothing");
    world.delete(&CONSENT.into(), &tpp.client.id).await;
    assert_eq!(code(world.token(&tpp, &with(None)).await), OAuthErrorCode::InvalidGrant);
}

#[tokio::test]
async fn as_052_a_lost_role_is_refused_at_code_refresh_and_use() {
    let (world, mut tpp) = authorised(None).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    let consent = world.consent(&tpp.client.id, "consent-2", None).await;
    world.code(&consent, "code-2", None).await;
    tpp.client.roles = vec![TppRole::Pisp];
    world.update(&tpp.client).await;
    assert_eq!(code(world.exchange(&tpp, "code-2").await), OAuthErrorCode::InvalidGrant);
    let parameters = [("grant_type", "refresh_token"), ("refresh_token", answer.refresh_token.as_deref().unwrap())];
    assert_eq!(code(world.token(&tpp, &parameters).await), OAuthErrorCode::InvalidScope);
    let caller = world.auth.callers.resolve_caller(&answer.access_token, Some(&tpp.certificate)).await.unwrap();
    assert_eq!(caller.scopes.to_string(), "openid");
}

async fn revoke(world: &World, tpp: &Tpp, token: &str) -> Result<(), OAuthError> {
    let form = tpp.form(world.wall(), &[("token", token), ("token_type_hint", "nonsense")]);
    let authenticated = world.authenticate(OAuthEndpoint::Revocation, &form, Some(&tpp.certificate)).await?;
    revocation::revoke_token(&world.auth, authenticated, &form).await
}

async fn introspect(world: &World, tpp: &Tpp, token: &str) -> Value {
    let form = tpp.form(world.wall(), &[("token", token)]);
    let authenticated = world.authenticate(OAuthEndpoint::Introspection, &form, Some(&tpp.certificate)).await.unwrap();
    serde_json::to_value(introspection::introspect_token(&world.auth, authenticated, &form).await.unwrap()).unwrap()
}

#[tokio::test]
async fn as_120_revoking() {
    let (world, tpp) = authorised(None).await;
    let other = Tpp::new("other");
    world.register(&other.client).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    let (access, refresh) = (answer.access_token, answer.refresh_token.unwrap());
    let renew = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
    let second = world.token(&tpp, &renew).await.unwrap().access_token;
    revoke(&world, &other, &access).await.unwrap();
    assert!(works(&world, &access, &tpp.certificate).await, "another client's word counts for nothing");
    revoke(&world, &tpp, &access).await.unwrap();
    assert!(!works(&world, &access, &tpp.certificate).await);
    assert!(works(&world, &second, &tpp.certificate).await);
    revoke(&world, &tpp, &refresh).await.unwrap();
    assert!(!works(&world, &second, &tpp.certificate).await, "a refresh token takes its access tokens with it");
    assert_eq!(code(world.token(&tpp, &renew).await), OAuthErrorCode::InvalidGrant);
    for again in [access.as_str(), refresh.as_str(), "never issued"] {
        assert!(revoke(&world, &tpp, again).await.is_ok());
    }
    assert_eq!(revoke(&world, &tpp, "").await.unwrap_err().code, OAuthErrorCode::InvalidRequest);
    let consent = world.consent_again(CONSENT).await;
    assert!(consent.check_access(world.wall()).is_ok(), "the consent stays as it is");
}

#[tokio::test]
async fn as_121_introspecting() {
    let (world, tpp) = authorised(None).await;
    let other = Tpp::new("other");
    world.register(&other.client).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    let thumbprint = lombard_jose::base64url(&tpp.certificate.thumbprint().0);
    assert_eq!(
        introspect(&world, &tpp, &answer.access_token).await,
        json!({
            "active": true, "client_id": "client-acme", "scope": "openid accounts", "iss": ISSUER, "sub": CONSENT,
            "iat": START, "exp": START + 3600, "cnf": {"x5t#S256": thumbprint}, "consent_id": CONSENT,
            "grant": "authorization_code",
        })
    );
    let refresh = introspect(&world, &tpp, answer.refresh_token.as_deref().unwrap()).await;
    assert_eq!((&refresh["active"], refresh.get("exp")), (&json!(true), None));
    let own = world.token(&tpp, &[("grant_type", "client_credentials"), ("scope", "accounts")]).await.unwrap();
    let client = introspect(&world, &tpp, &own.access_token).await;
    assert_eq!((&client["sub"], client.get("consent_id")), (&json!("client-acme"), None));
    let inactive = json!({"active": false});
    assert_eq!(introspect(&world, &other, &answer.access_token).await, inactive, "foreign");
    assert_eq!(introspect(&world, &tpp, "never issued").await, inactive);
    world.delete(&CONSENT.into(), &tpp.client.id).await;
    assert_eq!(introspect(&world, &tpp, &answer.access_token).await, inactive, "the consent is gone");
    world.pass_secs(3600);
    assert_eq!(introspect(&world, &tpp, &own.access_token).await, inactive, "expired");
}

#[tokio::test]
async fn as_122_userinfo_is_for_psus_with_openid() {
    let (world, tpp) = authorised(None).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    let caller = world.auth.callers.resolve_caller(&answer.access_token, Some(&tpp.certificate)).await.unwrap();
    let claims = serde_json::to_value(userinfo::read_userinfo(&caller).unwrap()).unwrap();
    assert_eq!(claims, json!({"sub": CONSENT, "openbanking_intent_id": CONSENT}));
    let refresh = answer.refresh_token.unwrap();
    let narrow = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str()), ("scope", "accounts")];
    let own = [("grant_type", "client_credentials"), ("scope", "accounts")];
    for parameters in [&narrow[..], &own] {
        let token = world.token(&tpp, parameters).await.unwrap().access_token;
        let caller = world.auth.callers.resolve_caller(&token, Some(&tpp.certificate)).await.unwrap();
        assert_eq!(userinfo::read_userinfo(&caller).unwrap_err().code, OAuthErrorCode::InsufficientScope);
    }
}

#[tokio::test]
async fn a_disabled_client_gets_nothing() {
    let (world, mut tpp) = authorised(None).await;
    let answer = world.exchange(&tpp, "code-1").await.unwrap();
    tpp.client.status = ClientStatus::Disabled;
    world.update(&tpp.client).await;
    assert_eq!(code(world.exchange(&tpp, "code-1").await), OAuthErrorCode::InvalidClient);
    assert!(!works(&world, &answer.access_token, &tpp.certificate).await, "AS-113");
}
