//! `refresh_token`: a new access token, bound to the certificate of this call. Source: AS-096, AS-097.

use super::TokenResponse;
use super::issue::{GrantRefusal, GrantResult, TokenRequest};
use crate::error::OAuthErrorCode;
use crate::form::Form;
use lombard_domain::grant::{Digest, TokenKind, TokenState};
use lombard_domain::scope::Scopes;
use lombard_ports::store::ServerTransaction;

/// A refresh token and, if the request has one, a narrower scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefreshRequest {
    token: Digest,
    scope: Option<String>,
}

impl RefreshRequest {
    pub(super) fn read(form: &Form) -> Result<Self, GrantRefusal> {
        let missing = GrantRefusal(OAuthErrorCode::InvalidRequest, "refresh_token is missing.");
        let token = form.value("refresh_token").ok_or(missing)?;
        Ok(Self { token: lombard_jose::sha256(token.as_bytes()), scope: form.value("scope").map(str::to_owned) })
    }
}

/// Stores the new access token. The refresh token stays as it is and is not repeated (AS-097).
pub(super) fn renew(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    request: &RefreshRequest,
) -> GrantResult<TokenResponse> {
    let worthless = GrantRefusal(OAuthErrorCode::InvalidGrant, "The refresh token is unknown or has ended.");
    let found = tx.token_state(&request.token)?.filter(|state| state.token.kind == TokenKind::Refresh);
    let Some(state) = found else { return Ok(Err(worthless)) };
    if !is_alive(&state, exchange) {
        exchange.note_unusable_credential(tx, &state.grant.id)?;
        return Ok(Err(worthless));
    }
    let Some(consent) = exchange.find_live_consent(tx, &state.grant)? else { return Ok(Err(worthless)) };
    let scopes = match narrowed(request.scope.as_deref(), state.token.scopes) {
        Some(scopes) if exchange.opens(scopes) => scopes,
        _ => return Ok(Err(GrantRefusal(OAuthErrorCode::InvalidScope, "The scope is wider than what was granted."))),
    };
    exchange.forget_unusable_credential(tx, &consent)?;
    tx.consent_use_record(&consent.id, exchange.bank)?;
    exchange.issue_access(tx, &state.grant.id, scopes, Some(&consent)).map(Ok)
}

fn is_alive(state: &TokenState, exchange: &TokenRequest) -> bool {
    let ended = state.token.expires_at.is_some_and(|end| end <= exchange.wall);
    state.token.revoked_at.is_none() && !ended
}

/// The requested scope, if it is not wider than the granted one; the granted scope, if none was requested.
fn narrowed(asked: Option<&str>, granted: Scopes) -> Option<Scopes> {
    asked.map_or(Ok(granted), Scopes::parse).ok().filter(|scopes| scopes.is_subset_of(granted))
}
