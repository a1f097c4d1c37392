//! The rules of the request object's own claims: type, audience, issuer and times.

use super::claims::{RequestObjectClaims, wrong_claim};
use super::context::RuleContext;
use super::faults::invalid_object;
use super::findings::RuleFindings;
use super::request::{IdentifiedRequest, RuleRefusal, VerifiedRequest};
use crate::claims::{TokenAudience, is_from_future};
use crate::error::OAuthError;
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use serde::Deserialize;

/// The longest lifetime of a request object, and the greatest age of its `nbf`, seconds. Source: AS-073.
const WINDOW_SECS_MAX: i64 = 3_600;

/// Requires that the `typ` of the header is absent or one of the two types of a request object.
///
/// Source: AS-071.
pub(super) fn typ(located: &IdentifiedRequest, _: &RuleContext<'_>, _: &mut RuleFindings) -> Result<(), OAuthError> {
    check_typ(&located.object)
}

fn check_typ(object: &VerifiedRequest) -> Result<(), OAuthError> {
    let Some(typ) = &object.typ else { return Ok(()) };
    let name = typ.to_ascii_lowercase();
    match name.strip_prefix("application/").unwrap_or(&name) {
        "jwt" | "oauth-authz-req+jwt" => Ok(()),
        _ => Err(invalid_object("The typ of the request object's header is not accepted.")),
    }
}

/// Requires that the audience is this server's issuer; no other address of the server is accepted.
///
/// Source: AS-072.
pub(super) fn audience(
    located: &IdentifiedRequest,
    setting: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    check_audience(&located.object.claims, setting.issuer)
}

fn check_audience(claims: &RequestObjectClaims, issuer: &str) -> Result<(), OAuthError> {
    const OTHER: OAuthError = invalid_object("The aud of the request object must be the issuer.");
    let found = claims.value("aud").ok_or(OTHER)?;
    let aud = TokenAudience::deserialize(found).map_err(|_| invalid_object(wrong_claim("aud", found)))?;
    if aud.contains_any(&[issuer]) { Ok(()) } else { Err(OTHER) }
}

/// Requires that the object is valid now and for at most an hour.
///
/// Source: AS-073, AS-081.
pub(super) fn window(
    located: &IdentifiedRequest,
    setting: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    check_window(&located.object.claims, located.checked_at(setting.now))
}

fn check_window(claims: &RequestObjectClaims, now: Timestamp) -> Result<(), OAuthError> {
    let (Some(exp), Some(nbf)) = (claims.date("exp")?, claims.date("nbf")?) else {
        return Err(invalid_object("The request object must hold exp and nbf, both numbers."));
    };
    if exp <= now.as_second() {
        return Err(invalid_object("The request object has expired."));
    }
    if exp.saturating_sub(nbf) > WINDOW_SECS_MAX {
        return Err(invalid_object("The exp of the request object must lie at most 3600 seconds after its nbf."));
    }
    // An nbf more than an hour ago needs no check of its own: its exp would have passed, or lie too long after it.
    if is_from_future(nbf, now) {
        return Err(invalid_object("The nbf of the request object lies too far in the future."));
    }
    Ok(())
}

/// Requires that `iat`, if present, is not in the future.
///
/// Source: AS-181, AS-081.
pub(super) fn issue_date(
    located: &IdentifiedRequest,
    setting: &RuleContext<'_>,
    _: &mut RuleFindings,
) -> Result<(), OAuthError> {
    check_issue_date(&located.object.claims, located.checked_at(setting.now))
}

fn check_issue_date(claims: &RequestObjectClaims, now: Timestamp) -> Result<(), OAuthError> {
    if claims.date("iat")?.is_some_and(|iat| is_from_future(iat, now)) {
        return Err(invalid_object("The iat of the request object lies too far in the future."));
    }
    Ok(())
}

/// Requires that the issuer is the client that signed the object.
///
/// Source: AS-074.
pub(super) fn issuer(located: &IdentifiedRequest, _: &RuleContext<'_>, _: &mut RuleFindings) -> Result<(), OAuthError> {
    let claims = &located.object.claims;
    check_issuer(claims, &located.client.id)?;
    match claims.value("client_id") {
        Some(_) => Ok(()),
        None => Err(invalid_object("The request object must hold client_id.")),
    }
}

fn check_issuer(claims: &RequestObjectClaims, client: &ClientId) -> Result<(), OAuthError> {
    const OTHER: OAuthError = invalid_object("The iss of the request object must be the client_id.");
    let found = claims.value("iss").ok_or(OTHER)?;
    let iss = found.as_str().ok_or_else(|| invalid_object(wrong_claim("iss", found)))?;
    if iss == client.as_str() { Ok(()) } else { Err(OTHER) }
}

/// Applies the rules of every signed request to one without a browser: its type, audience, issuer and dates.
///
/// Source: AS-160, AS-071 to AS-074, AS-181.
///
/// # Errors
/// The first rule that refuses.
pub(crate) fn check_signed_request(
    object: &VerifiedRequest,
    client: &ClientId,
    issuer: &str,
    now: Timestamp,
) -> Result<(), RuleRefusal> {
    let refused = |rule| move |error| RuleRefusal { rule, error };
    check_typ(object).map_err(refused("AS-071"))?;
    check_audience(&object.claims, issuer).map_err(refused("AS-072"))?;
    check_window(&object.claims, now).map_err(refused("AS-073"))?;
    check_issue_date(&object.claims, now).map_err(refused("AS-181"))?;
    check_issuer(&object.claims, client).map_err(refused("AS-074"))
}
