//! Keys and key sets.

use super::{key, other_key};
use crate::{BadKeySet, KeyError, KeySet, SigningKey, VerifyError, sign_compact, sign_detached};
use crate::{CompactJws, JoseHeader, PublicKey, base64url, from_base64url, sha256};
use lombard_domain::grant::Digest;
use lombard_domain::ids::KeyId;
use serde_json::{Value, json};

/// A set of these JWKs.
fn keys(jwks: &[Value]) -> KeySet {
    KeySet::parse(&json!({ "keys": jwks }).to_string()).unwrap()
}

/// The key's JWK with these members in place of its own; `null` leaves one out.
fn jwk(key: &SigningKey, members: Value) -> Value {
    let mut jwk = key.public().to_jwk(&[]);
    for (name, value) in members.as_object().unwrap() {
        jwk[name] = value.clone();
    }
    jwk.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    jwk
}

fn ids<'a>(found: impl Iterator<Item = &'a PublicKey>) -> Vec<String> {
    found.map(|key| key.thumbprint().to_string()).collect()
}

#[test]
fn as_011_without_a_kid_every_suitable_key_is_tried() {
    let ours = key();
    let theirs = other_key();
    let set = keys(&[
        jwk(&theirs, json!({"kid": "enc", "use": "enc"})),
        jwk(&theirs, json!({"kid": "rs256", "alg": "RS256"})),
        jwk(&theirs, json!({"kid": "wraps", "key_ops": ["wrapKey"]})),
        json!({"kty": "EC", "crv": "P-256", "kid": "ec", "x": base64url(&[1; 32]), "y": base64url(&[2; 32])}),
        jwk(&ours, json!({"kid": null, "use": null, "alg": null})),
        jwk(&theirs, json!({"kid": "sig", "key_ops": ["verify"]})),
    ]);
    assert_eq!(ids(set.candidates(None)), [ours.id().as_str(), theirs.id().as_str()]);
    assert_eq!(ids(set.candidates(Some("sig"))), [theirs.id().as_str()]);
    for kid in ["enc", "rs256", "wraps", "ec", "absent", ""] {
        assert_eq!(set.candidates(Some(kid)).count(), 0, "{kid}");
    }
}

#[test]
fn as_011_183_of_keys_with_the_same_kid_one_is_tried_for_each_algorithm() {
    let ours = key();
    let theirs = other_key();
    let point = json!({"kty": "EC", "crv": "P-256", "kid": "k", "x": base64url(&[1; 32]), "y": base64url(&[2; 32])});
    let header = JoseHeader::ps256(&KeyId::from("k"));
    let message = CompactJws::parse(&sign_compact(&ours, &header, b"{}").unwrap()).unwrap();
    let alone = jwk(&ours, json!({"kid": "k"}));
    for (name, others, candidates) in [
        ("alone", vec![], 1),
        ("the same key twice", vec![jwk(&ours, json!({"kid": "k", "use": null}))], 1),
        ("for another use", vec![jwk(&theirs, json!({"kid": "k", "use": "enc"}))], 1),
        ("for another algorithm", vec![point], 1),
        ("under another id", vec![jwk(&theirs, json!({"kid": "other"}))], 1),
        ("a second key for the algorithm", vec![jwk(&theirs, json!({"kid": "k"}))], 0),
    ] {
        let set = keys(&[others, vec![alone.clone()]].concat());
        assert_eq!(set.candidates(Some("k")).count(), candidates, "{name}");
        let ambiguous: Vec<_> = set.ambiguous_ids().iter().map(KeyId::as_str).collect();
        assert_eq!(ambiguous, if candidates == 1 { vec![] } else { vec!["k"] }, "{name}");
        let verified = if candidates == 1 { Ok(()) } else { Err(VerifyError::KeyUnknown) };
        assert_eq!(message.verify(&set), verified, "{name}");
    }
    assert_eq!(message.verify(&keys(&[jwk(&ours, json!({"kid": "other"}))])), Err(VerifyError::KeyUnknown));
    assert_eq!(message.verify(&KeySet::default()), Err(VerifyError::KeyUnknown));
}

#[test]
fn as_007_private_and_symmetric_keys_are_refused() {
    for member in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
        let document = json!({"keys": [jwk(&key(), json!({ member: "AQAB" }))]}).to_string();
        assert_eq!(KeySet::parse(&document).unwrap_err(), BadKeySet::Secret, "{member}");
    }
    assert_eq!(KeySet::parse(r#"{"keys":[{"kty":"oct"}]}"#).unwrap_err(), BadKeySet::Secret);
}

#[test]
fn dcr_022_what_a_directory_revokes_leaves_the_set_and_is_remembered() {
    let ours = key();
    let theirs = other_key();
    let set = json!({"keys": [jwk(&ours, json!({"kid": "a"})), jwk(&theirs, json!({"kid": "b"}))]}).to_string();
    let Digest(leaf) = sha256(b"leaf");
    let revoked = json!({"keys": [jwk(&theirs, json!({"kid": "other", "x5t#S256": base64url(&leaf), "d": "secret"}))]});
    let left = KeySet::without_revoked(&set, &revoked.to_string()).unwrap();
    assert!(!left.contains("secret"), "{left}");
    let read = KeySet::parse(&left).unwrap();
    assert_eq!(ids(read.iter()), [ours.id().as_str()]);
    assert!(read.has_revoked() && !read.is_empty());
    assert!(read.revokes_certificate(&sha256(b"leaf"), None) && !read.revokes_certificate(&sha256(b"other"), None));
    assert!(!KeySet::parse(&set).unwrap().revokes_certificate(&sha256(b"leaf"), None));
    // An entry that cannot be parsed revokes nothing.
    for odd in
        [json!({"keys": []}), json!({"keys": [], "revoked": 1}), json!({"keys": [], "revoked": [1, {"x5t#S256": 1}]})]
    {
        assert!(!KeySet::parse(&odd.to_string()).unwrap().revokes_certificate(&sha256(b"leaf"), None), "{odd}");
    }
}

#[test]
fn invalid_key_sets_are_refused_and_unknown_keys_are_ignored() {
    for document in ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[1]}"#, r#"{"keys":[],"keys":[]}"#] {
        assert_eq!(KeySet::parse(document).unwrap_err(), BadKeySet::Json, "{document}");
    }
    let unusable = [
        json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(&[1; 32])}),
        json!({"kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"}),
        json!({"kty": "EC", "crv": "P-256", "x": base64url(&[1; 31]), "y": base64url(&[1; 32])}),
        json!({"kty": "RSA", "e": "AQAB"}),
        json!({"n": "AQAB", "e": "AQAB"}),
    ];
    assert_eq!(keys(&unusable).iter().count(), 0);
}

#[test]
fn as_007_183_rsa_keys_of_under_2048_bits_or_other_exponents_are_ignored() {
    let full = from_base64url(key().public().to_jwk(&[])["n"].as_str().unwrap()).unwrap();
    let count =
        |n: &[u8], e: &[u8]| keys(&[json!({"kty": "RSA", "n": base64url(n), "e": base64url(e)})]).iter().count();
    assert_eq!(count(&full, &[1, 0, 1]), 1);
    assert_eq!(count(&[&[0], &full[..]].concat(), &[0, 1, 0, 1]), 1, "sign bytes do no harm");
    assert_eq!(count(&full[..128], &[1, 0, 1]), 0);
    let mut bits_2047 = full.clone();
    bits_2047[0] = 0x7f;
    assert_eq!(count(&bits_2047, &[1, 0, 1]), 0);
    let even = [&full[..255], &[2]].concat();
    assert_eq!(count(&even, &[1, 0, 1]), 0);
    for e in [&[][..], &[1], &[2], &[3], &[255, 255, 255, 255], &[1, 0, 0, 0, 1]] {
        assert_eq!(count(&full, e), 0, "{e:?}");
    }
}

#[test]
fn as_183_sets_with_too_many_or_too_large_keys_are_refused_whole() {
    let n = |bytes: usize| base64url(&vec![0xff; bytes]);
    let e = "AQAB";
    let rsa = |bytes: usize, kid: usize| json!({"kty": "RSA", "kid": kid.to_string(), "n": n(bytes), "e": e});
    let sound = |count: usize| (0..count).map(|kid| rsa(256, kid)).collect::<Vec<_>>();
    let none = r#"{"keys":[]}"#;
    for (name, jwks, refused) in [
        ("no key", sound(0), None),
        ("as many as may be", sound(50), None),
        ("one more", sound(51), Some(BadKeySet::TooMany)),
        ("4096 bits", vec![rsa(512, 1)], None),
        ("4097 bits", [sound(3), vec![rsa(513, 9)]].concat(), Some(BadKeySet::Oversized)),
        (
            "8192 bits and a large exponent",
            vec![json!({"kty": "RSA", "n": n(1024), "e": n(4)})],
            Some(BadKeySet::Oversized),
        ),
        ("entries that are no keys", vec![json!({"n": "a"}); 17_000], Some(BadKeySet::TooMany)),
    ] {
        let document = json!({ "keys": jwks }).to_string();
        assert_eq!(KeySet::parse(&document).err(), refused, "{name}");
        let left = KeySet::without_revoked(&document, none).and_then(|left| KeySet::parse(&left));
        assert_eq!(left.err(), refused, "{name}, without those that were revoked");
    }
}

#[test]
fn as_183_a_long_list_of_revoked_keys_is_looked_up_and_not_scanned() {
    let many: Vec<_> = (0..17_000).map(|number| json!({"n": format!("b{number:x}")})).collect();
    let listed = [many, vec![jwk(&other_key(), json!({"kid": "gone"}))]].concat();
    let revoked = json!({ "keys": listed }).to_string();
    let set = json!({"keys": [jwk(&key(), json!({})), jwk(&other_key(), json!({"kid": "b"}))]}).to_string();
    let left = KeySet::parse(&KeySet::without_revoked(&set, &revoked).unwrap()).unwrap();
    assert_eq!(ids(left.iter()), [key().id().as_str()]);
    assert!(left.revokes_certificate(&sha256(b"leaf"), Some(&other_key().public().thumbprint())));
}

#[test]
fn as_007_a_published_key_shows_its_certificates_and_nothing_private() {
    let chain = [b"leaf".to_vec(), b"authority".to_vec()];
    let jwk = key().public().to_jwk(&chain);
    let Digest(leaf) = sha256(b"leaf");
    assert_eq!(jwk["x5c"], json!(["bGVhZg==", "YXV0aG9yaXR5"]));
    assert_eq!(jwk["x5t#S256"], base64url(&leaf));
    let names: Vec<_> = jwk.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = ["kty", "n", "e", "kid", "use", "alg", "x5c", "x5t#S256"];
    expected.sort_unstable();
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!(
        (jwk["kty"].as_str(), jwk["use"].as_str(), jwk["alg"].as_str()),
        (Some("RSA"), Some("sig"), Some("PS256"))
    );
}

#[test]
fn a_written_set_is_read_back() {
    let set: KeySet = [key(), other_key()].iter().map(|key| key.public().clone()).collect();
    let read = KeySet::parse(&set.to_json()).unwrap();
    assert_eq!(ids(read.iter()), ids(set.iter()));
    assert_eq!(read.to_json(), set.to_json());
}

#[test]
fn a_key_survives_pem_and_der() {
    let pem = key().pkcs8_pem().unwrap();
    assert!(pem.lines().all(|line| line.len() <= 64));
    let copies = [SigningKey::from_pkcs8_pem(&pem), SigningKey::from_pkcs8_der(&key().pkcs8_der().unwrap())];
    for copy in copies {
        let copy = copy.unwrap();
        assert_eq!(copy.id(), key().id());
        assert!(key().public().verify_ps256(b"message", &copy.sign_ps256(b"message").unwrap()));
    }
}

#[test]
fn other_texts_than_private_rsa_keys_are_rejected() {
    let certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for pem in ["", "AAAA", certificate, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        assert_eq!(SigningKey::from_pkcs8_pem(pem).unwrap_err(), KeyError::Rejected, "{pem}");
    }
}

#[test]
fn the_id_is_the_thumbprint_unless_another_is_given() {
    assert_eq!(key().id(), &key().public().thumbprint());
    let named = SigningKey::from_pkcs8_der(&key().pkcs8_der().unwrap()).unwrap().with_id(KeyId::from("mine"));
    assert_eq!(named.id().as_str(), "mine");
    assert_eq!(named.public().id(), Some(named.id()));
    assert_eq!(&named.public().thumbprint(), key().id());
}

#[test]
fn nothing_private_shows_in_debug_output() {
    let text = format!("{:?} {:?}", key(), key().public());
    assert!(text.len() < 200 && text.contains(key().id().as_str()), "{text}");
}

#[test]
fn each_signature_is_salted_anew() {
    let header = JoseHeader::ps256(key().id());
    assert_ne!(sign_detached(&key(), &header, b"{}"), sign_detached(&key(), &header, b"{}"));
}
