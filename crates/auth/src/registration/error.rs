//! The refusals of registration.

use crate::error::{OAuthError, OAuthErrorCode};

/// The refusal of a member of the request.
pub(super) const fn refused(description: &'static str, reason: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidClientMetadata, description).with_log_reason(reason)
}
