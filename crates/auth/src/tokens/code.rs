//! `authorization_code`: a code becomes tokens, once. Source: AS-042 to AS-044, AS-095, AS-099, AS-150.
//!
//! The identity token is signed *before* the transaction that spends the code. The other order could spend the code
//! and then find the signing pool full: the TPP would hold a dead code and the PSU would have to authorise again. A
//! signature for a code that is lost to a parallel exchange costs a quarter of a millisecond. So the code is checked twice by
//! the same function: once to know what to sign, and once under its lock, which decides.

use super::identity::{IdTokenBinding, sign_identity_token};
use super::issue::{GrantRefusal, GrantResult, IssuedSecret, TokenRequest};
use super::{TokenResponse, pkce};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind};
use lombard_domain::grant::{Digest, Grant, GrantSubject, Token, TokenKind};
use lombard_domain::ids::GrantId;
use lombard_ports::store::{ServerTransaction, StoreError};

/// A code and what must come with it. A `scope` is ignored. Source: AS-041.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeRequest {
    code: Digest,
    redirect_uri: String,
    verifier: Option<String>,
}

/// What is ready before the code is spent.
pub(super) struct PreparedTokens {
    id_token: String,
    refresh: Option<IssuedSecret>,
}

/// A code that may be exchanged, as far as one look can tell.
struct RedeemableCode {
    grant: Grant,
    consent: Consent,
}

enum CodeCheck {
    Exchangeable(Box<RedeemableCode>),
    /// The client has no such code.
    Unknown,
    /// It is the client's, of this grant, and cannot be exchanged.
    Unusable(GrantId, &'static str),
    /// It was exchanged before: everything that came from it must end. Source: AS-043.
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

/// Looks at the code and, if it may be exchanged, draws the refresh token and signs the identity token. `None` when it
/// may not: the transaction will find the same and say why.
///
/// # Errors
/// Storage's and the signing pool's failures; the code and the assertion are untouched then.
pub(super) async fn prepare(
    auth: &AuthorisationServer,
    exchange: &TokenRequest,
    request: &CodeRequest,
) -> Result<Option<PreparedTokens>, OAuthError> {
    let (look, code) = (exchange.clone(), request.clone());
    let judged = auth.context.store.read::<_, StoreError, _>(move |tx| judge(tx, &look, &code)).await?;
    let CodeCheck::Exchangeable(found) = judged else { return Ok(None) };
    let refresh = refreshes(found.consent.terms.kind()).then(|| IssuedSecret::draw(&auth.context.ids));
    let refresh_expires_at = refresh.as_ref().and_then(|_| exchange.wall_end(&found.consent)).map(Timestamp::as_second);
    let at_hash = Some(lombard_jose::half_hash(&exchange.access.text));
    let hashes = IdTokenBinding { at_hash, refresh_expires_at, ..IdTokenBinding::default() };
    let id_token = sign_identity_token(auth, &found.grant, hashes).await?;
    Ok(Some(PreparedTokens { id_token, refresh }))
}

/// Whether a consent of this kind is worth a refresh token: one that is used once is not (PIS-036). Source: AS-093.
const fn refreshes(kind: ConsentKind) -> bool {
    match kind {
        ConsentKind::AccountAccess | ConsentKind::FundsConfirmation => true,
        ConsentKind::Payment(product) => product.reuses_consents(),
    }
}

/// Spends the code and stores its tokens; ends every earlier grant of the consent in the same transaction (AS-099,
/// RW-043).
pub(super) fn redeem(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    request: &CodeRequest,
    prepared: Option<&PreparedTokens>,
) -> GrantResult<TokenResponse> {
    let refused = |description| Ok(Err(GrantRefusal(OAuthErrorCode::InvalidGrant, description)));
    let RedeemableCode { grant, consent } = match judge(tx, exchange, request)? {
        CodeCheck::Exchangeable(found) => *found,
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
    let Some(prepared) = prepared else {
        // Something changed for the better between the two looks. The code is unspent and works with the next call.
        let description = "Please try again with a new assertion.";
        return Ok(Err(GrantRefusal(OAuthErrorCode::TemporarilyUnavailable, description)));
    };
    exchange.forget_unusable_credential(tx, &consent)?;
    tx.code_redeemed(&request.code, exchange.wall)?;
    if let GrantSubject::Psu { consent, .. } = &grant.subject {
        tx.grants_revoke_of_consent(consent, Some(&grant), exchange.wall)?;
    }
    let end = exchange.wall_end(&consent);
    if let Some(refresh) = &prepared.refresh {
        tx.token_insert(&Token {
            hash: refresh.hash,
            kind: TokenKind::Refresh,
            grant: grant.id.clone(),
            scopes: grant.scopes,
            certificate: exchange.certificate,
            issued_at: exchange.wall,
            expires_at: end,
            revoked_at: None,
        })?;
    }
    tx.consent_used(&consent.id, exchange.bank)?;
    let access = exchange.issue_access(tx, &grant.id, grant.scopes, Some(&consent))?;
    Ok(Ok(TokenResponse {
        refresh_token: prepared.refresh.as_ref().map(|refresh| refresh.text.clone()),
        id_token: Some(prepared.id_token.clone()),
        ..access
    }))
}

/// Whether the code may be exchanged by this call. Another client's code is as good as none, and stays as it is.
fn judge(
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
    if !pkce::answers(code.code_challenge.as_deref(), request.verifier.as_deref()) {
        return unusable("code_verifier does not answer the code_challenge.");
    }
    const ENDED: &str = "The consent of the code no longer gives access.";
    let Some(grant) = tx.grant(&code.grant)? else { return unusable(ENDED) };
    let Some(consent) = exchange.find_live_consent(tx, &grant)? else { return unusable(ENDED) };
    if !exchange.opens(grant.scopes) {
        return unusable("The client may no longer have the scope of the code.");
    }
    Ok(CodeCheck::Exchangeable(Box::new(RedeemableCode { grant, consent })))
}
