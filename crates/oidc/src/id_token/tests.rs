//! ID tokens with one wrong claim each.

use super::*;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::transfer::NamedAccount;
use lombard_jose::{JoseHeader, SigningKey, base64url, sign_compact};
use lombard_ports::identity::AuthenticationPurpose;
use serde_json::json;
use std::sync::LazyLock;
use std::time::Duration;

const NOW: i64 = 1_800_000_000;

static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());
static OTHER_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

fn settings() -> OidcSettings {
    OidcSettings {
        issuer: "https://idp.test".to_owned(),
        client_id: "lombard".to_owned(),
        redirect_uri: "https://bank.test/identity/callback".to_owned(),
        scopes: vec!["openid".to_owned()],
        acr_values: vec!["sca".to_owned(), "ca".to_owned()],
        max_age_secs: 100,
        customer_claim: "customer".to_owned(),
        details_type: "bank_purpose".to_owned(),
        decoupled: false,
        timeout: Duration::from_secs(1),
        plain_loopback: false,
    }
}

fn payment(pence: u64) -> AuthenticationPurpose {
    let number = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698");
    let payee = NamedAccount::under_name(number, "Waterworks".into());
    AuthenticationPurpose::Payment { amount: Amount::from_minor(pence, Currency::GBP), payee }
}

fn metadata(details: &[&str]) -> crate::discovery::ProviderMetadata {
    serde_json::from_value(json!({
        "issuer": "https://idp.test", "authorization_endpoint": "https://idp.test/a", "token_endpoint": "https://idp.test/t",
        "jwks_uri": "https://idp.test/k", "authorization_details_types_supported": details,
    }))
    .unwrap()
}

fn claim_of(purpose: &AuthenticationPurpose, details: &[&str]) -> Option<(&'static str, Value)> {
    purpose::claim(purpose, "bank_purpose", &metadata(details))
}

fn claims() -> Value {
    json!({
        "iss": "https://idp.test", "aud": "lombard", "sub": "s", "customer": "amelia", "name": "Amelia", "exp": NOW + 60,
        "iat": NOW, "nonce": "n", "acr": "ca", "auth_time": NOW - 20, "amr": ["pwd", "otp", "mfa", "pin"],
    })
}

fn signed(key: &SigningKey, claims: &Value) -> CompactJws {
    let jws = sign_compact(key, &JoseHeader::ps256(key.id()).typ("JWT"), claims.to_string().as_bytes()).unwrap();
    CompactJws::parse(&jws).unwrap()
}

fn judged(token: &CompactJws, purpose: Option<&(&'static str, Value)>) -> Result<AuthenticatedCustomer, &'static str> {
    let settings = settings();
    let now = Timestamp::from_second(NOW).unwrap();
    let expected = ExpectedToken { settings: &settings, nonce: Some("n"), asked_at: NOW - 10, now, purpose };
    check(token, &[KEY.public().clone()].into_iter().collect(), &expected)
}

#[test]
fn a_good_token_names_the_customer_the_time_and_the_factors() {
    let customer = judged(&signed(&KEY, &claims()), None).unwrap();
    assert_eq!(customer.psu, PsuId::from("amelia"), "by the configured claim");
    assert_eq!(customer.name.as_deref(), Some("Amelia"));
    assert_eq!(customer.at.as_second(), NOW - 20);
    assert_eq!(customer.factors, [AuthenticationFactor::Knowledge, AuthenticationFactor::Possession]);
    let mut several = claims();
    several["aud"] = json!(["lombard"]);
    several["azp"] = json!("lombard");
    assert!(judged(&signed(&KEY, &several), None).is_ok());
}

#[test]
fn each_claim_that_is_wrong_is_refused() {
    let table = [
        ("iss", json!("https://other.test"), "the ID token is of another issuer"),
        ("iss", json!("https://idp.test/"), "the ID token is of another issuer"),
        ("iss", Value::Null, "the ID token is of another issuer"),
        ("aud", json!("other"), "the ID token is for another audience"),
        ("aud", json!(["lombard", "other"]), "the ID token is for another audience"),
        ("aud", json!([]), "the ID token is for another audience"),
        ("azp", json!("other"), "the ID token was issued to another client"),
        ("exp", json!(NOW - 60), "the ID token has expired"),
        ("exp", json!("never"), "the ID token has expired"),
        ("iat", json!(NOW + 61), "the ID token was not issued now"),
        ("iat", json!(NOW - 601), "the ID token was not issued now"),
        ("nbf", json!(NOW + 61), "the ID token is not valid yet"),
        ("nonce", json!("m"), "the ID token belongs to another request"),
        ("nonce", Value::Null, "the ID token belongs to another request"),
        ("acr", json!("none"), "the authentication is not strong enough"),
        ("acr", Value::Null, "the authentication is not strong enough"),
        ("auth_time", json!(NOW - 171), "the customer did not authenticate now"),
        ("auth_time", json!(NOW + 61), "the customer did not authenticate now"),
        ("auth_time", Value::Null, "the customer did not authenticate now"),
        ("customer", Value::Null, "the ID token does not name the customer"),
        ("customer", json!(""), "the ID token does not name the customer"),
        ("customer", json!("x".repeat(256)), "the ID token does not name the customer"),
    ];
    for (claim, value, reason) in table {
        let mut claims = claims();
        claims[claim] = value.clone();
        assert_eq!(judged(&signed(&KEY, &claims), None), Err(reason), "{claim}: {value}");
    }
}

#[test]
fn only_the_providers_own_signature_counts() {
    let token = signed(&OTHER_KEY, &claims());
    assert_eq!(judged(&token, None), Err("the ID token's key is unknown"));
    let header = JoseHeader::ps256(KEY.id());
    let forged = sign_compact(&OTHER_KEY, &header, claims().to_string().as_bytes()).unwrap();
    assert_eq!(judged(&CompactJws::parse(&forged).unwrap(), None), Err("the ID token's signature is wrong"));
    for algorithm in ["none", "HS256", "RS256"] {
        let header = base64url(json!({ "alg": algorithm, "kid": KEY.id() }).to_string().as_bytes());
        let token = format!("{header}.{}.", base64url(claims().to_string().as_bytes()));
        let token = CompactJws::parse(&token).unwrap();
        assert_eq!(judged(&token, None), Err("the ID token's algorithm is not accepted"), "{algorithm}");
    }
}

#[test]
fn as_142_one_changed_byte_of_the_purpose_is_refused() {
    const OTHER: Result<AuthenticatedCustomer, &str> = Err("the customer authenticated for another purpose");
    for details in [&["bank_purpose"][..], &[]] {
        let (name, value) = claim_of(&payment(1_000), details).unwrap();
        assert_eq!(name, if details.is_empty() { "urn:lombard:purpose" } else { "authorization_details" });
        let with = |value: Value| {
            let mut claims = claims();
            claims[name] = value;
            signed(&KEY, &claims)
        };
        let expected = Some((name, value.clone()));
        assert!(judged(&with(value.clone()), expected.as_ref()).is_ok());
        assert_eq!(judged(&with(claim_of(&payment(1_001), details).unwrap().1), expected.as_ref()), OTHER);
        let text = value.to_string();
        for (was, is) in
            [("Waterworks", "Waterwork"), ("08080021325698", "08080021325699"), ("10.00", "10.01"), ("GBP", "USD")]
        {
            assert!(text.contains(was), "{text}");
            let changed = serde_json::from_str(&text.replace(was, is)).unwrap();
            assert_eq!(judged(&with(changed), expected.as_ref()), OTHER, "{is}");
        }
        assert_eq!(judged(&signed(&KEY, &claims()), expected.as_ref()), OTHER, "the purpose did not come back");
        assert_eq!(judged(&with(value), None), OTHER, "a payment's authentication is no login");
    }
}
