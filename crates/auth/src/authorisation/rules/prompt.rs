//! The rules of `prompt` and `max_age`: whether and how the PSU may be asked.

use super::claims::wrong_claim;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::forms::words;
use super::request::IdentifiedRequest;
use crate::claims::whole_number;
use crate::error::OAuthError;

/// Known values only. `login` and `consent` ask for what is done anyway, `select_account` is ignored, `none` stands
/// alone and is answered once the rest of the request is known to be right.
///
/// Source: AS-067.
pub(super) fn prompt(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let asked = words(located.object.claims.text("prompt")?.unwrap_or_default());
    if asked.iter().any(|word| !["none", "login", "consent", "select_account"].contains(word)) {
        return Err(invalid("The prompt holds an unknown value."));
    }
    findings.silent = asked.contains(&"none");
    if findings.silent && asked.len() > 1 {
        return Err(invalid("The prompt none stands alone."));
    }
    Ok(())
}

/// A number of seconds. It is honoured whatever it is: every journey authenticates afresh and tells when.
///
/// Source: AS-067.
pub(super) fn max_age(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let Some(age) = located.object.claims.value("max_age") else { return Ok(()) };
    match age.as_number().and_then(whole_number) {
        Some(seconds) if seconds >= 0 => Ok(()),
        _ if located.object.is_signed => Err(invalid(wrong_claim("max_age", age))),
        _ => Err(invalid("The max_age must be a whole number of seconds, 0 or more.")),
    }
}
