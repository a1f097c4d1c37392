//! The limits on the headers of a request.
//!
//! The HTTP library has its own limit above these. A request between both limits gets a response with an interaction id instead of a closed
//! connection.

use super::meters::BeforeRoute;
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

/// The limits on the header section of a request. Source: TLS-016.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderLimits {
    /// The most bytes of the method, the target, all names and all values together.
    pub bytes_max: usize,
    /// The most header fields.
    pub fields_max: usize,
}

/// Returns 431 for a header section that exceeds the limits.
pub(super) fn refusal(limits: HeaderLimits, request: &Request) -> Option<Response> {
    let headers = request.headers();
    let line = request.method().as_str().len() + request.uri().path().len();
    let target = line + request.uri().query().map_or(0, str::len);
    let bytes = headers.iter().fold(target, |sum, (name, value)| sum + name.as_str().len() + value.len());
    if bytes <= limits.bytes_max && headers.len() <= limits.fields_max {
        return None;
    }
    let refused = RefusedBy::new("TLS-016", "The request has too many header fields, or too long ones.");
    Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Extension(BeforeRoute), Extension(refused)).into_response())
}
