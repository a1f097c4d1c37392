//! What the server says of itself.

use super::suite::Suite;
use super::{Row, row};
use crate::harness::{ExchangeExt, ValueExt};
use lombard_tpp::{HttpCall, Protocol};
use serde_json::{Value, json};

pub(super) const ROWS: &[Row] =
    &[row("discovery-end-point-verification", &["as it must be"], &["as it must be"], |s| Box::pin(verify(s)))];

/// Checks each member that the module checks; the first that is wrong.
async fn verify(suite: &Suite) -> String {
    let anybody = suite.first.with_certificate(None, Protocol::Any).unwrap();
    let document = anybody.send(HttpCall::get(&anybody.endpoints.well_known)).await.unwrap().ok(200);
    let contains = |name: &str, wanted: &str| document[name].as_array().is_some_and(|it| it.contains(&json!(wanted)));
    let checks = [
        ("issuer", document["issuer"] == json!(anybody.endpoints.issuer)),
        ("response_types_supported", contains("response_types_supported", "code id_token")),
        ("response_types_supported", contains("response_types_supported", "code")),
        ("response_modes_supported", contains("response_modes_supported", "jwt")),
        ("scopes_supported", contains("scopes_supported", "openid")),
        ("grant_types_supported", contains("grant_types_supported", "authorization_code")),
        ("acr_values_supported", contains("acr_values_supported", "urn:openbanking:psd2:sca")),
        ("claims_supported", contains("claims_supported", "openbanking_intent_id")),
        ("subject_types_supported", contains("subject_types_supported", "public")),
        ("code_challenge_methods_supported", contains("code_challenge_methods_supported", "S256")),
        (
            "request_object_signing_alg_values_supported",
            contains("request_object_signing_alg_values_supported", "PS256"),
        ),
        ("id_token_signing_alg_values_supported", contains("id_token_signing_alg_values_supported", "PS256")),
        ("authorization_signing_alg_values_supported", contains("authorization_signing_alg_values_supported", "PS256")),
        (
            "token_endpoint_auth_methods_supported",
            ["private_key_jwt", "tls_client_auth"]
                .iter()
                .all(|method| contains("token_endpoint_auth_methods_supported", method)),
        ),
        (
            "token_endpoint_auth_signing_alg_values_supported",
            contains("token_endpoint_auth_signing_alg_values_supported", "PS256"),
        ),
        ("claims_parameter_supported", document["claims_parameter_supported"] == true),
        ("request_parameter_supported", document["request_parameter_supported"] == true),
        ("request_uri_parameter_supported", document["request_uri_parameter_supported"] == false),
        ("require_pushed_authorization_requests", document["require_pushed_authorization_requests"] == false),
        ("tls_client_certificate_bound_access_tokens", document["tls_client_certificate_bound_access_tokens"] == true),
    ];
    if let Some((name, _)) = checks.into_iter().find(|(_, is_right)| !is_right) {
        return format!("{name}: {}", document[name]);
    }
    for name in [
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "registration_endpoint",
        "pushed_authorization_request_endpoint",
        "jwks_uri",
    ] {
        if !document.text(name).starts_with("https://") {
            return format!("{name}: {}", document[name]);
        }
    }
    let keys = anybody.send(HttpCall::get(document.text("jwks_uri"))).await.unwrap().ok(200).list("/keys");
    let mut kids: Vec<_> = keys.iter().map(|key| key.text("kid").to_owned()).collect();
    kids.sort();
    kids.dedup();
    let is_public = |key: &Value| {
        ["d", "p", "q", "dp", "dq", "qi", "k"].iter().all(|member| key.get(member).is_none())
            && key.text("n").len() >= 342
            && key.text("use") == "sig"
            && key.text("alg") == "PS256"
    };
    // 2048 bits are 342 characters of base64url. Source: AS-007.
    if kids.len() != keys.len() || keys.is_empty() || !keys.iter().all(is_public) {
        return format!("jwks_uri: {keys:?}");
    }
    "as it must be".to_owned()
}
