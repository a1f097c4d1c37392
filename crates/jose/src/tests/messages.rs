//! Compact and detached messages: valid ones, and every kind of invalid one.

use super::{key, other_key, set};
use crate::{
    CompactJws, DetachedJws, JoseHeader, KeyError, KeySet, Malformed, SigningKey, VerifyError, base64url, sign_compact,
    sign_detached,
};
use lombard_domain::ids::KeyId;
use proptest::prelude::*;
use serde_json::{Value, json};

const IAT: &str = "http://openbanking.org.uk/iat";

/// A message with this header, which may be invalid, and a valid PS256 signature.
fn signed_under(header: &Value, key: &SigningKey) -> CompactJws {
    let input = format!("{}.{}", base64url(header.to_string().as_bytes()), base64url(b"{}"));
    let signature = key.sign_ps256(input.as_bytes()).unwrap();
    CompactJws::parse(&format!("{input}.{}", base64url(&signature))).unwrap()
}

#[test]
fn an_independent_library_verifies_what_we_sign() {
    let claims = json!({"iss": "https://localhost:8443", "exp": 4_000_000_000_i64});
    let text = sign_compact(&key(), &JoseHeader::ps256(key().id()).typ("JWT"), claims.to_string().as_bytes()).unwrap();
    let jwk: jsonwebtoken::jwk::Jwk = serde_json::from_value(key().public().to_jwk(&[])).unwrap();
    let mut rules = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::PS256);
    rules.set_issuer(&["https://localhost:8443"]);
    let read =
        jsonwebtoken::decode::<Value>(&text, &jsonwebtoken::DecodingKey::from_jwk(&jwk).unwrap(), &rules).unwrap();
    assert_eq!(read.claims, claims);
    assert_eq!(read.header.kid.as_deref(), Some(key().id().as_str()));
    assert_eq!(read.header.typ.as_deref(), Some("JWT"));
}

#[test]
fn we_verify_what_an_independent_library_signs() {
    // The function needs the RSAPrivateKey inside the PKCS#8 document, which starts at byte 26 of a key of 2048 bits.
    let pkcs8 = key().pkcs8_der().unwrap();
    let private = jsonwebtoken::EncodingKey::from_rsa_der(&pkcs8[26..]);
    let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::PS256);
    header.kid = Some(key().id().to_string());
    let claims = json!({"sub": "client", "jti": "1"});
    let message = CompactJws::parse(&jsonwebtoken::encode(&header, &claims, &private).unwrap()).unwrap();
    assert_eq!(message.verify(&set(&key())), Ok(()));
    assert_eq!(message.claims::<Value>().unwrap(), claims);

    header.alg = jsonwebtoken::Algorithm::RS256;
    let message = CompactJws::parse(&jsonwebtoken::encode(&header, &claims, &private).unwrap()).unwrap();
    assert_eq!(message.verify(&set(&key())), Err(VerifyError::Algorithm));
}

#[test]
fn another_name_for_the_algorithm_never_helps() {
    for algorithm in ["none", "None", "HS256", "RS256", "ES256", "PS384", "PS512", "ps256", ""] {
        let message = signed_under(&json!({"alg": algorithm, "kid": key().id()}), &key());
        assert_eq!(message.verify(&set(&key())), Err(VerifyError::Algorithm), "{algorithm}");
    }
}

#[test]
fn as_010_keys_in_the_header_are_not_looked_at() {
    let theirs = other_key().public().to_jwk(&[]);
    let header = json!({
        "alg": "PS256", "jwk": theirs, "jku": "https://localhost/keys", "x5u": "https://localhost/x5", "x5c": ["MIIB"]
    });
    assert_eq!(signed_under(&header, &other_key()).verify(&set(&key())), Err(VerifyError::Signature));
    assert_eq!(signed_under(&header, &key()).verify(&set(&key())), Ok(()));
}

#[test]
fn critical_members_must_be_understood() {
    for header in [
        json!({"alg": "PS256", "crit": ["b64"], "b64": false}),
        json!({"alg": "PS256", "crit": ["exp"], "exp": 1}),
        json!({"alg": "PS256", "crit": ["alg"]}),
        json!({"alg": "PS256", "crit": []}),
    ] {
        assert_eq!(signed_under(&header, &key()).verify(&set(&key())), Err(VerifyError::Critical), "{header}");
    }
}

#[test]
fn as_081_claims_are_one_object_without_repeated_names() {
    let claims = |payload: &str| {
        let text = sign_compact(&key(), &JoseHeader::ps256(key().id()), payload.as_bytes()).unwrap();
        CompactJws::parse(&text).unwrap().claims::<Value>()
    };
    assert_eq!(claims(r#"{"aud":"a"}"#), Ok(json!({"aud": "a"})));
    for payload in [r#"{"aud":"a","aud":"b"}"#, r#"["aud"]"#, "", "null", r#"{"claims":{"a":1,"a":1}}"#] {
        assert!(matches!(claims(payload), Err(Malformed::Claims(_))), "{payload}");
    }
}

#[test]
fn only_three_strict_parts_are_a_message() {
    let header = base64url(br#"{"alg":"PS256"}"#);
    let table = [
        (String::new(), Malformed::Parts),
        (header.clone(), Malformed::Parts),
        (format!("{header}.e30"), Malformed::Parts),
        (format!("{header}.e30.AA.AA"), Malformed::Parts),
        (format!("{header}.e30=.AA"), Malformed::Base64),
        (format!("{header}.e30.A"), Malformed::Base64),
        (format!("{header}.e30.AA=="), Malformed::Base64),
        (format!(" {header}.e30.AA"), Malformed::Base64),
        (format!("{header}.e30.AA\n"), Malformed::Base64),
        (format!("{header}.e30.AB"), Malformed::Base64), // bits left over
        (".e30.AA".to_owned(), Malformed::Header),
    ];
    for (text, malformed) in table {
        assert_eq!(CompactJws::parse(&text).unwrap_err(), malformed, "{text}");
    }
}

#[test]
fn a_header_for_another_algorithm_is_not_signed() {
    let header = JoseHeader { alg: "RS256".into(), ..JoseHeader::ps256(key().id()) };
    assert_eq!(sign_compact(&key(), &header, b"{}"), Err(KeyError::Algorithm));
    assert_eq!(sign_detached(&key(), &header, b"{}"), Err(KeyError::Algorithm));
}

/// A detached signature of the body as the Open Banking profile forms it.
fn detached(body: &[u8]) -> String {
    let header = JoseHeader::ps256(key().id()).typ("JOSE").critical(IAT, 1_800_000_000);
    sign_detached(&key(), &header, body).unwrap()
}

#[test]
fn rw_201_203_the_body_is_signed_in_base64url_and_left_out() {
    let body = br#"{ "Data": {} }"#;
    let text = detached(body);
    let parts: Vec<_> = text.split('.').collect();
    let [header, "", signature] = parts[..] else { panic!("{text}") };
    // Put back into its middle, the body makes it an ordinary JWS (RFC 7515 appendix F), but for the critical member.
    let whole = format!("{header}.{}.{signature}", base64url(body));
    assert_eq!(CompactJws::parse(&whole).unwrap().payload(), body);
    let read = DetachedJws::parse(&text).unwrap();
    assert_eq!(read.header().extra[IAT], 1_800_000_000);
    assert_eq!(read.verify(body, &set(&key()), &[IAT]), Ok(()));
    assert_eq!(read.verify(body, &set(&key()), &[]), Err(VerifyError::Critical));
    assert_eq!(read.verify(body, &set(&other_key()), &[IAT]), Err(VerifyError::KeyUnknown));
    // One space less is another body (RW-222).
    assert_eq!(read.verify(br#"{"Data": {} }"#, &set(&key()), &[IAT]), Err(VerifyError::Signature));
    assert_eq!(read.verify(b"", &set(&key()), &[IAT]), Err(VerifyError::Signature));
}

#[test]
fn rw_205_b64_is_not_understood_even_when_a_caller_says_so() {
    for b64 in [true, false] {
        let header = JoseHeader::ps256(key().id()).critical("b64", b64);
        let text = sign_detached(&key(), &header, b"{}").unwrap();
        let verdict = DetachedJws::parse(&text).unwrap().verify(b"{}", &set(&key()), &["b64"]);
        assert_eq!(verdict, Err(VerifyError::Critical));
    }
}

#[test]
fn as_012_a_detached_signature_needs_a_kid() {
    let header = JoseHeader { kid: None, ..JoseHeader::ps256(key().id()) };
    let text = sign_detached(&key(), &header, b"{}").unwrap();
    assert_eq!(DetachedJws::parse(&text).unwrap().verify(b"{}", &set(&key()), &[]), Err(VerifyError::KeyUnknown));
}

#[test]
fn rw_216_a_detached_signature_has_an_empty_middle() {
    let text = detached(b"{}");
    for bad in [text.replace("..", ".e30."), text.replace("..", "."), text.replace("..", "..."), format!("{text}.")] {
        assert_eq!(DetachedJws::parse(&bad).unwrap_err(), Malformed::Parts, "{bad}");
    }
    assert_eq!(DetachedJws::parse(&format!("{text}=")).unwrap_err(), Malformed::Base64);
}

/// Whether the whole message is accepted.
fn believed(text: &str, keys: &KeySet) -> bool {
    CompactJws::parse(text).is_ok_and(|message| message.verify(keys).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_changed_letter_invalidates_the_message(payload: Vec<u8>, at: prop::sample::Index, bit in 0..7u8) {
        let good = sign_compact(&key(), &JoseHeader::ps256(key().id()), &payload).unwrap();
        let keys = set(&key());
        prop_assert!(believed(&good, &keys));
        let mut letters = good.into_bytes();
        let at = at.index(letters.len());
        letters[at] ^= 1 << bit;
        prop_assert!(!believed(&String::from_utf8(letters).unwrap(), &keys));
    }

    #[test]
    fn any_flipped_bit_of_a_body_is_noticed(body in prop::collection::vec(any::<u8>(), 1..200), at: prop::sample::Index, bit in 0..8u8) {
        let read = DetachedJws::parse(&detached(&body)).unwrap();
        prop_assert_eq!(read.verify(&body, &set(&key()), &[IAT]), Ok(()));
        let mut changed = body;
        let at = at.index(changed.len());
        changed[at] ^= 1 << bit;
        prop_assert_eq!(read.verify(&changed, &set(&key()), &[IAT]), Err(VerifyError::Signature));
    }

    #[test]
    fn no_text_at_all_makes_the_readers_panic(text in "[A-Za-z0-9_.=-]{0,80}|\\PC{0,80}") {
        prop_assert!(!believed(&text, &set(&key())));
        if let Ok(read) = DetachedJws::parse(&text) {
            let verdict = read.verify(b"{}", &set(&key()), &[IAT]);
            prop_assert!(verdict.is_err());
        }
    }
}

#[test]
fn a_kid_is_text_like_any_other() {
    let header = JoseHeader::ps256(&KeyId::from("a \"quoted\" \\ kid \u{1f511}"));
    let text = sign_compact(&key(), &header, b"{}").unwrap();
    assert_eq!(CompactJws::parse(&text).unwrap().header(), &header);
}
