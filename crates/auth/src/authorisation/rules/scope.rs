//! The rule of `scope`: what the client may request.

use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::client::Client;
use lombard_domain::scope::{Scope, Scopes};

const WRONG_SCOPE: OAuthError = OAuthError::new(
    OAuthErrorCode::InvalidScope,
    "The scope must be openid and the scope of the consent, and only scopes that are registered.",
);

/// Requires `openid` and scopes that the client's roles allow.
///
/// Source: AS-050, AS-051, AS-052.
pub(super) fn check_scope(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    findings: &mut RuleFindings,
) -> Result<(), OAuthError> {
    let text = located.object.claims.text("scope")?.ok_or_else(|| invalid("The request object must hold scope."))?;
    findings.scopes = Some(requested(text, &located.client)?);
    Ok(())
}

/// Parses a scope of `openid` and scopes that the client's roles allow.
///
/// # Errors
/// `invalid_scope` for any other scope, and for a text without `openid`.
pub(crate) fn requested(text: &str, client: &Client) -> Result<Scopes, OAuthError> {
    let asked = Scopes::parse(text).map_err(|_| WRONG_SCOPE)?;
    let registered = client.scopes().with_scope(Scope::OpenId);
    if asked.contains(Scope::OpenId) && asked.is_subset_of(registered) { Ok(asked) } else { Err(WRONG_SCOPE) }
}

/// The scope of the grant: that of the consent, if it was requested. All other requested scopes are dropped.
///
/// Source: AS-051.
pub(super) fn granted(asked: Scopes, of_consent: Scope) -> Result<Scopes, OAuthError> {
    if asked.contains(of_consent) {
        Ok(Scopes::NONE.with_scope(Scope::OpenId).with_scope(of_consent))
    } else {
        Err(WRONG_SCOPE)
    }
}
