use super::*;
use crate::OAuthErrorCode;
use crate::endpoints::OAuthEndpoint;
use crate::form::Form;
use crate::testing::{ISSUER, Leaf, Tpp, World, foreign_key, jwks};
use lombard_domain::client::ClientStatus;
use lombard_domain::client::Jwks;
use lombard_jose::{JoseHeader, base64url, sign_compact};
use serde_json::{Value, json};

const UNPROVEN: &str = "The client could not be authenticated.";

/// Authenticates this form with the TPP's certificate.
async fn attempt(world: &World, tpp: &Tpp, form: &Form) -> Result<AuthenticatedClient, OAuthError> {
    world.authenticate(OAuthEndpoint::Token, form, Some(&tpp.certificate)).await
}

fn refusal(result: Result<AuthenticatedClient, OAuthError>) -> (OAuthErrorCode, &'static str) {
    let error = result.unwrap_err();
    (error.code, error.description)
}

fn form(text: &str) -> Form {
    Form::parse(text.as_bytes()).unwrap()
}

/// A TPP that authenticates with its certificate's subject.
fn tls_tpp(name: &str) -> Tpp {
    let mut tpp = Tpp::new(name);
    let org = tpp.client.org_id.as_str();
    let subject_dn = format!("CN={org},2.5.4.97=PSDGB-FCA-123456,O=Acme\\, Limited,C=GB");
    tpp.client.authentication = ClientAuthentication::TlsClientAuth { subject_dn };
    tpp
}

#[tokio::test]
async fn as_023_a_good_assertion_authenticates() {
    let (world, tpp) = World::with_tpp().await;
    for parameters in [&[][..], &[("client_id", "client-acme")]] {
        let authenticated = attempt(&world, &tpp, &tpp.form(world.wall(), parameters)).await.unwrap();
        assert_eq!(authenticated.client().id, tpp.client.id);
    }
}

#[tokio::test]
async fn as_022_the_registered_subject_authenticates() {
    let world = World::new().await;
    let tpp = tls_tpp("rival");
    world.register(&tpp.client).await;
    assert!(attempt(&world, &tpp, &form("client_id=client-rival")).await.is_ok());
    let other = Leaf::obwac("OTHER").certificate();
    let refused = world.authenticate(OAuthEndpoint::Token, &form("client_id=client-rival"), Some(&other)).await;
    assert_eq!(refusal(refused), (OAuthErrorCode::InvalidClient, UNPROVEN));
}

#[tokio::test]
async fn as_028_without_a_certificate_nobody_is_authenticated() {
    let (world, tpp) = World::with_tpp().await;
    let result = world.authenticate(OAuthEndpoint::Token, &tpp.form(world.wall(), &[]), None).await;
    assert_eq!(refusal(result).0, OAuthErrorCode::InvalidClient);
}

#[tokio::test]
async fn as_020_021_one_registered_mechanism_and_no_secrets() {
    let (world, tpp) = World::with_tpp().await;
    let with = |parameters: &[(&str, &str)]| tpp.form(world.wall(), parameters);
    for (case, form, code) in [
        ("assertion and secret", with(&[("client_secret", "s")]), OAuthErrorCode::InvalidRequest),
        ("secret", form("client_id=client-acme&client_secret=s"), OAuthErrorCode::InvalidClient),
        ("another id beside the assertion", with(&[("client_id", "client-rival")]), OAuthErrorCode::InvalidClient),
        ("nothing", form("grant_type=client_credentials"), OAuthErrorCode::InvalidClient),
        (
            "tls_client_auth by a client of private_key_jwt",
            form("client_id=client-acme"),
            OAuthErrorCode::InvalidClient,
        ),
        ("assertion without its type", form("client_assertion=a.b.c"), OAuthErrorCode::InvalidClient),
        (
            "type without its assertion",
            form("client_id=client-acme&client_assertion_type=x"),
            OAuthErrorCode::InvalidClient,
        ),
    ] {
        assert_eq!(refusal(attempt(&world, &tpp, &form).await).0, code, "{case}");
    }
    let assertion = tpp.form(world.wall(), &[]);
    for (form, code) in [(&assertion, OAuthErrorCode::InvalidRequest), (&form("a=b"), OAuthErrorCode::InvalidClient)] {
        let certificate = Some(&tpp.certificate);
        let request = ClientRequest { endpoint: OAuthEndpoint::Token, form, authorization_header: true, certificate };
        assert_eq!(refusal(authenticate_client(&world.auth, &request).await).0, code, "an Authorization header");
    }
}

#[tokio::test]
async fn as_023_025_claims_at_their_bounds() {
    let (world, tpp) = World::with_tpp().await;
    let now = world.wall().as_second();
    let long = "j".repeat(5000);
    let absent = Value::Null;
    for (claim, value, accepted) in [
        ("exp", json!(now + 3600), true),
        ("exp", json!(now + 3601), false),
        ("exp", json!(now - 4), true),
        ("exp", json!(now - 5), false),
        ("exp", json!(now - 300), false),
        ("exp", json!((now + 60).to_string()), false),
        ("exp", absent.clone(), false),
        ("nbf", json!(now + 60), true),
        ("nbf", json!(now + 61), false),
        ("iat", json!(now + 60), true),
        ("iat", json!(now + 61), false),
        ("iat", absent.clone(), true),
        ("jti", absent.clone(), false),
        ("jti", json!(""), false),
        ("jti", json!(7), false),
        ("jti", json!(long), true),
        ("sub", absent.clone(), false),
        ("sub", json!("client-rival"), false),
        ("iss", absent.clone(), false),
        ("iss", json!(""), false),
        ("aud", absent, false),
        ("aud", json!(ISSUER), true),
        ("aud", json!("https://mtls.bank.example/token"), true),
        ("aud", json!(["https://other.example", ISSUER]), true),
        ("aud", json!([]), false),
        ("aud", json!("https://bank.example/"), false),
        ("aud", json!("https://mtls.bank.example/introspect"), false),
        ("aud", json!("https://other.example"), false),
        ("claims", json!({"id_token": {"openbanking_intent_id": {"value": ""}}}), true),
    ] {
        let mut claims = tpp.claims(world.wall());
        claims[claim] = value;
        if claims[claim].is_null() {
            claims.as_object_mut().unwrap().remove(claim);
        }
        let result = attempt(&world, &tpp, &Tpp::form_with(&tpp.sign(&claims), &[])).await;
        assert_eq!(result.is_ok(), accepted, "{claim}: {}", claims[claim]);
        if let Err(error) = result {
            assert_eq!(error.code, OAuthErrorCode::InvalidClient, "{claim}");
        }
    }
}

#[tokio::test]
async fn as_024_the_address_of_the_endpoint_is_an_audience_there() {
    let (world, tpp) = World::with_tpp().await;
    let mut claims = tpp.claims(world.wall());
    claims["aud"] = json!("https://mtls.bank.example/introspect");
    let form = Tpp::form_with(&tpp.sign(&claims), &[]);
    assert!(world.authenticate(OAuthEndpoint::Introspection, &form, Some(&tpp.certificate)).await.is_ok());
    assert!(world.authenticate(OAuthEndpoint::Revocation, &form, Some(&tpp.certificate)).await.is_err());
}

#[tokio::test]
async fn as_023_forged_assertions_prove_nothing() {
    let (world, tpp) = World::with_tpp().await;
    let claims = tpp.claims(world.wall());
    let payload = claims.to_string();
    let good = tpp.sign(&claims);
    let parts: Vec<&str> = good.split('.').collect();
    let headed = |header: Value, signature: &str| {
        format!("{}.{}.{signature}", base64url(header.to_string().as_bytes()), parts[1])
    };
    let kid = tpp.key.id().as_str();
    let foreign = foreign_key();
    let by_foreign = |header: &JoseHeader| sign_compact(&foreign, header, payload.as_bytes()).unwrap();
    let mut own_key = JoseHeader::ps256(foreign.id());
    own_key.extra.insert("jwk".into(), foreign.public().to_jwk(&[]));
    let mut jku = JoseHeader::ps256(foreign.id());
    jku.extra.insert("jku".into(), json!("https://attacker.example/jwks"));
    let changed = base64url(payload.replace("jti-", "jti+").as_bytes());
    for (case, assertion) in [
        ("alg none, no signature", headed(json!({"alg": "none"}), "")),
        ("alg none, with a signature", headed(json!({"alg": "none", "kid": kid}), parts[2])),
        ("RS256", headed(json!({"alg": "RS256", "kid": kid}), parts[2])),
        ("HS256", headed(json!({"alg": "HS256", "kid": kid}), parts[2])),
        ("ES256", headed(json!({"alg": "ES256", "kid": kid}), parts[2])),
        ("ps256", headed(json!({"alg": "ps256", "kid": kid}), parts[2])),
        ("crit", headed(json!({"alg": "PS256", "kid": kid, "crit": ["exp"]}), parts[2])),
        ("another key under the right kid", by_foreign(&JoseHeader::ps256(tpp.key.id()))),
        ("another key under its own kid", by_foreign(&JoseHeader::ps256(foreign.id()))),
        ("AS-010: the key in the header", by_foreign(&own_key)),
        ("AS-010: an address of keys in the header", by_foreign(&jku)),
        ("another payload", format!("{}.{changed}.{}", parts[0], parts[2])),
        ("no signature", format!("{}.{}.", parts[0], parts[1])),
        ("half a signature", format!("{}.{}.{}", parts[0], parts[1], &parts[2][..160])),
    ] {
        let result = attempt(&world, &tpp, &Tpp::form_with(&assertion, &[])).await;
        assert_eq!(refusal(result), (OAuthErrorCode::InvalidClient, UNPROVEN), "{case}");
    }
    assert!(attempt(&world, &tpp, &Tpp::form_with(&good, &[])).await.is_ok(), "the original is good");
    for malformed in ["", "a", "a.b", "a.b.c", "a.b.c.d", "..", "%%%.e30.x"] {
        let result = attempt(&world, &tpp, &Tpp::form_with(malformed, &[])).await;
        assert_eq!(result.unwrap_err().code, OAuthErrorCode::InvalidClient, "{malformed}");
    }
}

#[tokio::test]
async fn as_011_without_a_kid_every_registered_key_is_tried() {
    let world = World::new().await;
    let mut tpp = Tpp::new("acme");
    let foreign: Value = serde_json::from_str(&jwks(&foreign_key())).unwrap();
    let mut keys: Value = serde_json::from_str(tpp.client.jwks.local().unwrap()).unwrap();
    keys["keys"].as_array_mut().unwrap().insert(0, foreign["keys"][0].clone());
    tpp.client.jwks = Jwks::Local(keys.to_string());
    world.register(&tpp.client).await;
    let header = JoseHeader { kid: None, ..JoseHeader::ps256(tpp.key.id()) };
    let assertion = sign_compact(&tpp.key, &header, tpp.claims(world.wall()).to_string().as_bytes()).unwrap();
    assert!(attempt(&world, &tpp, &Tpp::form_with(&assertion, &[])).await.is_ok());
}

#[tokio::test]
async fn as_030_unknown_client_wrong_key_and_wrong_certificate_look_alike() {
    let (world, tpp) = World::with_tpp().await;
    let (form_of, form) = (form, tpp.form(world.wall(), &[]));
    let long = format!("client_id={}", "x".repeat(ID_CHARS_MAX + 1));
    let stranger = Tpp::new("stranger");
    let wrong_key = Tpp { key: foreign_key(), ..tpp.clone() };
    let foreign_certificate = Leaf::obwac("OTHER").certificate();
    let mut disabled = Tpp::new("gone");
    disabled.client.status = ClientStatus::Disabled;
    world.register(&disabled.client).await;
    let other_method = tls_tpp("rival");
    world.register(&other_method.client).await;
    for (case, result) in [
        ("unknown", attempt(&world, &stranger, &stranger.form(world.wall(), &[])).await),
        ("unknown by certificate", attempt(&world, &stranger, &form_of("client_id=client-stranger")).await),
        ("no id at all", attempt(&world, &stranger, &form_of("client_id=client%00acme")).await),
        ("too long to be one", attempt(&world, &stranger, &form_of(&long)).await),
        ("wrong key", attempt(&world, &tpp, &wrong_key.form(world.wall(), &[])).await),
        (
            "AS-029: wrong certificate",
            world.authenticate(OAuthEndpoint::Token, &form, Some(&foreign_certificate)).await,
        ),
        ("disabled", attempt(&world, &disabled, &disabled.form(world.wall(), &[])).await),
        ("another method", attempt(&world, &other_method, &other_method.form(world.wall(), &[])).await),
    ] {
        assert_eq!(refusal(result), (OAuthErrorCode::InvalidClient, UNPROVEN), "{case}");
    }
}

#[tokio::test]
async fn as_113_an_expired_certificate_no_longer_authenticates() {
    let (world, tpp) = World::with_tpp().await;
    world.pass_secs(91 * 86_400);
    let result = attempt(&world, &tpp, &tpp.form(world.wall(), &[])).await;
    assert_eq!(result.unwrap_err().code, OAuthErrorCode::InvalidClient);
}

#[tokio::test]
async fn as_026_a_jti_works_once_for_each_client() {
    let (world, tpp) = World::with_tpp().await;
    let other = Tpp::new("other");
    world.register(&other.client).await;
    let mut claims = tpp.claims(world.wall());
    let form = Tpp::form_with(&tpp.sign(&claims), &[]);
    assert!(attempt(&world, &tpp, &form).await.unwrap().claim_assertion_now(&world.auth).await.is_ok());
    let replayed = attempt(&world, &tpp, &form).await.unwrap().claim_assertion_now(&world.auth).await.unwrap_err();
    assert_eq!(replayed.code, OAuthErrorCode::InvalidClient);
    (claims["iss"], claims["sub"]) = (json!("client-other"), json!("client-other"));
    let same_jti = Tpp::form_with(&other.sign(&claims), &[]);
    assert!(attempt(&world, &other, &same_jti).await.unwrap().claim_assertion_now(&world.auth).await.is_ok());
}

#[tokio::test]
async fn as_026_of_many_at_once_one_spends_the_assertion() {
    let (world, tpp) = World::with_tpp().await;
    let form = tpp.form(world.wall(), &[]);
    let mut racers = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let authenticated = attempt(&world, &tpp, &form).await.unwrap();
        let auth = world.auth.clone();
        racers.spawn(async move { authenticated.claim_assertion_now(&auth).await.is_ok() });
    }
    let results = racers.join_all().await;
    assert_eq!(results.into_iter().filter(|won| *won).count(), 1);
}
