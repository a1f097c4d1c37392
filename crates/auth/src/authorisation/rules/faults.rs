//! The errors of the rules.

use crate::error::{OAuthError, OAuthErrorCode};

/// `invalid_request` with this description.
pub(crate) const fn invalid(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidRequest, description)
}

/// `invalid_request_uri` with this description.
pub(crate) const fn invalid_uri(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidRequestUri, description)
}

/// `invalid_request_object` with this description.
pub(crate) const fn invalid_object(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidRequestObject, description)
}
