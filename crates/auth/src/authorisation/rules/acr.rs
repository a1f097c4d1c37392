//! The rule of `acr` values: the authentication class that the client requests for the PSU.

use super::authentication_class::Acr;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::error::{OAuthError, OAuthErrorCode};
use serde_json::Value;

const UNREADABLE: OAuthError = invalid("The claims.id_token.acr must be null or an object with value or values.");

/// The first requested value that this server supports; strong authentication if none was requested.
///
/// Source: AS-079.
pub(super) fn choose_acr(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let claims = &located.object.claims;
    let claim = claims.value("claims").and_then(|claims| claims.get("id_token")?.get("acr"));
    let Some(claim) = claim.filter(|claim| !claim.is_null()) else {
        findings.acr = Some(Acr::Sca);
        return Ok(());
    };
    let claim = claim.as_object().ok_or(UNREADABLE)?;
    let essential = match claim.get("essential") {
        None => false,
        Some(essential) => essential.as_bool().ok_or(UNREADABLE)?,
    };
    let asked = values(claim.get("value"), claim.get("values"))?;
    let attainable = asked.iter().find_map(|name| Acr::from_name(name));
    if essential && attainable.is_none() && !asked.is_empty() {
        let description = "The essential acr cannot be attained.";
        return Err(OAuthError::new(OAuthErrorCode::AccessDenied, description));
    }
    findings.acr = Some(attainable.unwrap_or(Acr::Sca));
    Ok(())
}

fn values<'a>(one: Option<&'a Value>, many: Option<&'a Value>) -> Result<Vec<&'a str>, OAuthError> {
    match (one, many) {
        (None, None) => Ok(Vec::new()),
        (Some(one), None) => Ok(vec![one.as_str().ok_or(UNREADABLE)?]),
        (None, Some(many)) => {
            let many = many.as_array().ok_or(UNREADABLE)?;
            many.iter().map(|name| name.as_str().ok_or(UNREADABLE)).collect()
        }
        (Some(_), Some(_)) => Err(UNREADABLE),
    }
}
