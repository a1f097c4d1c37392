//! The refusals of registration.

use crate::error::{OAuthError, OAuthErrorCode};

/// The refusal of a member of the request.
pub(super) fn refused(description: &'static str, reason: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidClientMetadata, description).with_log_reason(reason).with_rule(rule(reason))
}

/// The rule that a log reason refers to.
fn rule(reason: &str) -> &'static str {
    match reason {
        "malformed" => "DCR-001",
        "no_kid" | "signature" => "DCR-004",
        "issuer" | "software_id" => "DCR-005",
        "exp" | "expired" | "too_long" | "iat" | "not_yet" => "DCR-006",
        "audience" => "DCR-007",
        "jti" | "request_replayed" => "DCR-008",
        "method" => "DCR-010",
        "grant_types" | "response_types" => "DCR-011",
        "application_type" | "scope" => "DCR-012",
        "algorithm" | "subject" => "DCR-013",
        "backchannel" => "DCR-014",
        "member" => "DCR-015",
        "software_clients" | "software_registrations" => "DCR-017",
        "directory_changed" | "software_changed" | "profile" | "roles_of_operator" => "DCR-042",
        _ => "DCR-003",
    }
}
