//! The table of refused claims.

use crate::error::OAuthErrorCode::{self, *};
use serde_json::{Value, json};

/// A change to the claims of a valid request; the second parameter is the time in seconds.
pub(super) type Change = fn(&mut Value, i64);

pub(super) const SCA: &str = "/claims/id_token/acr";
pub(super) const INTENT: &str = "/claims/id_token/openbanking_intent_id";

/// The expected error for each bad claim, at the client's verified address.
pub(super) const REFUSED: &[(&str, OAuthErrorCode, &str, Change)] = &[
    ("AS-063", InvalidRequestObject, "an object inside", |c, _| add(c, "request", json!("a.b.c"))),
    ("AS-063", InvalidRequestObject, "a reference inside", |c, _| add(c, "request_uri", json!("urn:x"))),
    ("AS-063", RegistrationNotSupported, "registration inside", |c, _| add(c, "registration", json!({}))),
    ("AS-072", InvalidRequestObject, "no aud", |c, _| remove(c, "aud")),
    ("AS-072", InvalidRequestObject, "another aud", |c, _| set(c, "/aud", json!("https://evil.test"))),
    ("AS-072", InvalidRequestObject, "the endpoint as aud", |c, _| {
        set(c, "/aud", json!("https://bank.example/authorize"))
    }),
    ("AS-072", InvalidRequestObject, "aud with a slash more", |c, _| set(c, "/aud", json!("https://bank.example/"))),
    ("AS-073", InvalidRequestObject, "no exp", |c, _| remove(c, "exp")),
    ("AS-073", InvalidRequestObject, "CX-14: no nbf", |c, _| remove(c, "nbf")),
    ("AS-073", InvalidRequestObject, "expired this second", |c, now| set(c, "/exp", json!(now))),
    ("AS-073", InvalidRequestObject, "exp over an hour after nbf", |c, now| set(c, "/exp", json!(now + 3_601))),
    ("AS-073", InvalidRequestObject, "nbf over an hour ago", |c, now| {
        set(c, "/nbf", json!(now - 3_601));
        set(c, "/exp", json!(now + 1));
    }),
    ("AS-073", InvalidRequestObject, "nbf over a minute ahead", |c, now| set(c, "/nbf", json!(now + 61))),
    ("AS-073", InvalidRequestObject, "AS-081: exp as a string", |c, now| set(c, "/exp", json!((now + 60).to_string()))),
    ("AS-181", InvalidRequestObject, "iat over a minute ahead", |c, now| add(c, "iat", json!(now + 61))),
    ("AS-181", InvalidRequestObject, "AS-081: iat as a string", |c, now| add(c, "iat", json!(now.to_string()))),
    ("AS-063", InvalidRequest, "RFC 9396 details", |c, _| add(c, "authorization_details", json!([]))),
    ("AS-074", InvalidRequestObject, "no iss", |c, _| remove(c, "iss")),
    ("AS-074", InvalidRequestObject, "iss of another", |c, _| set(c, "/iss", json!("rival"))),
    ("AS-074", InvalidRequestObject, "no client_id", |c, _| remove(c, "client_id")),
    ("AS-062", InvalidRequest, "another client_id inside", |c, _| set(c, "/client_id", json!("rival"))),
    ("AS-062", InvalidRequest, "another response_type inside", |c, _| set(c, "/response_type", json!("code"))),
    ("AS-062", InvalidRequest, "no response_type inside", |c, _| remove(c, "response_type")),
    ("AS-085", InvalidRequest, "the query", |c, _| add(c, "response_mode", json!("query"))),
    ("AS-085", InvalidRequest, "a form", |c, _| add(c, "response_mode", json!("form_post"))),
    ("AS-076", InvalidRequest, "no nonce", |c, _| remove(c, "nonce")),
    ("AS-076", InvalidRequest, "an empty nonce", |c, _| set(c, "/nonce", json!(""))),
    ("AS-076", InvalidRequest, "a nonce of 2049", |c, _| set(c, "/nonce", json!("n".repeat(2_049)))),
    ("AS-076", InvalidRequest, "a nonce that cannot be stored", |c, _| set(c, "/nonce", json!("n\0"))),
    ("AS-076", InvalidRequest, "a state of 2049", |c, _| set(c, "/state", json!("s".repeat(2_049)))),
    ("AS-076", InvalidRequest, "a number as state", |c, _| set(c, "/state", json!(7))),
    ("AS-050", InvalidRequest, "no scope", |c, _| remove(c, "scope")),
    ("AS-050", InvalidScope, "no openid", |c, _| set(c, "/scope", json!("accounts"))),
    ("AS-050", InvalidScope, "an unknown scope", |c, _| set(c, "/scope", json!("openid accounts email"))),
    ("AS-050", InvalidScope, "a scope of a role it lacks", |c, _| {
        set(c, "/scope", json!("openid accounts fundsconfirmations"))
    }),
    ("AS-051", InvalidScope, "not the consent's scope", |c, _| set(c, "/scope", json!("openid payments"))),
    ("AS-077", InvalidRequest, "no claims", |c, _| remove(c, "claims")),
    ("AS-077", InvalidRequest, "claims as text", |c, _| set(c, "/claims", json!("{}"))),
    ("AS-077", InvalidRequest, "no intent", |c, _| set(c, INTENT, Value::Null)),
    ("AS-077", InvalidRequest, "intent not essential", |c, _| set(c, INTENT, json!({"value": "x"}))),
    ("AS-077", InvalidRequest, "intent not text", |c, _| set(c, INTENT, json!({"essential": true, "value": 7}))),
    ("AS-077", InvalidRequest, "intent too long", |c, _| {
        set(c, INTENT, json!({"essential": true, "value": "x".repeat(129)}));
    }),
    ("AS-078", InvalidRequest, "an unknown intent of 128", |c, _| {
        set(c, INTENT, json!({"essential": true, "value": "x".repeat(128)}));
    }),
    ("AS-077", InvalidRequest, "an empty intent", |c, _| set(c, INTENT, json!({"essential": true, "value": ""}))),
    ("AS-077", InvalidRequest, "another intent for userinfo", |c, _| {
        add(&mut c["claims"], "userinfo", json!({"openbanking_intent_id": {"essential": true, "value": "x"}}));
    }),
    ("AS-078", InvalidRequest, "an unknown intent", |c, _| set(c, INTENT, json!({"essential": true, "value": "x"}))),
    ("AS-079", AccessDenied, "an acr nobody attains", |c, _| set(c, SCA, json!({"essential": true, "value": "urn:x"}))),
    ("AS-079", InvalidRequest, "an acr that is no object", |c, _| set(c, SCA, json!("urn:openbanking:psd2:sca"))),
    ("AS-079", InvalidRequest, "acr values that are no list", |c, _| set(c, SCA, json!({"values": "urn:x"}))),
    ("AS-067", LoginRequired, "prompt none", |c, _| add(c, "prompt", json!("none"))),
    ("AS-067", InvalidRequest, "prompt none and more", |c, _| add(c, "prompt", json!("none login"))),
    ("AS-067", InvalidRequest, "an unknown prompt", |c, _| add(c, "prompt", json!("create"))),
    ("AS-067", InvalidRequest, "a max_age below zero", |c, _| add(c, "max_age", json!(-1))),
    ("AS-150", InvalidRequest, "PKCE plain", |c, _| {
        add(c, "code_challenge", json!("x".repeat(43)));
        add(c, "code_challenge_method", json!("plain"));
    }),
    ("AS-150", InvalidRequest, "PKCE without method", |c, _| add(c, "code_challenge", json!("x".repeat(43)))),
    ("AS-150", InvalidRequest, "PKCE with no digest", |c, _| {
        add(c, "code_challenge", json!("short"));
        add(c, "code_challenge_method", json!("S256"));
    }),
    ("AS-150", InvalidRequest, "PKCE without challenge", |c, _| add(c, "code_challenge_method", json!("S256"))),
    ("AS-068", InvalidRequest, "a hint that is no token", |c, _| add(c, "id_token_hint", json!("a.b.c"))),
];

pub(super) fn set(claims: &mut Value, path: &str, value: Value) {
    *claims.pointer_mut(path).unwrap() = value;
}

pub(super) fn add(claims: &mut Value, name: &str, value: Value) {
    claims.as_object_mut().unwrap().insert(name.to_owned(), value);
}

pub(super) fn remove(claims: &mut Value, name: &str) {
    claims.as_object_mut().unwrap().remove(name).unwrap();
}
