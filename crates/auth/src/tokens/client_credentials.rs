//! `client_credentials`: a token that identifies the TPP only. Source: AS-038 to AS-041.

use super::TokenResponse;
use super::issue::{GrantRefusal, GrantResult, TokenRequest};
use crate::clients::AuthenticatedClient;
use crate::error::OAuthErrorCode;
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::store::{DirectWriteOutcome, GrantStore, Store, StoreError};

/// Issues the grant and its access token.
pub(super) fn issue<S: GrantStore + ?Sized>(
    tx: &mut S,
    exchange: &TokenRequest,
    scope: Option<&str>,
) -> GrantResult<TokenResponse> {
    let scopes = match scopes(scope, exchange.open) {
        Ok(scopes) => scopes,
        Err(refusal) => return Ok(Err(refusal)),
    };
    tx.grant_insert(&Grant {
        id: exchange.new_grant.clone(),
        client: exchange.client.id.clone(),
        subject: GrantSubject::Client,
        scopes,
        auth_time: None,
        acr: None,
        nonce: None,
        created_at: exchange.wall,
        revoked_at: None,
        epoch: 0,
    })?;
    exchange.issue_access(tx, &exchange.new_grant, scopes, None).map(Ok)
}

/// Issues grant and token and marks the assertion as used by one statement, if the database has direct writes, the cached
/// registration is current and the assertion is unspent. `None` if a transaction must decide; nothing is stored then.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn issue_as_known(
    store: &Store,
    authenticated: &AuthenticatedClient,
    exchange: &TokenRequest,
    scope: Option<&str>,
) -> Result<Option<TokenResponse>, StoreError> {
    let (Some(direct), Ok(scopes)) = (store.direct_writes(), scopes(scope, exchange.open)) else { return Ok(None) };
    let issue = exchange.client_token(authenticated, scopes);
    let expires_at = issue.expires_at;
    Ok(match direct.client_token_issue(issue).await? {
        DirectWriteOutcome::Stored => Some(exchange.access_response(scopes, expires_at)),
        DirectWriteOutcome::RowsChanged => None,
    })
}

/// The scopes to grant: `openid` is dropped, and a request without a scope gets a token without API scope (AS-039, AS-040).
fn scopes(asked: Option<&str>, open: Scopes) -> Result<Scopes, GrantRefusal> {
    let asked = Scopes::parse(asked.unwrap_or_default()).map(|scopes| scopes.without_scope(Scope::OpenId));
    let refusal = GrantRefusal(OAuthErrorCode::InvalidScope, "The scope is unknown or not registered for the client.");
    asked.ok().filter(|scopes| scopes.is_subset_of(open)).ok_or(refusal)
}
