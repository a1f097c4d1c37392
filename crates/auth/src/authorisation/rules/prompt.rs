//! The rules of `prompt` and `max_age`: whether and how the PSU may be asked.

use super::claims::wrong_claim;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::forms::words;
use super::request::IdentifiedRequest;
use crate::claims::whole_number;
use crate::error::OAuthError;

/// Accepts known values only. `login` and `consent` ask for what is always done, `select_account` is ignored, and `none` must stand alone
/// and is refused after all other rules have passed.
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

/// Requires a number of seconds. Every value is honoured, because every journey authenticates anew and states the time.
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
