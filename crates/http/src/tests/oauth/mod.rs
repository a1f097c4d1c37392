mod described;
mod fixture;

use crate::test_app::{Answer, Served};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use fixture::{CLIENT_CREDENTIALS, FORM, posted};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_oauth::pushed;
use lombard_oauth::request::BODY_BYTES_MAX;
use serde_json::json;

const POSTED: [OAuthEndpoint; 4] =
    [OAuthEndpoint::Token, OAuthEndpoint::PushedAuthorization, OAuthEndpoint::Revocation, OAuthEndpoint::Introspection];

/// Checks the properties of every refusal: this status and code, a printable description, and headers that forbid caching.
fn assert_refused(answer: &Answer, status: StatusCode, error: &str) {
    let body = answer.json();
    assert_eq!((answer.status, &body["error"]), (status, &json!(error)));
    let description = body["error_description"].as_str().unwrap();
    assert!(!description.is_empty() && description.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{description}");
    assert_eq!(answer.header(header::CACHE_CONTROL), Some("no-store"));
    assert_eq!(answer.header(header::CONTENT_TYPE), Some("application/json"));
}

async fn access_token(served: &Served) -> String {
    let answer = served.post("/token", CLIENT_CREDENTIALS).await;
    answer.json()["access_token"].as_str().unwrap().to_owned()
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn as_036_an_answer_with_tokens_is_not_stored() {
    let served = Served::new().await;
    let answer = served.post("/token", CLIENT_CREDENTIALS).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header(header::CACHE_CONTROL), Some("no-store"));
    assert_eq!(answer.header(header::PRAGMA), Some("no-cache"));
    let body = answer.json();
    assert_eq!(
        (&body["token_type"], &body["expires_in"], &body["scope"]),
        (&json!("Bearer"), &json!(3600), &json!("accounts"))
    );
}

#[tokio::test]
async fn as_035_only_one_form_is_read() {
    let served = Served::new().await;
    for (content_type, accepted) in [
        (Some(FORM), true),
        (Some("application/x-www-form-urlencoded; charset=UTF-8"), true),
        (Some("Application/X-WWW-Form-Urlencoded"), true),
        (Some("application/json"), false),
        (Some("application/x-www-form-urlencoded-not"), false),
        (Some("multipart/form-data"), false),
        (None, false),
    ] {
        let mut request = posted("/token", CLIENT_CREDENTIALS);
        request.headers_mut().remove(header::CONTENT_TYPE);
        if let Some(content_type) = content_type {
            request.headers_mut().insert(header::CONTENT_TYPE, content_type.parse().unwrap());
        }
        let answer = served.mutual(request).await;
        assert_eq!(answer.status == StatusCode::OK, accepted, "{content_type:?}");
        if !accepted {
            assert_refused(&answer, StatusCode::BAD_REQUEST, "invalid_request");
        }
    }
    let repeated = served.post("/token", &format!("{CLIENT_CREDENTIALS}&scope=accounts")).await;
    assert_refused(&repeated, StatusCode::BAD_REQUEST, "invalid_request");
    let unknown = served.post("/token", &format!("{CLIENT_CREDENTIALS}&colour=blue")).await;
    assert_eq!(unknown.status, StatusCode::OK);
}

#[tokio::test]
async fn as_035_other_methods_are_405_in_json() {
    let served = Served::new().await;
    for endpoint in POSTED {
        let answer = served.mutual(get(&format!("{}?{CLIENT_CREDENTIALS}", endpoint.path()))).await;
        assert_refused(&answer, StatusCode::METHOD_NOT_ALLOWED, "invalid_request");
        assert_eq!(answer.header(header::ALLOW), Some("POST"));
    }
}

#[tokio::test]
async fn as_035_a_form_has_a_largest_size() {
    let served = Served::new().await;
    let padded = |bytes: usize| format!("{CLIENT_CREDENTIALS}&x={}", "x".repeat(bytes - CLIENT_CREDENTIALS.len() - 3));
    assert_eq!(served.post("/token", &padded(BODY_BYTES_MAX)).await.status, StatusCode::OK);
    let answer = served.post("/token", &padded(BODY_BYTES_MAX + 1)).await;
    assert_refused(&answer, StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
}

#[tokio::test]
async fn as_151_a_pushed_request_is_refused_in_json() {
    let served = Served::new().await;
    let form = |bytes: usize| format!("client_id=acme&request={}", "x".repeat(bytes - "client_id=acme&request=".len()));
    let answer = served.post("/par", &form(pushed::BODY_BYTES_MAX)).await;
    assert_refused(&answer, StatusCode::BAD_REQUEST, "invalid_request");
    let answer = served.post("/par", &form(pushed::BODY_BYTES_MAX + 1)).await;
    assert_refused(&answer, StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
    let reference = "client_id=acme&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Ax";
    assert_refused(&served.post("/par", reference).await, StatusCode::BAD_REQUEST, "invalid_request");
    let unsigned = "client_id=acme&request=a.b.c";
    assert_refused(&served.post("/par", unsigned).await, StatusCode::BAD_REQUEST, "invalid_request_object");
    let nobody = "client_id=nobody&request=a.b.c";
    assert_refused(&served.post("/par", nobody).await, StatusCode::UNAUTHORIZED, "invalid_client");
}

#[tokio::test]
async fn as_028_tls_003_without_a_certificate_there_is_no_client() {
    let served = Served::new().await;
    for endpoint in POSTED {
        let answer = served.without_certificate(posted(endpoint.path(), CLIENT_CREDENTIALS)).await;
        assert_refused(&answer, StatusCode::UNAUTHORIZED, "invalid_client");
        assert_eq!(answer.header(header::WWW_AUTHENTICATE), None);
    }
    assert_eq!(served.without_certificate(get("/userinfo")).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn as_030_a_tried_authorization_header_is_answered_with_a_challenge() {
    let served = Served::new().await;
    let mut request = posted("/token", "grant_type=client_credentials");
    request.headers_mut().insert(header::AUTHORIZATION, "Basic YWNtZTpzZWNyZXQ=".parse().unwrap());
    let answer = served.mutual(request).await;
    assert_refused(&answer, StatusCode::UNAUTHORIZED, "invalid_client");
    assert!(answer.header(header::WWW_AUTHENTICATE).unwrap().starts_with("Basic"));
}

#[tokio::test]
async fn as_037_refusals_have_their_codes() {
    let served = Served::new().await;
    for (form, error) in [
        ("client_id=acme", "invalid_request"),
        ("client_id=acme&grant_type=password", "unsupported_grant_type"),
        ("client_id=acme&grant_type=client_credentials&scope=email", "invalid_scope"),
        ("client_id=acme&grant_type=refresh_token&refresh_token=x", "invalid_grant"),
        ("client_id=acme&grant_type=authorization_code&code=x&redirect_uri=y", "invalid_grant"),
    ] {
        assert_refused(&served.post("/token", form).await, StatusCode::BAD_REQUEST, error);
    }
    let unknown = served.post("/token", "client_id=nobody&grant_type=client_credentials").await;
    assert_refused(&unknown, StatusCode::UNAUTHORIZED, "invalid_client");
}

#[tokio::test]
async fn as_120_121_a_token_is_introspected_and_revoked() {
    let served = Served::new().await;
    let form = format!("client_id=acme&token={}", access_token(&served).await);
    let before = served.post("/introspect", &form).await;
    assert_eq!((before.status, before.json()["active"].clone()), (StatusCode::OK, json!(true)));
    assert_eq!(before.header(header::CACHE_CONTROL), Some("no-store"));
    for _ in 0..2 {
        let revoked = served.post("/revoke", &form).await;
        assert_eq!((revoked.status, revoked.body.len()), (StatusCode::OK, 0));
    }
    assert_eq!(served.post("/introspect", &form).await.json(), json!({"active": false}));
    assert_refused(&served.post("/revoke", "client_id=acme").await, StatusCode::BAD_REQUEST, "invalid_request");
    assert_refused(&served.post("/introspect", "client_id=acme").await, StatusCode::BAD_REQUEST, "invalid_request");
}

#[tokio::test]
async fn as_112_122_userinfo_reads_one_header_and_wants_a_psu() {
    let served = Served::new().await;
    let token = access_token(&served).await;
    let with = |authorizations: &[&str]| {
        let mut request = Request::get(format!("/userinfo?access_token={token}"));
        for authorization in authorizations {
            request = request.header(header::AUTHORIZATION, *authorization);
        }
        request.body(Body::empty()).unwrap()
    };
    let bearer = format!("Bearer {token}");
    let answer = served.mutual(with(&[&bearer])).await;
    assert_refused(&answer, StatusCode::FORBIDDEN, "insufficient_scope");
    let challenge = r#"Bearer error="insufficient_scope", scope="openid""#;
    assert_eq!(answer.header(header::WWW_AUTHENTICATE), Some(challenge), "RFC 6750 section 3.1");
    let answer = served.mutual(with(&[&bearer, &bearer])).await;
    assert_refused(&answer, StatusCode::BAD_REQUEST, "invalid_request");
    for (authorizations, challenge) in [
        (&[][..], "Bearer"),
        (&["Bearer never-issued"], r#"Bearer error="invalid_token""#),
        (&["Basic abc"], r#"Bearer error="invalid_request""#),
        (&["Bearer \u{e9}"], r#"Bearer error="invalid_request""#),
    ] {
        let answer = served.mutual(with(authorizations)).await;
        assert_refused(&answer, StatusCode::UNAUTHORIZED, "invalid_token");
        assert_eq!(answer.header(header::WWW_AUTHENTICATE), Some(challenge), "{authorizations:?}");
    }
    let answer = served.mutual(Request::delete("/userinfo").body(Body::empty()).unwrap()).await;
    assert_refused(&answer, StatusCode::METHOD_NOT_ALLOWED, "invalid_request");
}

#[tokio::test]
async fn as_001_007_008_discovery_and_keys_are_for_everybody() {
    let served = Served::new().await;
    for endpoint in [OAuthEndpoint::Discovery, OAuthEndpoint::Metadata, OAuthEndpoint::Jwks] {
        let answer = served.public(get(endpoint.path())).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header(header::CONTENT_TYPE), Some("application/json"));
        let kept = answer.header(header::CACHE_CONTROL).unwrap().rsplit_once("max-age=").unwrap();
        assert!(kept.1.parse::<u32>().unwrap() <= 3600);
    }
    let keys = served.public(get("/jwks")).await.json();
    let key = keys["keys"][0].as_object().unwrap();
    assert_eq!((&key["kty"], &key["alg"]), (&json!("RSA"), &json!("PS256")));
    assert!(["d", "p", "q", "dp", "dq", "qi", "k"].iter().all(|private| !key.contains_key(*private)));
}

#[tokio::test]
async fn as_003_every_endpoint_that_discovery_names_answers() {
    let served = Served::new().await;
    let document = served.public(get(OAuthEndpoint::Discovery.path())).await.json();
    let settings = &served.app.settings;
    let named: Vec<_> = document
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri")
        .collect();
    assert_eq!(named.len(), 8);
    for (name, url) in named {
        let url = url.as_str().unwrap();
        let answer = match url.strip_prefix(settings.mtls_url.as_str()) {
            Some(path) => served.mutual(get(path)).await,
            None => served.public(get(url.strip_prefix(settings.public_url.as_str()).unwrap())).await,
        };
        assert_ne!(answer.status, StatusCode::NOT_FOUND, "{name}");
    }
}
