//! The rule that a request has no parameter that this server does not support and must not ignore.

use super::claims::RequestObjectClaims;
use super::context::RuleContext;
use super::faults::invalid;
use super::findings::RuleFindings;
use super::request::IdentifiedRequest;
use crate::error::OAuthError;
use crate::unsupported_parameters::UNSUPPORTED_PARAMETERS;

/// Refuses a request with an unsupported parameter. Parameters outside a request object are ignored.
///
/// Source: AS-063.
pub(super) fn parameters(
    located: &IdentifiedRequest,
    _: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    check_unsupported(&located.object.claims)
}

/// Checks that no unsupported parameter is among the claims.
///
/// # Errors
/// `invalid_request`, which names the first such parameter.
pub(crate) fn check_unsupported(claims: &RequestObjectClaims) -> Result<(), OAuthError> {
    let found = UNSUPPORTED_PARAMETERS.iter().find(|(name, _)| claims.value(name).is_some());
    found.map_or(Ok(()), |(_, description)| Err(invalid(description)))
}
