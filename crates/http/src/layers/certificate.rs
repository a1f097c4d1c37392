//! Routes that exist only for callers with a client certificate.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_auth::certificates::ClientCertificate;
use std::sync::Arc;

/// Answers 401 without a body unless the connection carries a client certificate. Source: TLS-003, TLS-004.
///
/// For API routes; OAuth's routes say `invalid_client` themselves (AS-028). As a `route_layer` it leaves paths that
/// are not defined to the router, so they stay 404.
pub async fn required(request: Request, next: Next) -> Response {
    if request.extensions().get::<Arc<ClientCertificate>>().is_none() {
        tracing::info!(security.refusal = "TLS-004", "no client certificate");
        return StatusCode::UNAUTHORIZED.into_response();
    }
    next.run(request).await
}
