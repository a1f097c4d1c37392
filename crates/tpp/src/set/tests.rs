use super::{ExpectedSet, SetReport};
use crate::Jwt;
use jiff::Timestamp;
use lombard_jose::{KeySet, SigningKey};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

const UPDATE: &str = "urn:uk:org:openbanking:events:resource-update";
const REVOKED: &str = "urn:uk:org:openbanking:events:consent-authorization-revoked";

fn subject() -> Value {
    json!({
        "subject_type": "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty",
        "http://openbanking.org.uk/rid": "aac-1",
        "http://openbanking.org.uk/rty": "account-access-consent",
        "http://openbanking.org.uk/rlk": [{"version": "v3.1", "link": "https://api.bank.example/v3.1/aac-1"}],
    })
}

fn claims() -> Map<String, Value> {
    let claims = json!({
        "iss": "https://as.bank.example", "iat": 1_000, "jti": "e-1", "aud": "client", "txn": "e-1", "toe": 999,
        "sub": "https://api.bank.example/open-banking/v3.1/aisp/account-access-consents/aac-1",
        "events": {UPDATE: {"subject": subject()}},
    });
    claims.as_object().unwrap().clone()
}

fn token(claims: Map<String, Value>) -> Jwt {
    let three = ["iat", "iss", "tan"].map(|name| format!("http://openbanking.org.uk/{name}"));
    Jwt::ps256(KEY.id().as_str(), claims)
        .header("crit", three.to_vec())
        .header(&three[0], 1_000)
        .header(&three[1], "0015800001041RHAAY")
        .header(&three[2], "openbanking.org.uk")
}

fn read(token: &str) -> SetReport {
    let keys = KeySet::parse(&json!({"keys": [KEY.public().to_jwk(&[])]}).to_string()).unwrap();
    let now = Timestamp::from_second(1_010).unwrap();
    let expected = ExpectedSet { issuer: Some("https://as.bank.example"), audience: Some("client"), now };
    SetReport::new(token, &keys, &expected).unwrap()
}

fn faults(token: &Jwt) -> Vec<String> {
    read(&token.sign(&KEY).unwrap()).faults().map(|(name, fault)| format!("{name}: {fault}")).collect()
}

#[test]
fn a_sound_token_has_no_fault_and_every_part_is_explained() {
    let reading = read(&token(claims()).sign(&KEY).unwrap());
    assert_eq!(reading.faults().collect::<Vec<_>>(), []);
    assert!(reading.parts.iter().all(|part| !part.meaning.is_empty()), "{reading:?}");
    assert_eq!(reading.value("signature"), Some("holds"));
    assert_eq!(reading.value("events"), Some(UPDATE));
    assert_eq!(reading.value("resource-update rid"), Some("aac-1"));
    let written = reading.parts.iter().find(|part| part.name == "iat").unwrap();
    assert!(written.meaning.ends_with("1970-01-01T00:16:40Z"), "{written:?}");
}

#[test]
fn set_010_every_claim_must_be_there_and_no_other_may() {
    for name in claims().keys() {
        let found = faults(&token(claims()).claim(name, Value::Null));
        assert_eq!(found, [format!("{name}: it must be there (SET-010)")]);
    }
    for name in ["exp", "nbf", "nonce"] {
        assert_eq!(faults(&token(claims()).claim(name, 1)), [format!("{name}: it must not be there (SET-010)")]);
    }
}

#[test]
fn claims_that_say_the_wrong_thing_are_named() {
    let table = [
        ("iss", json!("https://other.example")),
        ("iss", json!("as.bank.example")),
        ("iat", json!("1000")),
        ("iat", json!(1_000.5)),
        ("iat", json!(1_071)),
        ("jti", json!("")),
        ("jti", json!("x".repeat(129))),
        ("aud", json!(["client"])),
        ("aud", json!("rival")),
        ("sub", json!("/aisp/account-access-consents/aac-1")),
        ("txn", json!(7)),
        ("toe", json!(1_001)),
        ("events", json!({})),
        ("events", json!({UPDATE: {}})),
        ("events", json!({REVOKED: {}})),
    ];
    for (name, value) in table {
        let found = faults(&token(claims()).claim(name, value.clone()));
        assert!(!found.is_empty(), "{name} {value}");
    }
}

#[test]
fn set_031_beside_an_update_a_revocation_needs_no_subject() {
    let both = json!({UPDATE: {"subject": subject()}, REVOKED: {}});
    assert_eq!(faults(&token(claims()).claim("events", both)), Vec::<String>::new());
    let alone = json!({REVOKED: {"subject": subject()}});
    assert_eq!(faults(&token(claims()).claim("events", alone)), Vec::<String>::new());
}

#[test]
fn set_020_to_024_a_subject_is_whole_and_holds_nothing_else() {
    let whole = subject();
    for name in whole.as_object().unwrap().keys() {
        let mut part = whole.clone();
        part.as_object_mut().unwrap().remove(name);
        assert_eq!(faults(&token(claims()).claim("events", json!({UPDATE: {"subject": part}}))).len(), 1, "{name}");
    }
    let changes = [
        ("subject_type", json!("other")),
        ("http://openbanking.org.uk/rid", json!("")),
        ("http://openbanking.org.uk/rlk", json!([])),
        ("http://openbanking.org.uk/rlk", json!([{"link": "https://bank.example"}])),
        ("http://openbanking.org.uk/rlk", json!([{"version": "v3.1", "link": "http://bank.example"}])),
        ("more", json!(1)),
    ];
    for (name, value) in changes {
        let mut changed = whole.clone();
        changed[name] = value;
        assert_eq!(faults(&token(claims()).claim("events", json!({UPDATE: {"subject": changed}}))).len(), 1, "{name}");
    }
}

#[test]
fn set_001_and_002_headers_and_signatures_that_must_be_refused() {
    let sound = token(claims());
    let table = [
        (sound.clone().header("alg", "RS256"), "signature"),
        (sound.clone().header("kid", "other"), "signature"),
        (sound.clone().header("crit", vec!["b64"]).header("b64", false), "signature"),
        (sound.clone().header("jku", "https://evil.example"), "header jku"),
        (sound.clone().header("crit", Value::Null), "header http://openbanking.org.uk/iat"),
        (sound.clone().header("typ", "at+jwt"), "header typ"),
        (sound.clone().header("http://openbanking.org.uk/iat", "1000"), "header http://openbanking.org.uk/iat"),
    ];
    for (token, name) in table {
        let found = faults(&token);
        assert!(found.iter().any(|fault| fault.starts_with(name)), "{name}: {found:?}");
    }
    let other = SigningKey::generate().unwrap();
    let reading = read(&sound.sign(&other).unwrap());
    assert_eq!(reading.value("signature"), Some("does not hold"));
    assert_eq!(reading.faults().count(), 1);
}

#[test]
fn what_is_no_token_is_malformed() {
    let keys = KeySet::parse(r#"{"keys":[]}"#).unwrap();
    let expected = ExpectedSet { issuer: None, audience: None, now: Timestamp::UNIX_EPOCH };
    for text in ["", "a.b", "e30.e30.", "e30.W10.AA"] {
        assert!(SetReport::new(text, &keys, &expected).is_err(), "{text}");
    }
}
