//! Pushed authorisation requests: a client sends the request first, and gets a reference with which it sends the PSU.
//! Source: AS-151, RFC 9126.
//!
//! Every rule of the authorisation endpoint is applied at once, so that the client gets the error instead of the PSU.
//! The verified request is stored; its rules, except those about dates, are applied again when the PSU comes.

use super::rules::{self, REFERENCE_PREFIX, RequestSource, RuleRefusal};
use crate::AuthorisationServer;
use crate::clients::{self, AuthenticatedClient};
use crate::error::OAuthError;
use crate::form::Form;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::{Digest, PushedRequest};
use lombard_ports::store::StoreError;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// The lifetime of a reference, seconds: from 60 to 600. Source: AS-151.
const REFERENCE_SECS: i64 = 90;

/// The answer to a pushed request.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PushedResponse {
    /// What the PSU is sent with in place of the request.
    pub request_uri: String,
    /// Seconds until it stops working.
    pub expires_in: i64,
}

impl fmt::Debug for PushedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushedResponse").field("expires_in", &self.expires_in).finish_non_exhaustive()
    }
}

/// Checks and stores a request. As at the token endpoint, a refused request marks the client's assertion as used too.
///
/// # Errors
/// The rule of the authorisation endpoint that the request breaks; a replayed assertion; storage's failure.
pub async fn push_request(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    form: &Form,
) -> Result<PushedResponse, OAuthError> {
    let at = auth.context.clocks.wall_now();
    let until = at.saturating_add(SignedDuration::from_secs(REFERENCE_SECS)).map_err(OAuthError::server_error)?;
    let request_uri = format!("{REFERENCE_PREFIX}{}", lombard_jose::base64url(&auth.context.ids.random_secret()));
    let reference = lombard_jose::sha256(request_uri.as_bytes());
    let judged = check_pushed_request(auth, &authenticated, form, (at, until, reference)).await;
    let row = judged.as_ref().ok().cloned();
    let fresh = auth.context.store.write::<_, StoreError, _>(move |tx| {
        if !authenticated.claim_assertion(tx)? {
            return Ok(false);
        }
        row.iter().try_for_each(|row| tx.pushed_request_insert(row))?;
        Ok(true)
    });
    if !fresh.await? {
        return Err(clients::replayed_assertion_error());
    }
    match judged {
        Ok(_) => Ok(PushedResponse { request_uri, expires_in: REFERENCE_SECS }),
        Err(refusal) => Err(refusal.count()),
    }
}

async fn check_pushed_request(
    auth: &AuthorisationServer,
    authenticated: &AuthenticatedClient,
    form: &Form,
    (at, until, reference): (Timestamp, Timestamp, Digest),
) -> Result<PushedRequest, RuleRefusal> {
    let client = authenticated.client();
    let source = RequestSource::Pushed { at, until, reference };
    let opened = rules::check_pushed_request(auth, client, form, source).await?;
    Ok(PushedRequest {
        reference,
        client: client.id.clone(),
        request: serde_json::to_string(&opened).map_err(OAuthError::server_error)?,
        pushed_at: at,
        expires_at: until,
    })
}

#[cfg(test)]
mod tests;
