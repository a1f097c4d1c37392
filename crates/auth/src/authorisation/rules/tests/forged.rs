//! Request objects that an attacker has forged or that a client has made carelessly.

use crate::authorisation::testing::{ACME_KEY, REDIRECT_URI, RIVAL_KEY};
use aws_lc_rs::{hmac, rand::SystemRandom, rsa::KeyPair, signature::RSA_PKCS1_SHA256};
use lombard_jose::{JoseHeader, SigningKey, base64url, sign_compact};
use serde_json::{Value, json};

fn parts(claims: &Value, header: &Value) -> String {
    format!("{}.{}", base64url(header.to_string().as_bytes()), base64url(claims.to_string().as_bytes()))
}

pub(super) fn unsigned(claims: &Value, alg: &str) -> String {
    format!("{}.", parts(claims, &json!({"alg": alg})))
}

pub(super) fn forged(object: &str) -> String {
    let mut of: Vec<&str> = object.split('.').collect();
    let other = base64url(json!({"redirect_uri": REDIRECT_URI}).to_string().as_bytes());
    of[1] = &other;
    of.join(".")
}

pub(super) fn rs256(claims: &Value) -> String {
    let input = parts(claims, &json!({"alg": "RS256", "kid": ACME_KEY.id().as_str()}));
    let key = KeyPair::from_pkcs8(&ACME_KEY.pkcs8_der().unwrap()).unwrap();
    let mut signed = vec![0; key.public_modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), input.as_bytes(), &mut signed).unwrap();
    format!("{input}.{}", base64url(&signed))
}

pub(super) fn hs256(claims: &Value) -> String {
    let input = parts(claims, &json!({"alg": "HS256", "kid": ACME_KEY.id().as_str()}));
    let public = ACME_KEY.public().to_jwk(&[]).to_string();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, public.as_bytes()), input.as_bytes());
    format!("{input}.{}", base64url(tag.as_ref()))
}

fn with_header(claims: &Value, key: &SigningKey, header: &Value) -> String {
    let input = parts(claims, header);
    format!("{input}.{}", base64url(&key.sign_ps256(input.as_bytes()).unwrap()))
}

pub(super) fn own_key(claims: &Value) -> String {
    let header = json!({"alg": "PS256", "jwk": RIVAL_KEY.public().to_jwk(&[]), "jku": "https://evil.test/jwks"});
    with_header(claims, &RIVAL_KEY, &header)
}

pub(super) fn critical(claims: &Value) -> String {
    with_header(claims, &ACME_KEY, &json!({"alg": "PS256", "crit": ["exp"], "exp": 1}))
}

pub(super) fn with_payload(payload: &str) -> String {
    sign_compact(&ACME_KEY, &JoseHeader::ps256(ACME_KEY.id()), payload.as_bytes()).unwrap()
}
