//! The discovery document and the server's public keys, for everybody. Source: AS-001, AS-007, AS-008.

use super::response;
use crate::App;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use lombard_auth::discovery::discovery_document;
use lombard_auth::endpoints::OAuthEndpoint;

/// Half the hour that a new key is published before it signs. Source: AS-008.
const KEPT: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=1800"));
const JSON: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(OAuthEndpoint::Discovery.path(), get(configuration).fallback(response::method_not_allowed))
        .route(OAuthEndpoint::Jwks.path(), get(jwks).fallback(response::method_not_allowed))
}

async fn configuration(State(app): State<App>) -> Response {
    ([KEPT], Json(discovery_document(&app.auth.settings))).into_response()
}

async fn jwks(State(app): State<App>) -> Response {
    ([KEPT, JSON], app.auth.keys.jwks().to_string()).into_response()
}
