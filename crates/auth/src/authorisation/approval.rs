//! Stores the decision, the accounts and the code, or the answer of a backchannel request, in one transaction.
//!
//! Every transaction here locks the consent before any journey, as the deletion of a consent does, so that the two cannot
//! deadlock.

use super::locked_consent::lock_consent;
use super::response::{Redirect, ResponseTarget, unregistered_return_error};
use super::rules::{self, OneTimeUse};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::throttle::DeviceRequests;
use crate::tokens::identity::{IdTokenBinding, sign_identity_token};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::backchannel::BackchannelState;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentStatusReason, DecisionEvidence, EvidencedDecision, NotAuthorisable};
use lombard_domain::grant::{AuthorisationCode, Digest, Grant, GrantSubject};
use lombard_domain::ids::{ClientId, ConsentId, GrantId, PsuId};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{ServerTransaction, StoreError};
use lombard_service::Context;
use lombard_service::consents::{
    AuthoriseError, AuthorisedSelection, authorise_consent_in, refuse_consent_in, reject_consent_in,
    reject_late_consent_in,
};

/// The longest lifetime of an authorisation code, seconds. Source: AS-042.
const CODE_SECS_MAX: i64 = 60;

/// The credential that the client exchanges for its tokens.
#[derive(Clone)]
pub(super) enum GrantCredential {
    /// The authorisation code that the browser carries to the client.
    Code(AuthorisationCode),
    /// The hash of the client's `auth_req_id`. Source: AS-162.
    Backchannel(Digest),
}

/// A PSU's approval that is ready to be stored by [`approve_in`].
#[derive(Clone)]
pub(super) struct PreparedApproval {
    pub client: ClientId,
    pub consent: ConsentId,
    pub psu: PsuId,
    pub factors: Vec<AuthenticationFactor>,
    pub evidence: DecisionEvidence,
    pub chosen: AuthorisedSelection,
    pub grant: Grant,
    pub credential: GrantCredential,
    pub request_object_use: OneTimeUse,
}

/// The input of [`prepare`].
pub(super) struct ApprovalInput<'a> {
    pub to: ResponseTarget<'a>,
    pub consent: &'a ConsentId,
    pub psu: &'a PsuId,
    pub factors: Vec<AuthenticationFactor>,
    /// What the customer was shown before the decision.
    pub evidence: DecisionEvidence,
    pub chosen: AuthorisedSelection,
    pub scopes: Scopes,
    pub auth_time: Timestamp,
    pub acr: &'a str,
    pub nonce: Option<&'a str>,
    pub code_challenge: Option<&'a str>,
    pub request_object_use: OneTimeUse,
}

/// Makes the code and the whole response before anything is stored, so that no step can fail after the commit. The code is valid only once
/// [`approve_in`] commits.
///
/// # Errors
/// No key can sign, or the signing pool is full.
pub(super) async fn prepare(
    auth: &AuthorisationServer,
    approved: ApprovalInput<'_>,
) -> Result<(PreparedApproval, Redirect), OAuthError> {
    let now = auth.context.clocks.wall_now();
    let grant = Grant {
        id: auth.context.ids.ordered(),
        client: approved.to.client.clone(),
        subject: GrantSubject::Psu { psu: approved.psu.clone(), consent: approved.consent.clone() },
        scopes: approved.scopes,
        auth_time: Some(approved.auth_time),
        acr: Some(approved.acr.to_owned()),
        nonce: approved.nonce.map(str::to_owned),
        created_at: now,
        revoked_at: None,
        epoch: 0,
    };
    let (credential, redirect) = match approved.request_object_use.backchannel() {
        Some(hash) => (GrantCredential::Backchannel(*hash), approved.to.page()),
        None => {
            let (code, redirect) = prepare_code(auth, &approved, &grant).await?;
            (GrantCredential::Code(code), redirect)
        }
    };
    let approval = PreparedApproval {
        client: approved.to.client.clone(),
        consent: approved.consent.clone(),
        psu: approved.psu.clone(),
        factors: approved.factors,
        evidence: approved.evidence,
        chosen: approved.chosen,
        grant,
        credential,
        request_object_use: approved.request_object_use,
    };
    Ok((approval, redirect))
}

/// Makes the authorisation code and the response that carries it.
async fn prepare_code(
    auth: &AuthorisationServer,
    approved: &ApprovalInput<'_>,
    grant: &Grant,
) -> Result<(AuthorisationCode, Redirect), OAuthError> {
    let code = lombard_jose::base64url(&auth.context.ids.random_secret());
    let id_token = if approved.to.mode.has_id_token() {
        let c_hash = Some(lombard_jose::half_hash(&code));
        let s_hash = approved.to.state.map(lombard_jose::half_hash);
        Some(sign_identity_token(auth, grant, IdTokenBinding { c_hash, s_hash, ..IdTokenBinding::default() }).await?)
    } else {
        None
    };
    let redirect = approved.to.success(auth, &code, id_token.as_deref()).await?;
    let lifetime = SignedDuration::from_secs(auth.settings.code_secs.min(CODE_SECS_MAX));
    let row = AuthorisationCode {
        hash: lombard_jose::sha256(code.as_bytes()),
        client: approved.to.client.clone(),
        redirect_uri: approved.to.redirect_uri.to_owned(),
        grant: grant.id.clone(),
        code_challenge: approved.code_challenge.map(str::to_owned),
        expires_at: grant.created_at.saturating_add(lifetime).map_err(OAuthError::server_error)?,
        redeemed_at: None,
    };
    Ok((row, redirect))
}

/// Stores an approval, if the request has not been answered meanwhile and the consent still allows it. The inner `Err` is the error for the
/// client; in that case too the request counts as answered and every journey of the consent ends. An approval after the cut-off rejects the
/// consent. A consent that the client cannot use, or whose client is no longer active, is not changed.
///
/// Source: AS-080, AS-113, AS-130 to AS-132, AS-184, AIS-064, PIS-037, CVRP-008, RW-010.
///
/// # Errors
/// [`StoreError`].
pub(super) fn approve_in(
    tx: &mut dyn ServerTransaction,
    approval: &PreparedApproval,
    context: &Context,
) -> Result<Result<(), OAuthError>, StoreError> {
    let consent = lock_consent(tx, &approval.client, &approval.consent)?;
    tx.journeys_finish_of_consent(&approval.consent, None)?;
    if !approval.request_object_use.spend(tx, &approval.client, context)? {
        return Ok(Err(rules::already_answered()));
    }
    let Some(consent) = consent else { return Ok(Err(rules::unusable_consent())) };
    let Some(client) = tx.client(&approval.client)?.filter(Client::may_act) else {
        return Ok(Err(rules::unusable_consent()));
    };
    if let GrantCredential::Code(code) = &approval.credential
        && !client.has_redirect_uri(&code.redirect_uri)
    {
        return Ok(Err(unregistered_return_error()));
    }
    // The settings may have changed with a restart since the request was checked.
    if rules::unusable_by(&consent, &context.payments).is_some() {
        return Ok(Err(rules::unusable_consent()));
    }
    let consent = Consent { authentication_factors: approval.factors.clone(), ..consent };
    match authorise_consent_in(tx, context, &consent, &approval.psu, &approval.chosen) {
        Ok(_) => {}
        Err(AuthoriseError::NotAuthorisable(bar)) => {
            if bar == NotAuthorisable::AfterCutOff {
                reject_late_consent_in(tx, context, &consent)?;
            }
            return Ok(Err(rules::bar_to_error(bar)));
        }
        Err(AuthoriseError::Store(error)) => return Err(error),
    }
    tx.grant_insert(&approval.grant)?;
    if !approval.evidence.is_empty() {
        let (psu, evidence) = (approval.psu.clone(), approval.evidence.clone());
        let decision = EvidencedDecision { psu, decided_at: context.clocks.read_bank_time(tx)?, evidence };
        tx.decision_evidence_insert(&approval.consent, &approval.grant.id, &decision)?;
    }
    match &approval.credential {
        GrantCredential::Code(code) => tx.code_insert(code)?,
        GrantCredential::Backchannel(hash) => approve_backchannel_in(tx, hash, &approval.grant.id, context)?,
    }
    Ok(Ok(()))
}

/// Attaches the grant to the backchannel request that this transaction has answered. The client has at least a minute to fetch the tokens.
/// Source: AS-162.
pub(super) fn approve_backchannel_in(
    tx: &mut dyn ServerTransaction,
    hash: &Digest,
    grant: &GrantId,
    context: &Context,
) -> Result<(), StoreError> {
    let Some(mut request) = tx.backchannel_for_update(hash)? else { return Ok(()) };
    let least = context.clocks.wall_now().saturating_add(SignedDuration::from_secs(CODE_SECS_MAX));
    request.state = BackchannelState::Authorised;
    request.grant = Some(grant.clone());
    request.expires_at = least.map_or(request.expires_at, |least| least.max(request.expires_at));
    tx.backchannel_update(&request)
}

/// Answers a request that the PSU refused, cancelled, failed to authenticate for or may not decide. The consent is rejected if it was never
/// authorised. The audit log tells which customer it was, if one was known. Returns `false` if the request was answered before. A client that asked over the backchannel cannot reach the customer's
/// device again for ten minutes.
///
/// Source: AS-089, RW-303, RW-306.
///
/// # Errors
/// [`StoreError`].
pub(super) fn reject_request_in(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    consent: &ConsentId,
    request_use: &OneTimeUse,
    psu: Option<&PsuId>,
    reason: Option<ConsentStatusReason>,
    context: &Context,
) -> Result<bool, StoreError> {
    let locked = lock_consent(tx, client, consent)?;
    tx.journeys_finish_of_consent(consent, None)?;
    if !request_use.spend(tx, client, context)? {
        return Ok(false);
    }
    let of_device = match request_use.backchannel() {
        Some(hash) => tx.backchannel_for_update(hash)?.and_then(|request| request.psu),
        None => None,
    };
    if let Some(psu) = &of_device {
        DeviceRequests::new(client, psu).use_up_in(tx, context.clocks.wall_now())?;
    }
    match (locked, psu.or(of_device.as_ref())) {
        (Some(locked), Some(psu)) => drop(refuse_consent_in(tx, context, &locked, psu, reason)?),
        (Some(locked), None) => drop(reject_consent_in(tx, context, &locked, reason)?),
        (None, _) => {}
    }
    Ok(true)
}

/// The error for the client when the PSU refused, failed to authenticate, or has no account to share. Source: AS-089.
pub(super) const fn denied() -> OAuthError {
    OAuthError::new(OAuthErrorCode::AccessDenied, "The customer did not give this consent.")
}
