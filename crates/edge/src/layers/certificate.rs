//! Refuses callers without a client certificate on routes that require one.

use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use lombard_auth::callers::CallerProblem;
use lombard_auth::certificates::ClientCertificate;
use std::sync::Arc;

/// Returns 401 without a body, unless the connection has an accepted client certificate. Source: TLS-003, TLS-004, AS-111.
///
/// For routes of the API; OAuth routes return `invalid_client` themselves (AS-028). The check runs for each defined method of a path, so
/// that undefined paths remain 404 and undefined methods 405. Source: RW-025.
pub fn refusal(request: &Request) -> Option<Response> {
    let refused = match request.extensions().get::<Arc<ClientCertificate>>() {
        Some(certificate) if certificate.is_trusted() => return None,
        Some(_) => {
            tracing::info!(security.refusal = "TLS-005", "the client certificate is not accepted any more");
            RefusedBy::new("TLS-005", "The client certificate is not accepted any more.")
        }
        None => {
            tracing::info!(security.refusal = "TLS-004", "no client certificate");
            CallerProblem::NoCertificate.failed_check().into()
        }
    };
    let sent_token = request.headers().contains_key(AUTHORIZATION);
    let challenge = if sent_token { r#"Bearer error="invalid_token""# } else { "Bearer" };
    Some((StatusCode::UNAUTHORIZED, Extension(refused), [(WWW_AUTHENTICATE, challenge)]).into_response())
}
