//! Tables of requests and statements that are refused: each differs in one member from a valid one.

use super::*;

#[tokio::test]
async fn dcr_005_to_015_each_member_of_a_request_is_judged() {
    let registrar = Registrar::new().await;
    let now = registrar.world.wall().as_second();
    let (bad, uri) = (Some(InvalidClientMetadata), Some(InvalidRedirectUri));
    let ciba = json!(["client_credentials", "urn:openid:params:grant-type:ciba"]);
    let none = Value::Null;
    for (name, value, refused) in [
        ("iss", json!("other"), bad),
        ("iss", json!(""), bad),
        ("iss", json!("foo.is/invalid"), bad),
        ("iss", json!("0123456789012345678901234567890"), bad),
        ("iss", none.clone(), bad),
        ("aud", json!("BANK00000000000001"), None),
        ("aud", json!(["https://other.example", ISSUER]), None),
        ("aud", json!("https://other.example"), bad),
        ("aud", none.clone(), bad),
        ("exp", json!(now), bad),
        ("exp", json!(now + 1), None),
        ("exp", json!(now + 86_400), None),
        ("exp", json!(now + 86_401), bad),
        ("exp", json!((now + 60).to_string()), bad),
        ("exp", none.clone(), bad),
        ("iat", json!(now + 60), None),
        ("iat", json!(now + 61), bad),
        ("iat", none.clone(), bad),
        ("jti", json!("not a uuid"), bad),
        ("jti", json!("0cb8cf1e41e04f7c9a3f000000000000"), bad),
        ("jti", none.clone(), bad),
        ("software_id", json!(SOFTWARE), None),
        ("software_id", json!("another"), bad),
        ("redirect_uris", none.clone(), None),
        ("redirect_uris", json!([CALLBACK, OTHER_CALLBACK]), None),
        ("redirect_uris", json!(["https://tpp.example/callback/"]), uri),
        ("redirect_uris", json!([]), uri),
        ("redirect_uris", json!(CALLBACK), bad),
        ("token_endpoint_auth_method", json!("client_secret_basic"), bad),
        ("token_endpoint_auth_method", json!("none"), bad),
        ("token_endpoint_auth_method", none.clone(), bad),
        ("token_endpoint_auth_signing_alg", json!("RS256"), bad),
        ("token_endpoint_auth_signing_alg", none.clone(), bad),
        ("id_token_signed_response_alg", json!("RS256"), bad),
        ("id_token_signed_response_alg", json!("none"), bad),
        ("id_token_signed_response_alg", none.clone(), None),
        ("request_object_signing_alg", json!("ES256"), bad),
        ("grant_types", json!(["authorization_code", "password"]), bad),
        ("grant_types", json!([]), bad),
        ("grant_types", none.clone(), None),
        ("grant_types", json!(["client_credentials"]), bad), // with a response type
        ("response_types", json!(["id_token", "token"]), bad),
        ("response_types", json!(["code", "code id_token"]), None),
        ("response_types", json!(["id_token code"]), None),
        ("response_types", json!([]), bad),
        ("response_types", none.clone(), None),
        ("application_type", json!("mobile"), None),
        ("application_type", json!("native"), None),
        ("application_type", json!("desktop"), bad),
        ("application_type", none.clone(), None),
        ("scope", json!("accounts"), None),
        ("scope", none.clone(), None),
        ("scope", json!("openid"), None),
        ("scope", json!(""), bad),
        ("scope", json!("openid fundsconfirmations"), bad), // beyond the statement
        ("scope", json!("openid eventpolling"), bad),
        ("scope", json!(format!("accounts{}", " ".repeat(256))), bad),
        ("grant_types", ciba.clone(), bad),                      // without its members
        ("backchannel_token_delivery_mode", json!("poll"), bad), // without its grant
        ("backchannel_user_code_parameter", json!(false), bad),
        ("backchannel_user_code_parameter_supported", json!(false), bad),
        ("backchannel_user_code_parameter_supported", json!(true), bad),
        ("subject_type", json!("public"), None),
        ("subject_type", json!("pairwise"), bad),
        ("id_token_encrypted_response_alg", json!("RSA-OAEP-256"), bad),
        ("require_pushed_authorization_requests", json!(true), bad),
        ("require_pushed_authorization_requests", json!(false), None),
        ("redirect_uris", json!(vec![CALLBACK; 3000]), None),
        ("client_id", json!("mine"), None),        // DCR-016: ignored
        ("something_else", json!({"a": 1}), None), // DCR-015
    ] {
        let request = with(registrar.request(), name, value.clone());
        let registered = registrar.register(&registrar.statement(), &request).await;
        assert_eq!(registered.as_ref().err().copied(), refused, "{name}: {value}");
        // Another test covers the limit of clients.
        if let Ok(response) = registered {
            delete_registration(&registrar.world.auth, &response["client_id"].as_str().unwrap().into()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn dcr_014_backchannel_members_come_with_their_grant() {
    let registrar = Registrar::new().await;
    let grants = json!(["client_credentials", "urn:openid:params:grant-type:ciba"]);
    let request = || with(with(registrar.request(), "grant_types", grants.clone()), "response_types", Value::Null);
    for name in ["backchannel_user_code_parameter", "backchannel_user_code_parameter_supported"] {
        for (user_codes, refused) in [(json!(false), false), (json!(true), true)] {
            let request = with(request(), "backchannel_token_delivery_mode", json!("poll"));
            let registered = registrar.register(&registrar.statement(), &with(request, name, user_codes)).await;
            assert_eq!(registered.is_err(), refused, "{name}");
        }
    }
    for (mode, endpoint, user_code, refused) in [
        (json!("poll"), Value::Null, json!(false), false),
        (json!("poll"), Value::Null, json!(true), true),
        (json!("push"), Value::Null, Value::Null, true),
        (json!("ping"), json!("https://tpp.example/ping"), Value::Null, true), // this server notifies nobody
    ] {
        let request = with(request(), "backchannel_token_delivery_mode", mode.clone());
        let request = with(request, "backchannel_client_notification_endpoint", endpoint);
        let request = with(request, "backchannel_user_code_parameter", user_code.clone());
        let registered = registrar.register(&registrar.statement(), &request).await;
        assert_eq!(registered.is_err(), refused, "{mode} {user_code}");
    }
}

#[tokio::test]
async fn dcr_020_to_023_each_claim_of_a_statement_is_judged() {
    let registrar = Registrar::new().await;
    let now = registrar.world.wall().as_second();
    let (bad, unapproved) = (Some(InvalidSoftwareStatement), Some(UnapprovedSoftwareStatement));
    let authority = |status: &str| json!([{"authority_id": "FCAGBR", "registration_id": "123456", "status": status}]);
    let long = "x".repeat(256);
    let none = Value::Null;
    for (name, value, refused) in [
        ("iss", json!("Another directory"), unapproved),
        ("iss", none.clone(), unapproved),
        ("iat", json!(now - 1800), None),
        ("iat", json!(now - 1801), bad),
        ("iat", json!(now + 60), None),
        ("iat", json!(now + 61), bad),
        ("iat", none.clone(), bad),
        ("exp", json!(now + 1), None),
        ("exp", json!(now), bad),
        ("org_status", json!("Revoked"), unapproved),
        ("org_status", none.clone(), unapproved),
        ("software_mode", json!("Test"), unapproved),
        ("software_mode", none.clone(), unapproved),
        ("organisation_competent_authority_claims", authority("Active"), None),
        ("organisation_competent_authority_claims", authority("Withdrawn"), unapproved),
        ("organisation_competent_authority_claims", none.clone(), None),
        ("software_roles", json!(["ASPSP"]), unapproved),
        ("software_roles", json!([]), unapproved),
        ("software_roles", json!("AISP"), bad),
        ("software_id", none.clone(), bad),
        ("software_id", json!("01234567890123456789012"), bad),
        ("org_id", json!("0015800001041RHAAYX"), bad),
        ("software_client_name", json!("  "), bad),
        ("software_client_name", json!("two\nlines"), bad),
        ("software_client_name", json!(long), bad),
        ("org_name", none.clone(), bad),
        ("software_on_behalf_of_org", json!("Somebody"), None),
        ("software_on_behalf_of_org", json!("\u{1b}[2J"), bad),
        ("software_jwks_endpoint", json!("http://keystore.example/acme.jwks"), bad),
        ("software_jwks_endpoint", json!("https://evil.example/acme.jwks"), bad), // its host is not listed
        ("software_jwks_endpoint", none.clone(), bad),
        ("software_jwks_revoked_endpoint", json!("no url"), bad),
        ("software_redirect_uris", json!([OTHER_CALLBACK]), Some(InvalidRedirectUri)),
    ] {
        let statement = with(registrar.statement(), name, value.clone());
        let registered = registrar.register(&statement, &registrar.request()).await;
        assert_eq!(registered.as_ref().err().copied(), refused, "{name}: {value}");
        if let Ok(response) = registered {
            delete_registration(&registrar.world.auth, &response["client_id"].as_str().unwrap().into()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn dcr_003_004_010_what_no_right_key_signed_registers_nothing() {
    let registrar = Registrar::new().await;
    let (statement, request) = (registrar.statement(), registrar.request());
    let (directory, software) = (directory_key(), tpp_key());
    let forged = |algorithm: &str, claims: &Value| {
        let header = base64url(json!({"alg": algorithm, "kid": software.id()}).to_string().as_bytes());
        format!("{header}.{}.{}", base64url(claims.to_string().as_bytes()), base64url(b"signature"))
    };
    let embedded = |statement: String| with(request.clone(), "software_statement", statement.into());
    let good = sign(&directory, &statement);
    let with_own_key = |claims: &Value| {
        let mut header = JoseHeader::ps256(directory.id());
        header.extra.insert("jwk".into(), directory.public().to_jwk(&[]));
        header.extra.insert("jku".into(), json!("https://evil.example/keys"));
        sign_compact(&directory, &header, claims.to_string().as_bytes()).unwrap()
    };
    let no_kid = |key: &SigningKey, claims: &Value| {
        let header = JoseHeader { kid: None, ..JoseHeader::ps256(key.id()) };
        sign_compact(key, &header, claims.to_string().as_bytes()).unwrap()
    };
    for (case, body, code) in [
        ("no JWT", "{}".to_owned(), InvalidClientMetadata),
        ("no statement", sign(&software, &request), InvalidSoftwareStatement),
        ("a statement that is no JWT", sign(&software, &embedded("a.b".into())), InvalidSoftwareStatement),
        (
            "a statement without a signature",
            sign(&software, &embedded(forged("none", &statement))),
            InvalidSoftwareStatement,
        ),
        ("a statement of RS256", sign(&software, &embedded(forged("RS256", &statement))), InvalidSoftwareStatement),
        (
            "DCR-023: a statement the software signed",
            sign(&software, &embedded(sign(&software, &statement))),
            InvalidSoftwareStatement,
        ),
        (
            "a statement without kid",
            sign(&software, &embedded(no_kid(&directory, &statement))),
            InvalidSoftwareStatement,
        ),
        ("a request without kid", no_kid(&software, &embedded(good.clone())), InvalidClientMetadata),
        ("a request of RS256", forged("RS256", &embedded(good.clone())), InvalidClientMetadata),
        ("a request without a signature", forged("none", &embedded(good.clone())), InvalidClientMetadata),
        ("a request of another key", sign(&directory, &embedded(good.clone())), InvalidClientMetadata),
        ("a request that brings its own key", with_own_key(&embedded(good)), InvalidClientMetadata),
    ] {
        assert_eq!(registrar.register_body(&body).await, Err(code), "{case}");
    }
    assert_eq!(registrar.clients().await, 0);
}
