//! Certificates that only stand in a header.
//!
//! The certificate of a caller is the one its connection proved. No proxy can be configured that would vouch for another,
//! so a header that claims one is an attempt, or a set-up that does not do what its owner thinks: both must be told.

use super::meters::BeforeRoute;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode};

/// How proxies hand a certificate on: RFC 9440, Envoy, and what others are commonly told to use.
const NAMES: [&str; 5] =
    ["client-cert", "client-cert-chain", "x-forwarded-client-cert", "ssl-client-cert", "x-ssl-client-cert"];

/// 400 for a request with such a header, also if it is spelt with underscores, which some proxies let through as the same
/// name. Source: TLS-012, TLS-015.
pub(super) fn refusal(request: &Request) -> Option<Response> {
    if !request.headers().keys().any(claims) {
        return None;
    }
    tracing::info!(security.refusal = "TLS-012", "a certificate in a header");
    Some((StatusCode::BAD_REQUEST, Extension(BeforeRoute)).into_response())
}

fn claims(name: &HeaderName) -> bool {
    let name = name.as_str();
    let same = |known: &&str| {
        known.len() == name.len() && known.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a, b) == (b'-', b'_'))
    };
    NAMES.iter().any(same)
}
