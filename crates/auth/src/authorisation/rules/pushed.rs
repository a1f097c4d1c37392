//! Requests that were pushed before: looked up by their reference.

use super::faults::invalid_uri;
use super::request::{RequestSource, UnverifiedRequestError, VerifiedRequest};
use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::client::Client;

/// The error for every `request_uri` that is unknown, expired, already used or of another client. Source: AS-152.
pub(super) const fn unknown_request_uri_error() -> OAuthError {
    invalid_uri("The request_uri is unknown, has expired or was used before.")
}

/// The error page for a `request_uri` that cannot be used.
pub(super) fn not_found() -> UnverifiedRequestError {
    UnverifiedRequestError::new("AS-152", unknown_request_uri_error())
}

/// Finds the request that this client pushed under this reference, if the reference has not expired. Finding it does not use it up.
///
/// Source: AS-152.
pub(super) async fn find_pushed_request(
    auth: &AuthorisationServer,
    client: &Client,
    reference: &str,
) -> Result<(VerifiedRequest, RequestSource), UnverifiedRequestError> {
    let digest = lombard_jose::sha256(reference.as_bytes());
    let found = auth.context.store.read(move |tx| Ok::<_, OAuthError>(tx.pushed_request(&digest)?)).await;
    let found = found.map_err(|error| UnverifiedRequestError::new("internal", error))?;
    let now = auth.context.clocks.wall_now();
    let pushed = found.filter(|pushed| pushed.client == client.id && pushed.expires_at > now);
    let pushed = pushed.ok_or_else(not_found)?;
    let opened = serde_json::from_str(&pushed.request);
    let opened = opened.map_err(|error| UnverifiedRequestError::new("internal", OAuthError::server_error(error)))?;
    Ok((opened, RequestSource::Pushed { at: pushed.pushed_at, until: pushed.expires_at, reference: digest }))
}
