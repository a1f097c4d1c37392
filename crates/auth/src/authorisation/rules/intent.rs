//! The rule of `openbanking_intent_id`: the consent that is to be authorised.

use super::claims::wrong_claim;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::error::OAuthError;
use lombard_domain::ids::ConsentId;
use serde_json::Value;

/// The most characters of a consent's id. Source: RW-249.
const ID_CHARS_MAX: usize = 128;

const WRONG: OAuthError = invalid(
    "The claims.id_token.openbanking_intent_id must be an object with essential true and the ConsentId as its value.",
);

/// Reads the essential claim `openbanking_intent_id` of the identity token. The same claim of userinfo, if present, must have the same
/// value.
///
/// Source: AS-077.
pub(super) fn read_intent(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    if let Some(claims) = located.object.claims.value("claims").filter(|claims| !claims.is_object()) {
        return Err(invalid(wrong_claim("claims", claims)));
    }
    let claim = |of: &str| located.object.claims.value("claims")?.get(of)?.get("openbanking_intent_id");
    let asked = claim("id_token").filter(|claim| claim.get("essential") == Some(&Value::Bool(true)));
    let id = asked.and_then(value).ok_or(WRONG)?;
    if id.is_empty() || id.chars().count() > ID_CHARS_MAX {
        return Err(WRONG);
    }
    match claim("userinfo") {
        Some(other) if !other.is_null() && value(other) != Some(id) => {
            Err(invalid("The openbanking_intent_id of userinfo and of the id_token differ."))
        }
        _ => {
            findings.intent = Some(ConsentId::from(id));
            Ok(())
        }
    }
}

fn value(claim: &Value) -> Option<&str> {
    claim.get("value")?.as_str()
}
