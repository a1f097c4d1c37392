//! What the client wants back, and how.

use super::claims::RequestObjectClaims;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::forms::words;
use super::request::IdentifiedRequest;
use crate::authorisation::response::ResponseMode;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::registration::ResponseType;

/// The modes in which an answer is one signed JWT. `jwt` is the default place of the response type.
const SIGNED: [&str; 3] = ["jwt", "fragment.jwt", "query.jwt"];

/// How this client is to be answered, whatever else is wrong with its request: signed if it asked for that, and in the
/// fragment unless a code alone is what it wants.
///
/// Source: AS-065, AS-153.
pub(super) fn mode(claims: &RequestObjectClaims) -> ResponseMode {
    let asked = |name| claims.text(name).ok().flatten();
    match asked("response_mode") {
        Some("jwt" | "query.jwt") if asked("response_type").is_some_and(is_code) => ResponseMode::QueryJwt,
        Some(mode) if SIGNED.contains(&mode) => ResponseMode::FragmentJwt,
        _ => ResponseMode::Fragment,
    }
}

/// The hybrid flow's `code id_token`: no token leaves through the browser, no code without a signature. A code alone
/// is signed by its response mode.
///
/// Source: AS-085, AS-086, AS-153.
pub(super) fn response_type(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let claims = &located.object.claims;
    let asked = claims.text("response_type")?.unwrap_or_default();
    let signed = claims.text("response_mode")?.is_some_and(|mode| SIGNED.contains(&mode));
    let kind = match words(asked).as_slice() {
        ["code", "id_token"] => Some(ResponseType::CodeIdToken),
        ["code"] if signed => Some(ResponseType::Code),
        _ => None,
    };
    if let Some(kind) = kind {
        let description = "The client has not registered for this response_type.";
        let unregistered = OAuthError::new(OAuthErrorCode::UnauthorizedClient, description);
        return if located.client.may_use_response_type(kind) { Ok(()) } else { Err(unregistered) };
    }
    let description = "The response_type must be code id_token, or code with the response_mode jwt.";
    Err(OAuthError::new(OAuthErrorCode::UnsupportedResponseType, description))
}

/// The mode is one the response type may have.
///
/// Source: AS-085, AS-153.
pub(super) fn response_mode(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let allowed: &[&str] = match located.mode {
        ResponseMode::Fragment | ResponseMode::Page => &["fragment"],
        ResponseMode::FragmentJwt => &["jwt", "fragment.jwt"],
        ResponseMode::QueryJwt => &["jwt", "query.jwt"],
    };
    let claims = &located.object.claims;
    let alone = claims.text("response_type")?.is_some_and(is_code);
    match claims.text("response_mode")? {
        Some(mode) if !allowed.contains(&mode) || alone == located.mode.has_id_token() => {
            Err(invalid("The response_mode must be fragment, jwt or fragment.jwt; for a code alone jwt or query.jwt."))
        }
        _ => Ok(()),
    }
}

fn is_code(response_type: &str) -> bool {
    words(response_type) == ["code"]
}
