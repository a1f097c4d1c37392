use crate::harness::{Bank, ExchangeExt};
use lombard_tpp::{HttpCall, Protocol};
use serde_json::json;

#[tokio::test]
async fn as_001_to_006_the_document_needs_no_certificate_and_names_everything() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
    let answer = tpp.send(HttpCall::get(&tpp.endpoints.well_known)).await.unwrap();
    let document = answer.ok(200);
    let metadata = format!("{}/.well-known/oauth-authorization-server", tpp.endpoints.public);
    let metadata = tpp.send(HttpCall::get(metadata)).await.unwrap();
    assert_eq!(metadata.ok(200), document, "RFC 8414 section 3");
    let mtls = &tpp.endpoints.mtls;
    assert_eq!(document["issuer"], json!(tpp.endpoints.issuer), "AS-002");
    // `registration_endpoint` follows with registration itself: a document must not name what is not there.
    for name in [
        "token_endpoint",
        "pushed_authorization_request_endpoint",
        "introspection_endpoint",
        "revocation_endpoint",
        "userinfo_endpoint",
    ] {
        assert!(document[name].as_str().unwrap().starts_with(mtls), "{name}: {}", document[name]);
        assert_eq!(document["mtls_endpoint_aliases"][name], document[name], "AS-006: {name}");
    }
    for name in ["authorization_endpoint", "jwks_uri"] {
        assert!(document[name].as_str().unwrap().starts_with(&tpp.endpoints.public), "{name}: {}", document[name]);
    }
    let lists = [
        ("scopes_supported", json!(["openid", "accounts", "payments", "fundsconfirmations"])),
        ("response_types_supported", json!(["code id_token", "code"])),
        ("response_modes_supported", json!(["fragment", "jwt", "fragment.jwt", "query.jwt", "query"])),
        ("authorization_signing_alg_values_supported", json!(["PS256"])),
        ("require_pushed_authorization_requests", json!(false)),
        (
            "grant_types_supported",
            json!(["client_credentials", "authorization_code", "refresh_token", "urn:openid:params:grant-type:ciba",]),
        ),
        ("id_token_signing_alg_values_supported", json!(["PS256"])),
        ("request_object_signing_alg_values_supported", json!(["PS256"])),
        ("token_endpoint_auth_signing_alg_values_supported", json!(["PS256"])),
        ("token_endpoint_auth_methods_supported", json!(["tls_client_auth", "private_key_jwt"])),
        ("acr_values_supported", json!(["urn:openbanking:psd2:sca", "urn:openbanking:psd2:ca"])),
        ("tls_client_certificate_bound_access_tokens", json!(true)),
        ("claims_parameter_supported", json!(true)),
        ("request_parameter_supported", json!(true)),
        ("request_uri_parameter_supported", json!(false)),
    ];
    for (name, value) in lists {
        assert_eq!(document[name], value, "AS-003 to AS-005: {name}");
    }
    for name in ["subject_types_supported", "claims_supported"] {
        assert!(document[name].as_array().is_some_and(|it| !it.is_empty()), "AS-003: {name}");
    }
}

#[tokio::test]
async fn as_007_keys_are_public_and_carry_the_chain_of_the_seal() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
    let answer = tpp.send(HttpCall::get(&tpp.discovery().await.unwrap().jwks_uri)).await.unwrap();
    let age = answer.head("cache-control").split("max-age=").nth(1).and_then(|it| it.split(',').next()?.parse().ok());
    assert!(age.is_some_and(|age: u32| age <= 3_600), "AS-008: {}", answer.head("cache-control"));
    let keys = answer.ok(200)["keys"].as_array().unwrap().clone();
    assert!(!keys.is_empty());
    for key in keys {
        assert_eq!((&key["kty"], &key["use"], &key["alg"]), (&json!("RSA"), &json!("sig"), &json!("PS256")));
        let chain = key["x5c"].as_array().unwrap();
        assert!(!chain.is_empty() && key["x5t#S256"].is_string() && key["kid"].is_string(), "{key}");
        for private in ["d", "p", "q", "dp", "dq", "qi", "k", "oth"] {
            assert!(key.get(private).is_none(), "{private}");
        }
    }
}

#[tokio::test]
async fn tls_003_the_public_listener_has_no_api_and_mtls_requires_a_certificate() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let misplaced = format!("{}/open-banking/v3.1/aisp/balances", tpp.endpoints.public);
    let answer = tpp.send(HttpCall::get(misplaced).with_bearer(&token)).await.unwrap();
    assert_eq!(answer.status, 404, "{}", answer.text());
    for protocol in [Protocol::Any, Protocol::Http1] {
        let naked = tpp.with_certificate(None, protocol).unwrap();
        naked.get(&token, "aisp/accounts").await.unwrap().unauthorised();
    }
}

#[tokio::test]
async fn as_111_a_token_works_only_with_the_certificate_it_was_bound_to() {
    let bank = Bank::start().await;
    let access = crate::harness::access(&bank.tpp("robot"), &crate::harness::EVERYTHING).await;
    let rival = bank.tpp("rival");
    rival.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
    rival.get(&access.own, &access.consent_path()).await.unwrap().unauthorised();
    let fresh = access.tpp.with_certificate(Some(&access.tpp.folder.identity), Protocol::Http1).unwrap();
    fresh.get(access.token(), "aisp/accounts").await.unwrap().ok(200);
}
