//! Message signatures: each claim of table T5, the order of PIS-070, and the bytes that are signed.

use super::{key, other_key, set};
use crate::{
    CheckedSignature, JoseHeader, KeySet, MessageRules, MessageSignature, SignedPayload, base64url, message_header,
    sign_detached,
};
use lombard_domain::refusal::{Fault, FaultCode as C, FaultLocation};
use proptest::prelude::*;
use serde_json::{Value, json};

const IAT: &str = "http://openbanking.org.uk/iat";
const ISS: &str = "http://openbanking.org.uk/iss";
const TAN: &str = "http://openbanking.org.uk/tan";
const NOW: i64 = 1_800_000_000;
const BODY: &[u8] = br#"{ "Data": {} }"#;

const RULES: MessageRules<'static> = MessageRules {
    issuer: "0015800001041RHAAY/4ODcxYzZlN2Q",
    trust_anchor: "openbanking.org.uk",
    payload: SignedPayload::Json,
    now: NOW,
    age_secs_max: None,
};

/// A valid header.
fn claims() -> Value {
    json!({
        "alg": "PS256", "kid": key().id(), IAT: NOW - 5, ISS: RULES.issuer, TAN: RULES.trust_anchor,
        "crit": [IAT, ISS, TAN]
    })
}

/// The header with these members in place of its own; `null` leaves one out.
fn with(members: &Value) -> Value {
    let mut all = claims();
    for (name, value) in members.as_object().unwrap() {
        all[name] = value.clone();
    }
    all.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    all
}

/// A signature of the body by the test key under this header, which may be invalid.
fn signed(header: &Value, body: &[u8]) -> String {
    let head = base64url(header.to_string().as_bytes());
    let signature = key().sign_ps256(format!("{head}.{}", base64url(body)).as_bytes()).unwrap();
    format!("{head}..{}", base64url(&signature))
}

fn checked(text: &str, rules: &MessageRules<'_>) -> Result<CheckedSignature, Vec<Fault>> {
    MessageSignature::parse_header(Some(text.as_bytes()))?.check_claims(rules)
}

fn verdict(text: &str, body: &[u8], rules: &MessageRules<'_>) -> Vec<(C, String)> {
    let faults = checked(text, rules).and_then(|it| it.verify(body, &set(&key()))).err().unwrap_or_default();
    let place = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        Some(FaultLocation::Header(name)) => name.to_owned(),
        other => panic!("a fault of a signature is at a claim or the header, not {other:?}"),
    };
    faults.into_iter().map(|fault| (fault.code, place(fault.at))).collect()
}

fn of_header(members: &Value) -> Vec<(C, String)> {
    verdict(&signed(&with(members), BODY), BODY, &RULES)
}

#[test]
fn t5_a_valid_signature_is_accepted() {
    for members in [
        json!({}),
        json!({"typ": "JOSE"}),
        json!({"cty": "json"}),
        json!({"cty": "application/json", "typ": "JOSE"}),
        json!({"crit": [TAN, IAT, ISS]}), // RW-220
        json!({IAT: 0}),
        json!({IAT: NOW + 60}), // RW-219
        json!({IAT: 1_700_000_000.5}),
    ] {
        assert_eq!(of_header(&members), [], "{members}");
    }
}

#[test]
fn t5_each_claim_that_is_absent() {
    for name in ["alg", "kid", IAT, ISS, TAN, "crit"] {
        assert_eq!(of_header(&json!({ name: null })), [(C::SignatureMissingClaim, name.to_owned())]);
    }
    let none = verdict(&signed(&json!({}), BODY), BODY, &RULES);
    assert_eq!(none.into_iter().map(|(_, name)| name).collect::<Vec<_>>(), ["alg", "kid", IAT, ISS, TAN, "crit"]);
}

#[test]
fn t5_each_claim_that_is_wrong() {
    for (name, value) in [
        ("alg", json!("RS256")),
        ("alg", json!("ps256")),
        ("alg", json!("none")),
        ("alg", json!(256)),
        ("kid", json!(7)),
        ("kid", json!("nobody's")),
        ("typ", json!("JWT")),
        ("typ", json!("jose")),
        ("cty", json!("text/xml")),
        ("cty", json!(["json"])),
        ("b64", json!(false)), // RW-205
        ("b64", json!(true)),
        (IAT, json!("1700000000")),
        (IAT, json!(NOW + 61)),
        (IAT, json!(1_800_000_000_000_i64)),
        (IAT, json!(1e30)),
        (ISS, json!("0015800001041RHAAY")),
        (ISS, json!("other/4ODcxYzZlN2Q")),
        (ISS, json!("0015800001041rhaay/4ODcxYzZlN2Q")),
        (TAN, json!("example.org")),
        (TAN, json!(["openbanking.org.uk"])),
        ("crit", json!([])),
        ("crit", json!([IAT, ISS])),
        ("crit", json!([IAT, ISS, TAN, TAN])),
        ("crit", json!([IAT, ISS, ISS])),
        ("crit", json!([IAT, ISS, TAN, "b64"])),
        ("crit", json!(format!("{IAT} {ISS} {TAN}"))),
        ("x5c", json!(["MIIB"])),
        ("jwk", json!({})),
        ("http://openbanking.org.uk/sub", json!("x")),
    ] {
        assert_eq!(of_header(&json!({ name: value })), [(C::SignatureInvalidClaim, name.to_owned())], "{value}");
    }
    let many = of_header(&json!({"stranger": 1, "crit": [], "alg": "none", "kid": 1, "typ": 1, "b64": true}));
    let names: Vec<_> = many.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["alg", "kid", "typ", "b64", "crit", "stranger"]);
}

#[test]
fn pis_070_signature_faults_are_reported_in_order_with_cryptography_last() {
    let missing = MessageSignature::parse_header(None).unwrap_err();
    assert_eq!((missing[0].code, missing.len()), (C::SignatureMissing, 1), "RW-215");

    // The message has all faults below; each step of the checks hides the faults of later steps.
    let torn = |header: &Value| signed(header, b"another body");
    let broken = json!({IAT: null, ISS: "somebody", "kid": "nobody's"});
    let malformed = torn(&with(&broken)).replace("..", ".");
    assert_eq!(verdict(&malformed, BODY, &RULES), [(C::SignatureMalformed, "x-jws-signature".into())]);
    assert_eq!(verdict(&torn(&with(&broken)), BODY, &RULES), [(C::SignatureMissingClaim, IAT.into())]);
    let broken = json!({ISS: "somebody", "kid": "nobody's"});
    assert_eq!(verdict(&torn(&with(&broken)), BODY, &RULES), [(C::SignatureInvalidClaim, ISS.into())]);
    let broken = json!({"kid": "nobody's"});
    assert_eq!(verdict(&torn(&with(&broken)), BODY, &RULES), [(C::SignatureInvalidClaim, "kid".into())]);
    assert_eq!(verdict(&torn(&claims()), BODY, &RULES), [(C::SignatureInvalid, "x-jws-signature".into())]);
    let it = checked(&signed(&claims(), BODY), &RULES).unwrap();
    assert_eq!(it.kid(), key().id().as_str());
    assert_eq!(it.verify(BODY, &KeySet::default()).unwrap_err()[0].code, C::SignatureInvalidClaim);
    assert_eq!(it.verify(BODY, &set(&other_key())).unwrap_err()[0].code, C::SignatureInvalidClaim);
    assert_eq!(it.verify(BODY, &set(&key())), Ok(()));
}

#[test]
fn rw_216_what_cannot_be_read_is_malformed() {
    let good = signed(&claims(), BODY);
    let (head, tail) = good.split_once("..").unwrap();
    for text in [
        String::new(),
        ".".into(),
        "..".into(),
        head.into(),
        format!("{head}.{}.{tail}", base64url(BODY)),
        format!("{head}...{tail}"),
        format!("{head}..{tail}="),
        format!(" {good}"),
        format!("{good}\n"),
        format!("{}..{tail}", base64url(b"[]")),
        format!("{}..{tail}", base64url(b"{\"alg\":\"PS256\",\"alg\":\"PS256\"}")),
        format!("{}..{tail}", base64url(b"\xff")),
        good.replace("..", ".,."),
    ] {
        assert_eq!(verdict(&text, BODY, &RULES), [(C::SignatureMalformed, "x-jws-signature".into())], "{text}");
    }
    assert_eq!(MessageSignature::parse_header(Some(b"\xff..\xff")).unwrap_err()[0].code, C::SignatureMalformed);
}

#[test]
fn rw_219_age_matters_only_where_it_is_configured() {
    let old = signed(&with(&json!({IAT: NOW - 301})), BODY);
    assert_eq!(verdict(&old, BODY, &RULES), []);
    let strict = MessageRules { age_secs_max: Some(300), ..RULES };
    assert_eq!(verdict(&old, BODY, &strict), [(C::SignatureInvalidClaim, IAT.into())]);
    let fresh = signed(&with(&json!({IAT: NOW - 300})), BODY);
    assert_eq!(verdict(&fresh, BODY, &strict), []);
}

#[test]
fn pis_074_another_media_type_must_be_named() {
    let file = MessageRules { payload: SignedPayload::Other("text/xml"), ..RULES };
    let of = |cty: Value| verdict(&signed(&with(&json!({"cty": cty})), b"<a/>"), b"<a/>", &file);
    assert_eq!(of(json!("text/xml")), []);
    assert_eq!(of(json!(null)), [(C::SignatureMissingClaim, "cty".into())]);
    assert_eq!(of(json!("application/json")), [(C::SignatureInvalidClaim, "cty".into())]);
}

#[test]
fn rw_223_an_independent_library_believes_our_signatures_and_so_do_we() {
    let header = message_header(key().id(), "0015800001HQQrZAAX", "openbanking.org.uk", SignedPayload::Json, NOW);
    let text = sign_detached(&key(), &header, BODY).unwrap();
    let (head, tail) = text.split_once("..").unwrap();
    let jwk: jsonwebtoken::jwk::Jwk = serde_json::from_value(key().public().to_jwk(&[])).unwrap();
    let public = jsonwebtoken::DecodingKey::from_jwk(&jwk).unwrap();
    let message = format!("{head}.{}", base64url(BODY));
    let believed = jsonwebtoken::crypto::verify(tail, message.as_bytes(), &public, jsonwebtoken::Algorithm::PS256);
    assert!(believed.unwrap());

    let ours = MessageRules { issuer: "0015800001HQQrZAAX", ..RULES };
    assert_eq!(verdict(&text, BODY, &ours), []);
    let said: Value = serde_json::from_slice(&crate::from_base64url(head).unwrap()).unwrap();
    let expected = json!({"alg": "PS256", "kid": key().id(), "typ": "JOSE", "cty": "application/json", IAT: NOW,
        ISS: "0015800001HQQrZAAX", TAN: "openbanking.org.uk", "crit": [IAT, ISS, TAN]});
    assert_eq!(said, expected);
    let file = message_header(key().id(), "o", "t", SignedPayload::Other("text/xml"), NOW);
    assert_eq!(file.cty.as_deref(), Some("text/xml"));
}

#[test]
fn pis_072_a_signature_over_the_bare_body_does_not_hold() {
    let head = base64url(claims().to_string().as_bytes());
    let bare = [head.as_bytes(), b".", BODY].concat();
    let text = format!("{head}..{}", base64url(&key().sign_ps256(&bare).unwrap()));
    assert_eq!(verdict(&text, BODY, &RULES), [(C::SignatureInvalid, "x-jws-signature".into())]);
}

#[test]
fn faults_never_quote_a_value_and_a_claims_name_only_in_its_place() {
    let faults = checked(&signed(&with(&json!({ISS: "s3cret", "s3cret": "s3cret"})), BODY), &RULES).unwrap_err();
    assert!(faults.iter().all(|fault| !fault.message.contains("s3cret")), "{faults:?}");
    let long = "x".repeat(2_000);
    let faults = checked(&signed(&with(&json!({ long: 1 })), BODY), &RULES).unwrap_err();
    assert_eq!(faults[0].at, Some(FaultLocation::Path("x".repeat(500))), "RW-120");
}

proptest! {
    #[test]
    fn any_flipped_bit_of_a_body_is_noticed(body in prop::collection::vec(any::<u8>(), 1..200), at: prop::sample::Index, bit in 0..8_u8) {
        let header = JoseHeader { typ: None, ..message_header(key().id(), RULES.issuer, RULES.trust_anchor, SignedPayload::Json, NOW) };
        let text = sign_detached(&key(), &header, &body).unwrap();
        prop_assert_eq!(verdict(&text, &body, &RULES), []);
        let mut changed = body;
        let at = at.index(changed.len());
        changed[at] ^= 1 << bit;
        prop_assert_eq!(verdict(&text, &changed, &RULES), [(C::SignatureInvalid, "x-jws-signature".to_owned())]);
    }

    #[test]
    fn arbitrary_bytes_are_neither_accepted_nor_cause_a_panic(bytes: Vec<u8>, text in "[A-Za-z0-9_.=-]{0,80}") {
        for value in [bytes, text.into_bytes()] {
            let verdict = MessageSignature::parse_header(Some(&value)).and_then(|it| it.check_claims(&RULES));
            prop_assert!(verdict.is_err());
        }
    }
}
