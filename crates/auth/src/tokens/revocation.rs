//! Revocation: a client revokes its own tokens. Source: AS-120, RFC 7009.

use crate::AuthorisationServer;
use crate::clients::{self, AuthenticatedClient};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::Timestamp;
use lombard_domain::grant::{Digest, TokenKind};
use lombard_domain::ids::ClientId;
use lombard_ports::store::{GrantStore, StoreError};

/// Revokes a token; its consent stays. An unknown token and another client's token get the same response and are not changed.
///
/// # Errors
/// `invalid_request` without a token, `invalid_client` for a used assertion, storage's failure.
pub async fn revoke_token(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    form: &Form,
) -> Result<(), OAuthError> {
    let token = form.value("token").map(|token| lombard_jose::sha256(token.as_bytes()));
    let now = auth.context.clocks.wall_now();
    let fresh = auth.context.store.write::<_, StoreError, _>(move |tx| {
        let fresh = authenticated.claim_assertion(tx)?;
        if let Some(token) = token.filter(|_| fresh) {
            end(tx, &authenticated.client().id, &token, now)?;
        }
        Ok(fresh)
    });
    if !fresh.await? {
        return Err(clients::replayed_assertion_error());
    }
    token.map(|_| ()).ok_or(OAuthError::new(OAuthErrorCode::InvalidRequest, "token is missing."))
}

/// Revokes the token if it belongs to this client; a refresh token is revoked with its whole grant.
fn end<S: GrantStore + ?Sized>(
    tx: &mut S,
    client: &ClientId,
    token: &Digest,
    now: Timestamp,
) -> Result<(), StoreError> {
    match tx.token_state(token)?.filter(|state| state.grant.client == *client) {
        Some(state) if state.token.kind == TokenKind::Refresh => tx.grant_revoke(&state.grant.id, now),
        Some(_) => tx.token_revoke(token, now),
        None => Ok(()),
    }
}
