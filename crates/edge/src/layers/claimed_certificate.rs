//! Refuses client certificates that only a header states.
//!
//! The certificate of a caller is that of its connection, or the one that a proxy forwarded in the configured header, which the listener
//! removes. Any other header with a certificate is an attack or a configuration error and is refused.

use super::meters::BeforeRoute;
use crate::listener::{ForwardingFault, is_same_name};
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode};

/// The headers in which proxies forward a certificate: those of RFC 9440 and Envoy, and other common names.
const NAMES: [&str; 5] =
    ["client-cert", "client-cert-chain", "x-forwarded-client-cert", "ssl-client-cert", "x-ssl-client-cert"];

/// Returns 400 for a request whose forwarding headers the listener refused. Source: TLS-011, TLS-012, TLS-014.
pub(super) fn forwarding_refusal(request: &Request) -> Option<Response> {
    let fault = request.extensions().get::<ForwardingFault>()?;
    tracing::info!(security.refusal = fault.rule, "{}", fault.reason);
    Some(bad_request(RefusedBy::new(fault.rule, fault.reason)))
}

/// Returns 400 for a request with such a header, also if it is spelt with underscores, which some proxies treat as the same name. Source:
/// TLS-012, TLS-015.
pub(super) fn refusal(request: &Request) -> Option<Response> {
    if !request.headers().keys().any(claims) {
        return None;
    }
    tracing::info!(security.refusal = "TLS-012", "a certificate in a header");
    Some(bad_request(RefusedBy::new(
        "TLS-012",
        "A header holds a client certificate that no proxy of this server set.",
    )))
}

fn bad_request(refused: RefusedBy) -> Response {
    (StatusCode::BAD_REQUEST, Extension(BeforeRoute), Extension(refused)).into_response()
}

fn claims(name: &HeaderName) -> bool {
    NAMES.iter().any(|known| is_same_name(known, name.as_str()))
}
