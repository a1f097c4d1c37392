//! `authorization_code`: exchanges a code for tokens, once. Source: AS-042 to AS-044, AS-095, AS-099, AS-150, AS-184.

use super::issue::{GrantRefusal, GrantResult, TokenRequest};
use super::psu_grant::{self, NOT_PREPARED, PreparedTokens, RedeemableGrant};
use super::{TokenResponse, pkce};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use lombard_domain::grant::Digest;
use lombard_domain::ids::GrantId;
use lombard_ports::store::{ServerTransaction, StoreError};

/// A code and its accompanying parameters. A `scope` is ignored. Source: AS-041.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeRequest {
    code: Digest,
    redirect_uri: String,
    verifier: Option<String>,
}

enum CodeCheck {
    Exchangeable(Box<RedeemableGrant>),
    /// The client has no such code.
    Unknown,
    /// The code is the client's, of this grant, and cannot be exchanged.
    Unusable(GrantId, &'static str),
    /// The code was exchanged before, so all tokens of its grant must be revoked. Source: AS-043.
    Reused(GrantId),
}

impl CodeRequest {
    pub(super) fn read(form: &Form) -> Result<Self, GrantRefusal> {
        let missing = |description| GrantRefusal(OAuthErrorCode::InvalidRequest, description);
        Ok(Self {
            code: lombard_jose::sha256(form.value("code").ok_or(missing("code is missing."))?.as_bytes()),
            redirect_uri: form.value("redirect_uri").ok_or(missing("redirect_uri is missing."))?.to_owned(),
            verifier: form.value("code_verifier").map(str::to_owned),
        })
    }
}

/// Checks the code and, if it may be exchanged, generates the refresh token and signs the identity token. `None` if it may not; the
/// transaction checks it again and returns the error.
///
/// # Errors
/// Storage's and the signing pool's failures; the code and the assertion are untouched then.
pub(super) async fn prepare(
    auth: &AuthorisationServer,
    exchange: &TokenRequest,
    request: &CodeRequest,
) -> Result<Option<PreparedTokens>, OAuthError> {
    let (look, code) = (exchange.clone(), request.clone());
    let judged = auth.context.store.read::<_, StoreError, _>(move |tx| check_code(tx, &look, &code)).await?;
    let CodeCheck::Exchangeable(found) = judged else { return Ok(None) };
    psu_grant::prepare(auth, exchange, &found).await.map(Some)
}

/// Marks the code as used and stores its tokens; ends every earlier grant of the consent in the same transaction (AS-099,
/// RW-043).
pub(super) fn redeem(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    request: &CodeRequest,
    prepared: Option<&PreparedTokens>,
) -> GrantResult<TokenResponse> {
    let refused = |description| Ok(Err(GrantRefusal(OAuthErrorCode::InvalidGrant, description)));
    let found = match check_code(tx, exchange, request)? {
        CodeCheck::Exchangeable(found) => found,
        CodeCheck::Unknown => return refused("The code is unknown."),
        CodeCheck::Unusable(grant, description) => {
            exchange.note_unusable_credential(tx, &grant)?;
            return refused(description);
        }
        CodeCheck::Reused(grant) => {
            exchange.note_unusable_credential(tx, &grant)?;
            tx.grant_revoke(&grant, exchange.wall)?;
            return refused("The code was used before; its tokens have been revoked.");
        }
    };
    let Some(prepared) = prepared else { return Ok(Err(NOT_PREPARED)) };
    tx.code_mark_redeemed(&request.code, exchange.wall)?;
    psu_grant::issue(tx, exchange, &found, prepared).map(Ok)
}

/// Checks whether this call may exchange the code. Another client's code counts as unknown and does not change.
fn check_code(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    request: &CodeRequest,
) -> Result<CodeCheck, StoreError> {
    let code = tx.code_for_update(&request.code)?.filter(|code| code.client == exchange.client.id);
    let Some(code) = code else { return Ok(CodeCheck::Unknown) };
    let unusable = |description| Ok(CodeCheck::Unusable(code.grant.clone(), description));
    if code.redeemed_at.is_some() {
        return Ok(CodeCheck::Reused(code.grant.clone()));
    }
    if code.expires_at <= exchange.wall {
        return unusable("The code has expired.");
    }
    if code.redirect_uri != request.redirect_uri {
        return unusable("redirect_uri is not the one the code was sent to.");
    }
    if !exchange.client.has_redirect_uri(&code.redirect_uri) {
        return unusable("redirect_uri is not registered any more.");
    }
    if !pkce::answers(code.code_challenge.as_deref(), request.verifier.as_deref()) {
        return unusable("code_verifier does not answer the code_challenge.");
    }
    const ENDED: &str = "The consent of the code no longer gives access.";
    let Some(grant) = tx.grant(&code.grant)? else { return unusable(ENDED) };
    let Some(consent) = exchange.find_live_consent(tx, &grant)? else { return unusable(ENDED) };
    if !exchange.opens(grant.scopes) {
        return unusable("The client may no longer have the scope of the code.");
    }
    Ok(CodeCheck::Exchangeable(Box::new(RedeemableGrant { grant, consent })))
}
