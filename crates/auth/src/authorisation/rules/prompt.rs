//! Whether and how the PSU may be asked.

use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::forms::words;
use super::request::IdentifiedRequest;
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
    match located.object.claims.value("max_age") {
        Some(age) if age.as_u64().is_none() => Err(invalid("The max_age must be a whole number of seconds.")),
        _ => Ok(()),
    }
}
