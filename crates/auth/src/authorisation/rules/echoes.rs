//! The rules of `nonce` and `state`, which the response repeats.

use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::error::OAuthError;

/// The most characters of a nonce or state. Source: AS-076.
const ECHO_CHARS_MAX: usize = 2_048;

/// Requires a nonce that can be stored whole. A nonce with a NUL character is refused, because PostgreSQL cannot store it. A profile of
/// FAPI 2.0 needs no nonce, because no identity token goes with the code.
///
/// Source: AS-074, AS-076, AS-154.
pub(super) fn nonce(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let nonce = located.object.claims.text("nonce")?.filter(|nonce| !nonce.is_empty());
    let nonce = match nonce {
        None if located.client.profile.is_fapi2() => return Ok(()),
        None => return Err(invalid("The request object must hold a nonce.")),
        Some(nonce) => nonce,
    };
    if nonce.chars().count() > ECHO_CHARS_MAX {
        return Err(invalid("The nonce is longer than 2048 characters."));
    }
    if nonce.contains('\0') {
        return Err(invalid("The nonce must not hold a NUL character."));
    }
    findings.nonce = Some(nonce.to_owned());
    Ok(())
}

/// Requires that a state, if there is one, is text that can be stored whole.
///
/// Source: AS-075, AS-076.
pub(super) fn state(located: &IdentifiedRequest, _: &RuleContext<'_>, _: &mut RuleFindings) -> Result<(), OAuthError> {
    match located.object.claims.text("state")? {
        Some(state) if state.chars().count() > ECHO_CHARS_MAX => {
            Err(invalid("The state is longer than 2048 characters."))
        }
        _ => Ok(()),
    }
}
