//! `client_credentials`: a token that identifies the TPP only. Source: AS-038 to AS-041.

use super::TokenResponse;
use super::issue::{GrantRefusal, GrantResult, TokenRequest};
use crate::error::OAuthErrorCode;
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::store::GrantStore;

/// Makes the grant and its one token.
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

/// The scope asked for: `openid` is dropped, nothing at all is a token without API scope (AS-039, AS-040).
fn scopes(asked: Option<&str>, open: Scopes) -> Result<Scopes, GrantRefusal> {
    let asked = Scopes::parse(asked.unwrap_or_default()).map(|scopes| scopes.without_scope(Scope::OpenId));
    let refusal = GrantRefusal(OAuthErrorCode::InvalidScope, "The scope is unknown or not registered for the client.");
    asked.ok().filter(|scopes| scopes.is_subset_of(open)).ok_or(refusal)
}
