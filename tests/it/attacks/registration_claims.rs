//! Claims of a registration and of its software statement, each with every wrong JSON type: the answer names the claim, what was found
//! and what is allowed. Source: DCR-003, DCR-015, DCR-020, RFC 7591 section 3.2.2.

use crate::harness::{Bank, ExchangeExt, ValueExt};
use crate::registration::{attempt, statement, unregistered};
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::{Value, json};

/// A value of each JSON type, and a list of what no list holds; with what each is called.
fn values() -> [(Value, &'static str); 6] {
    [
        (json!(true), "a boolean"),
        (json!(7.5), "a number"),
        (json!("x"), "a string"),
        (json!(["x"]), "a list"),
        (json!([7]), "a list"),
        (json!({"a": 1}), "an object"),
    ]
}

/// Whether a schema allows the JSON type of a value, and those of its elements.
fn allows(document: &Value, schema: &Value, value: &Value) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        return allows(document, document.pointer(reference.trim_start_matches('#')).unwrap(), value);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choice].as_array() {
            return choices.iter().any(|choice| allows(document, choice, value));
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    let has = |names: &[&str]| names.iter().any(|name| kinds.contains(name));
    match value {
        Value::Null => has(&["null"]),
        Value::Bool(_) => has(&["boolean"]),
        Value::Number(_) => has(&["number", "integer"]),
        Value::String(_) => has(&["string"]),
        Value::Array(items) => has(&["array"]) && items.iter().all(|item| allows(document, &schema["items"], item)),
        Value::Object(_) => has(&["object"]),
    }
}

/// The claims that the description of the API lists, by their schemas.
async fn described_claims(bank: &Bank) -> (Value, Vec<(String, Value)>) {
    let call = HttpCall::get(format!("{}/openapi/client-registration.json", bank.endpoints().public));
    let document = bank.tpp("robot").send(call).await.unwrap().ok(200);
    let schema = &document["components"]["schemas"]["RegistrationRequest"]["contentSchema"]["prefixItems"][1];
    let claims = schema["properties"].as_object().unwrap().clone().into_iter().collect();
    (document, claims)
}

fn assert_named(answer: &HttpExchange, error: &str, claim: &str, found: &str) {
    answer.oauth(400, error);
    let said = answer.json().unwrap();
    let said = said.text("error_description");
    let begin = format!("The claim {claim} is {found}; it must be ");
    assert!(said.starts_with(&begin) && said.len() > begin.len() + 5, "{claim}: {said}");
}

#[tokio::test]
async fn dcr_003_a_claim_of_a_wrong_type_is_named_with_what_is_allowed() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    let (document, claims) = described_claims(&bank).await;
    assert!(claims.len() >= 25, "{claims:?}");
    for (claim, schema) in &claims {
        let wrong: Vec<_> = values().into_iter().filter(|(value, _)| !allows(&document, schema, value)).collect();
        assert!((3..6).contains(&wrong.len()), "{claim} has one type, or two: {schema}");
        for (value, found) in wrong {
            let answer = attempt(&tpp, |request| request.claim(claim, value)).await;
            assert_named(&answer, "invalid_client_metadata", claim, found);
        }
    }
}

/// Whether a value has a type that a claim may have.
type IsFitting = fn(&Value) -> bool;

/// The claims of a statement that are read, and the values that are of their types.
fn stated() -> Vec<(&'static str, IsFitting)> {
    let text: fn(&Value) -> bool = Value::is_string;
    let date: fn(&Value) -> bool = Value::is_number;
    let texts: fn(&Value) -> bool = |value| *value == json!(["x"]);
    let authorities: fn(&Value) -> bool = Value::is_object;
    let mut claims = vec![
        ("iat", date),
        ("exp", date),
        ("software_roles", texts),
        ("software_redirect_uris", texts),
        ("organisation_competent_authority_claims", authorities),
    ];
    let texts = [
        "iss",
        "software_id",
        "software_client_name",
        "software_jwks_endpoint",
        "software_jwks_revoked_endpoint",
        "software_logo_uri",
        "software_mode",
        "software_on_behalf_of_org",
        "org_id",
        "org_name",
        "org_status",
    ];
    claims.extend(texts.map(|name| (name, text)));
    claims
}

#[tokio::test]
async fn dcr_020_a_claim_of_a_wrong_type_is_named_with_the_allowed_type() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    for (claim, is_right) in stated() {
        for (value, found) in values().into_iter().filter(|(value, _)| !is_right(value)) {
            let changed = statement(&bank, &tpp, |claims| claims[claim] = value.clone());
            let answer = attempt(&tpp, |request| request.claim("software_statement", changed)).await;
            assert_named(&answer, "invalid_software_statement", claim, found);
        }
    }
}

#[tokio::test]
async fn dcr_015_a_member_that_is_not_honoured_is_named_whatever_its_type() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    for claim in [
        "subject_type",
        "sector_identifier_uri",
        "id_token_encrypted_response_alg",
        "userinfo_signed_response_alg",
        "request_object_encryption_alg",
        "default_max_age",
        "default_acr_values",
        "require_auth_time",
        "request_uris",
        "jwks",
        "post_logout_redirect_uris",
        "tls_client_auth_san_dns",
        "tls_client_certificate_bound_access_tokens",
        "dpop_bound_access_tokens",
        "authorization_details_types",
        "require_pushed_authorization_requests",
    ] {
        let flags = ["tls_client_certificate_bound_access_tokens"];
        for (value, _) in values().into_iter().filter(|(value, _)| !(flags.contains(&claim) && value.is_boolean())) {
            let answer = attempt(&tpp, |request| request.claim(claim, value)).await;
            answer.oauth(400, "invalid_client_metadata");
            let said = answer.json().unwrap();
            assert!(said.text("error_description").starts_with(claim), "{claim}: {said}");
        }
    }
}

#[tokio::test]
async fn dcr_013_an_algorithm_that_is_not_allowed_is_named_with_its_claim() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    let (_, claims) = described_claims(&bank).await;
    let algorithms: Vec<_> = claims.iter().map(|(name, _)| name).filter(|name| name.ends_with("_alg")).collect();
    assert_eq!(algorithms.len(), 6, "{algorithms:?}");
    for claim in algorithms {
        let answer = attempt(&tpp, |request| request.claim(claim, "RS256")).await;
        answer.oauth(400, "invalid_client_metadata");
        assert_eq!(answer.json().unwrap().text("error_description"), format!("{claim} must be PS256."));
    }
}
