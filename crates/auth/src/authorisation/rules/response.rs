//! The rules of `response_type` and `response_mode`: what the response holds, and in which form.

use super::claims::RequestObjectClaims;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::forms::words;
use super::request::IdentifiedRequest;
use crate::authorisation::response::ResponseMode;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::client::Client;
use lombard_domain::registration::ResponseType;

/// The modes in which the response is one signed JWT. `jwt` means the default part of the address for the response type.
const SIGNED: [&str; 3] = ["jwt", "fragment.jwt", "query.jwt"];

/// The form of the response, also for a request that has other faults. It is signed if the client asked for that or always gets signed
/// responses. It is in the fragment, except for a code alone and under a profile of FAPI 2.0.
///
/// Source: AS-065, AS-153, AS-154, AS-182.
pub(super) fn mode(claims: &RequestObjectClaims, client: &Client) -> ResponseMode {
    let asked = |name| claims.text(name).ok().flatten();
    let is_always_signed = client.signed_messages.responses;
    let asked_mode = asked("response_mode");
    if client.profile.is_fapi2() {
        let is_signed = is_always_signed || matches!(asked_mode, Some("jwt" | "query.jwt"));
        return if is_signed { ResponseMode::QueryJwt } else { ResponseMode::Query };
    }
    let is_of_code = asked("response_type").is_some_and(is_code);
    match asked_mode {
        Some("jwt" | "query.jwt") if is_of_code => ResponseMode::QueryJwt,
        Some(mode) if SIGNED.contains(&mode) => ResponseMode::FragmentJwt,
        _ if is_always_signed && is_of_code => ResponseMode::QueryJwt,
        _ if is_always_signed => ResponseMode::FragmentJwt,
        _ => ResponseMode::Fragment,
    }
}

/// Requires the hybrid flow's `code id_token`, so that no access token passes through the browser and no code is unsigned. A code alone
/// needs a signed response mode. A profile of FAPI 2.0 requires a code alone.
///
/// Source: AS-085, AS-086, AS-153, AS-154.
pub(super) fn response_type(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let claims = &located.object.claims;
    let is_fapi2 = located.client.profile.is_fapi2();
    let asked = claims.text("response_type")?.unwrap_or_default();
    // The rule of the mode refuses a mode that is not signed.
    let has_mode = claims.text("response_mode")?.is_some() || located.client.signed_messages.responses;
    let kind = match words(asked).as_slice() {
        ["code", "id_token"] => Some(ResponseType::CodeIdToken),
        ["code"] if has_mode || is_fapi2 => Some(ResponseType::Code),
        _ => None,
    };
    if let Some(kind) = kind {
        let description = if is_fapi2 {
            "The bank holds this client to FAPI 2.0, whose response_type is code."
        } else {
            "The client has not registered for this response_type."
        };
        let unregistered = OAuthError::new(OAuthErrorCode::UnauthorizedClient, description);
        return if located.client.may_use_response_type(kind) { Ok(()) } else { Err(unregistered) };
    }
    let description = "The response_type must be code id_token, or code with the response_mode jwt.";
    Err(OAuthError::new(OAuthErrorCode::UnsupportedResponseType, description))
}

/// Requires a mode that the response type and the client's profile allow.
///
/// Source: AS-085, AS-153, AS-154, AS-182.
pub(super) fn response_mode(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let profile = located.client.profile;
    let allowed: &[&str] = match located.mode {
        ResponseMode::Query => &["query"],
        ResponseMode::Fragment | ResponseMode::Page => &["fragment"],
        ResponseMode::FragmentJwt => &["jwt", "fragment.jwt"],
        ResponseMode::QueryJwt => &["jwt", "query.jwt"],
    };
    let claims = &located.object.claims;
    let alone = claims.text("response_type")?.is_some_and(is_code);
    match claims.text("response_mode")? {
        Some(mode) if !allowed.contains(&mode) && located.client.signed_messages.responses => Err(SIGNED_MODES),
        Some(mode) if profile.is_fapi2() && !allowed.contains(&mode) => Err(FAPI2_MODES),
        Some(mode) if !allowed.contains(&mode) || alone == located.mode.has_id_token() => {
            Err(invalid("The response_mode must be fragment, jwt or fragment.jwt; for a code alone jwt or query.jwt."))
        }
        _ => Ok(()),
    }
}

const FAPI2_MODES: OAuthError = invalid("The response_mode must be query, jwt or query.jwt.");
const SIGNED_MODES: OAuthError = invalid(
    "The responses of this client are signed: the response_mode must be jwt or query.jwt, or with an id_token fragment.jwt.",
);

fn is_code(response_type: &str) -> bool {
    words(response_type) == ["code"]
}
