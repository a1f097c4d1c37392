//! How much header a request may bring, and that it names one host: two readers of two names would disagree.
//!
//! The HTTP library has a ceiling of its own above these bounds; a request between the two gets an answer with an
//! interaction id instead of a closed connection.

use super::meters::BeforeRoute;
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::HOST;

/// Bounds on the header section of a request. Source: TLS-016.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderLimits {
    /// Most bytes of the method, the target, all names and all values together.
    pub bytes_max: usize,
    /// Most fields.
    pub fields_max: usize,
}

/// 431 for too much header, 400 for more than one host.
pub(super) fn refusal(limits: HeaderLimits, request: &Request) -> Option<Response> {
    let headers = request.headers();
    let line = request.method().as_str().len() + request.uri().path().len();
    let target = line + request.uri().query().map_or(0, str::len);
    let bytes = headers.iter().fold(target, |sum, (name, value)| sum + name.as_str().len() + value.len());
    let (status, rule, reason) = if bytes > limits.bytes_max || headers.len() > limits.fields_max {
        (
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "TLS-016",
            "The request has too many header fields, or too long ones.",
        )
    } else if headers.get_all(HOST).iter().nth(1).is_some() {
        // Source: TLS-015, RFC 9112 section 3.2.
        (StatusCode::BAD_REQUEST, "TLS-015", "The request names more than one host.")
    } else {
        return None;
    };
    Some((status, Extension(BeforeRoute), Extension(RefusedBy::new(rule, reason))).into_response())
}
