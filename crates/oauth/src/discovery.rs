//! Serves the discovery document and the server's public keys to everybody. Source: AS-001, AS-007, AS-008.

use super::described_routes::DescribedRoutes;
use super::operation::{OAuthOperation, RequiredCaller, SuccessResponse};
use super::request::BODY_BYTES_MAX;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lombard_auth::discovery::{DiscoveryDocument, discovery_document};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::App;
use lombard_edge::endpoint_facts::HttpMethod;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_wire::describe::schema_of;
use serde_json::{Value, json};
use std::sync::Arc;

/// The cache lifetime of both documents: half the hour for which a new key is published before it signs. Source: AS-008.
const CACHE_HALF_AN_HOUR: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=1800"));
const JSON: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));

/// The routes of the discovery document.
pub(super) fn routes() -> DescribedRoutes {
    let discovery = published("GetDiscovery", OAuthEndpoint::Discovery)
        .with_description(
            "Read the discovery document",
            "What the authorisation server supports, and where its endpoints are.",
        )
        .with_success(SuccessResponse::json(
            StatusCode::OK,
            "The discovery document, which may be kept for half an hour.",
            "DiscoveryDocument",
            schema_of::<DiscoveryDocument>(),
        ));
    let metadata = OAuthOperation { name: "GetMetadata", endpoint: OAuthEndpoint::Metadata, ..discovery.clone() };
    DescribedRoutes::new(BODY_BYTES_MAX).serve(discovery, configuration).serve(metadata, configuration)
}

/// The routes of the server's keys.
pub(super) fn key_routes() -> DescribedRoutes {
    let keys = published("GetJwks", OAuthEndpoint::Jwks)
        .with_description(
            "Read the server's keys",
            "The public keys that verify what the server signs: identity tokens, messages and events.",
        )
        .with_success(SuccessResponse::json(
            StatusCode::OK,
            "The keys, which may be kept for half an hour.",
            "Jwks",
            jwks_schema(),
        ));
    DescribedRoutes::new(BODY_BYTES_MAX).serve(keys, jwks)
}

fn published(name: &'static str, endpoint: OAuthEndpoint) -> OAuthOperation {
    OAuthOperation::new(name, HttpMethod::Get, endpoint, RequiredCaller::Anybody)
}

/// A set of public RSA keys. Source: RFC 7517 sections 4 and 5, RFC 7518 section 6.3.
fn jwks_schema() -> Value {
    let text = |words: &str| json!({ "type": "string", "description": words });
    let key = json!({
        "type": "object",
        "required": ["kty", "kid", "use", "alg", "n", "e"],
        "properties": {
            "kty": text("The kind of key."),
            "kid": text("The id of the key."),
            "use": text("What the key is for."),
            "alg": text("The algorithm of its signatures."),
            "n": text("The modulus, in base64url."),
            "e": text("The exponent, in base64url."),
            "x5c": { "type": "array", "items": { "type": "string" }, "description": "Its certificates, if it has any, in base64." },
            "x5t#S256": text("The SHA-256 digest of its certificate, in base64url."),
        },
    });
    json!({
        "type": "object",
        "required": ["keys"],
        "properties": { "keys": { "type": "array", "items": key, "description": "The keys." } },
    })
}

async fn configuration(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let auth = app.auth.clone();
    let render = move || ([CACHE_HALF_AN_HOUR], Json(discovery_document(&auth.settings))).into_response();
    app.response_cache.respond(request, render).await
}

/// Serves the key set. The rendered response is cached as long as the document is the same, so that a change shows at once.
async fn jwks(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let document = app.auth.keys.jwks();
    let text = Arc::clone(&document);
    let render = move || ([CACHE_HALF_AN_HOUR, JSON], text.to_string()).into_response();
    app.response_cache.respond_document(request, document, render).await
}
