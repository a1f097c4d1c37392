//! Issues the first tokens of a PSU's grant, for a code or for an `auth_req_id`.
//!
//! The identity token is signed *before* the transaction that uses the credential. Otherwise the transaction could mark the
//! credential as used and then find the signing pool full, and the PSU would have to authorise again. If a parallel exchange
//! wins, the unused signature costs a quarter of a millisecond. The credential is therefore checked twice by the same function:
//! before the transaction, to know what to sign, and in the transaction under a lock, where the result counts.

use super::TokenResponse;
use super::identity::{IdTokenBinding, sign_identity_token};
use super::issue::{GrantRefusal, IssuedSecret, TokenRequest};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind};
use lombard_domain::grant::{Grant, GrantSubject, Token, TokenKind};
use lombard_domain::registration::GrantType;
use lombard_ports::store::{ServerTransaction, StoreError};

/// The refresh token and identity token, made before the credential is marked as used.
pub(super) struct PreparedTokens {
    id_token: String,
    refresh: Option<IssuedSecret>,
}

/// A grant that was found exchangeable when it was read without a lock.
pub(super) struct RedeemableGrant {
    pub(super) grant: Grant,
    pub(super) consent: Consent,
}

/// The error for a credential that became usable between the two checks. It is unspent and works with the next call.
pub(super) const NOT_PREPARED: GrantRefusal =
    GrantRefusal(OAuthErrorCode::TemporarilyUnavailable, "Please try again with a new assertion.");

/// Generates the refresh token and signs the identity token.
///
/// # Errors
/// The signing pool's failure; the credential and the assertion are untouched then.
pub(super) async fn prepare(
    auth: &AuthorisationServer,
    exchange: &TokenRequest,
    found: &RedeemableGrant,
) -> Result<PreparedTokens, OAuthError> {
    let is_refreshed =
        refreshes(found.consent.request.kind()) && exchange.client.may_use_grant(GrantType::RefreshToken);
    let refresh = is_refreshed.then(|| IssuedSecret::draw(&auth.context.ids));
    let refresh_expires_at = refresh.as_ref().and_then(|_| exchange.wall_end(&found.consent)).map(Timestamp::as_second);
    let at_hash = Some(lombard_jose::half_hash(&exchange.access.text));
    let hashes = IdTokenBinding { at_hash, refresh_expires_at, ..IdTokenBinding::default() };
    let id_token = sign_identity_token(auth, &found.grant, hashes).await?;
    Ok(PreparedTokens { id_token, refresh })
}

/// Whether a grant for a consent of this kind gets a refresh token. A single-use consent gets none (PIS-036). Source: AS-093.
const fn refreshes(kind: ConsentKind) -> bool {
    match kind {
        ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => true,
        ConsentKind::Payment(product) => product.reuses_consents(),
    }
}

/// Stores the tokens; ends every earlier grant of the consent in the same transaction (AS-099, RW-043).
///
/// # Errors
/// [`StoreError`].
pub(super) fn issue(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    found: &RedeemableGrant,
    prepared: &PreparedTokens,
) -> Result<TokenResponse, StoreError> {
    let RedeemableGrant { grant, consent } = found;
    exchange.forget_unusable_credential(tx, consent)?;
    if let GrantSubject::Psu { consent, .. } = &grant.subject {
        tx.grants_revoke_of_consent(consent, Some(grant), exchange.wall)?;
    }
    if let Some(refresh) = &prepared.refresh {
        tx.token_insert(&Token {
            hash: refresh.hash,
            kind: TokenKind::Refresh,
            grant: grant.id.clone(),
            scopes: grant.scopes,
            certificate: exchange.certificate,
            issued_at: exchange.wall,
            expires_at: exchange.wall_end(consent),
            revoked_at: None,
        })?;
    }
    tx.consent_use_record(&consent.id, exchange.bank)?;
    let access = exchange.issue_access(tx, &grant.id, grant.scopes, Some(consent))?;
    Ok(TokenResponse {
        refresh_token: prepared.refresh.as_ref().map(|refresh| refresh.text.clone()),
        id_token: Some(prepared.id_token.clone()),
        ..access
    })
}
