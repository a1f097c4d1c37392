//! The rule of `id_token_hint`: the customer whom the client expects.

use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::claims::TokenAudience;
use crate::error::OAuthError;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_jose::CompactJws;
use serde::Deserialize;

/// The claims of an identity token that make it a hint.
#[derive(Deserialize)]
struct IdTokenHint {
    iss: String,
    aud: TokenAudience,
    /// The consent whose PSU is expected. Source: AS-102.
    sub: ConsentId,
}

const WRONG: OAuthError = invalid("The id_token_hint is not an identity token that was issued to this client.");

/// Accepts an identity token that this server issued to this client, of any age. The PSU who authorised the token's consent is then
/// expected.
///
/// Source: AS-068.
pub(super) fn id_token_hint(
    located: &IdentifiedRequest,
    setting: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let Some(text) = located.object.claims.text("id_token_hint")? else { return Ok(()) };
    findings.hint = Some(hinted_consent(text, &located.client.id, setting)?);
    Ok(())
}

/// The consent of an identity token that this server issued to this client.
///
/// # Errors
/// `invalid_request` for any other text.
pub(crate) fn hinted_consent(
    text: &str,
    client: &ClientId,
    setting: &RuleContext<'_>,
) -> Result<ConsentId, OAuthError> {
    let token = CompactJws::parse(text).map_err(|_| WRONG)?;
    token.verify(setting.our_keys).map_err(|_| WRONG)?;
    let hint: IdTokenHint = token.claims().map_err(|_| WRONG)?;
    if hint.iss != setting.issuer || !hint.aud.contains_any(&[client.as_str()]) {
        return Err(WRONG);
    }
    Ok(hint.sub)
}
