//! Whom the client expects.

use super::findings::RuleFindings;
use super::request::{IdentifiedRequest, invalid};
use super::table::Setting;
use crate::claims::Audience;
use crate::error::OAuthError;
use lombard_domain::ids::ConsentId;
use lombard_jose::Compact;
use serde::Deserialize;

/// The claims of an identity token that make it a hint.
#[derive(Deserialize)]
struct IdTokenHint {
    iss: String,
    aud: Audience,
    /// The consent, whose PSU is hinted at. Source: AS-102.
    sub: ConsentId,
}

const WRONG: OAuthError = invalid("The id_token_hint is not an identity token that was issued to this client.");

/// An identity token of ours to this client, however old: who authorised that consent is expected to come again.
///
/// Source: AS-068.
pub(super) fn id_token_hint(
    located: &IdentifiedRequest,
    setting: &Setting<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let Some(text) = located.object.claims.text("id_token_hint")? else { return Ok(()) };
    let token = Compact::parse(text).map_err(|_| WRONG)?;
    token.verify(setting.our_keys).map_err(|_| WRONG)?;
    let hint: IdTokenHint = token.claims().map_err(|_| WRONG)?;
    if hint.iss != setting.issuer || !hint.aud.contains_any(&[located.client.id.as_str()]) {
        return Err(WRONG);
    }
    findings.hint = Some(hint.sub);
    Ok(())
}
