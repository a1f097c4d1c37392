//! What the client wants back, and where in the address.

use super::findings::Findings;
use super::forms::words;
use super::request::{Located, invalid};
use super::table::Setting;
use crate::error::{OAuthError, OAuthErrorCode};

/// The hybrid flow's `code id_token`, nothing else: no token leaves through the browser, no code without its signature.
///
/// Source: AS-085, AS-086.
pub(super) fn response_type(located: &Located, _: &Setting<'_>, _: &mut Findings) -> Result<(), OAuthError> {
    let asked = located.object.claims.text("response_type")?.unwrap_or_default();
    if words(asked) == ["code", "id_token"] {
        Ok(())
    } else {
        Err(OAuthError::new(OAuthErrorCode::UnsupportedResponseType, "The response_type must be code id_token."))
    }
}

/// The fragment, which is also what the response type means without a mode.
///
/// Source: AS-085.
pub(super) fn response_mode(located: &Located, _: &Setting<'_>, _: &mut Findings) -> Result<(), OAuthError> {
    match located.object.claims.text("response_mode")? {
        None | Some("fragment") => Ok(()),
        Some(_) => Err(invalid("The response_mode must be fragment.")),
    }
}
