//! The `Authorization` header of a request.

use http::header::AUTHORIZATION;
use http::request::Parts;
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_edge::error::ApiError;

/// The `Authorization` header.
///
/// # Errors
/// 400 if there is more than one.
pub(super) fn authorization(parts: &Parts) -> Result<Option<&str>, ApiError> {
    let mut sent = parts.headers.get_all(AUTHORIZATION).iter();
    let first = sent.next();
    if sent.next().is_some() {
        let message = "There must be one Authorization header.";
        return Err(ApiError::fault(FaultCode::HeaderInvalid, FaultLocation::Header("Authorization"), message));
    }
    // A value that is not text counts as a header that is not a bearer token.
    Ok(first.map(|value| value.to_str().unwrap_or("?")))
}
