//! The identity token: states which consent was authorised, and how the PSU was authenticated.
//!
//! The front channel (with `c_hash` and `s_hash`) and the token endpoint (with `at_hash`) return the same claims.

use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_jose::JoseHeader;
use serde::Serialize;
use std::sync::Arc;

/// The claims of an identity token that depend on the channel that returns it. Source: AS-095, AS-100.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdTokenBinding {
    /// The hash of the code; front channel only.
    pub c_hash: Option<String>,
    /// The hash of the state, if there was one; front channel only.
    pub s_hash: Option<String>,
    /// The hash of the access token; token endpoint only.
    pub at_hash: Option<String>,
    /// When the refresh token expires, seconds since 1970; absent when there is no refresh token or it does not expire.
    pub refresh_expires_at: Option<i64>,
}

#[derive(Serialize)]
struct IdTokenClaims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    exp: i64,
    iat: i64,
    openbanking_intent_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    acr: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    s_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_hash: Option<String>,
    #[serde(rename = "http://openbanking.org.uk/refresh_token_expires_at", skip_serializing_if = "Option::is_none")]
    refresh_expires_at: Option<i64>,
}

/// Makes and signs the identity token of a PSU's grant. Must not be called inside a transaction, because it waits for the pool.
///
/// # Errors
/// `temporarily_unavailable` when the signing pool is full, `server_error` when there is no key or the grant has no PSU.
pub async fn sign_identity_token(
    auth: &AuthorisationServer,
    grant: &Grant,
    hashes: IdTokenBinding,
) -> Result<String, OAuthError> {
    let GrantSubject::Psu { consent, .. } = &grant.subject else {
        return Err(OAuthError::server_error("an identity token was asked for a grant without a PSU"));
    };
    let now = auth.context.clocks.wall_now().as_second();
    let claims = IdTokenClaims {
        iss: &auth.settings.issuer,
        // The subject is the consent and not the PSU, so that the payments of one person cannot be linked (AS-102).
        sub: consent.as_str(),
        aud: grant.client.as_str(),
        exp: now.saturating_add(auth.settings.id_token_secs.min(LIFETIME_SECS_MAX)),
        iat: now,
        openbanking_intent_id: consent.as_str(),
        auth_time: grant.auth_time.map(|time| time.as_second()),
        acr: grant.acr.as_deref(),
        nonce: grant.nonce.as_deref(),
        c_hash: hashes.c_hash,
        s_hash: hashes.s_hash,
        at_hash: hashes.at_hash,
        refresh_expires_at: hashes.refresh_expires_at,
    };
    let payload = serde_json::to_vec(&claims).map_err(OAuthError::server_error)?;
    let server_key = auth.keys.active_key().map_err(OAuthError::server_error)?;
    let header = JoseHeader::ps256(server_key.key.id());
    let signed = auth.signing.sign_compact(grant.client.as_str(), Arc::clone(&server_key.key), header, payload).await;
    signed.map_err(OAuthError::unavailable)
}

/// The longest lifetime of an identity token, seconds. Source: AS-102.
const LIFETIME_SECS_MAX: i64 = 600;
