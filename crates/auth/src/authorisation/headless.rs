//! Decides the requests of headless test clients, without a person, after all checks. Headless clients exist in a sandbox only.

use super::approval::{self, ApprovalInput};
use super::journey::{is_storage_unavailable, note_unknown_reason};
use super::response::Redirect;
use super::rules::{Authorisable, CheckedRequest, RuleRefusal, another_customer_error, no_payer_to_error};
use crate::error::OAuthError;
use crate::{AuthorisationServer, HeadlessSettings};
use lombard_domain::consent::{Consent, ConsentRequest, ConsentStatusReason, DecisionEvidence};
use lombard_domain::ids::{ConsentId, PsuId};
use lombard_service::consents::AuthorisedSelection;
use lombard_service::funds;
use lombard_service::payments::consents::{self as payments, NoPayerAccount};

/// Approves in the name of this PSU after the delay that the settings give, unless the settings reject every request. The approval covers
/// every account that may be shared, or the named account, or else the account that a payment is made from by default.
///
/// Source: AS-170, AS-171.
///
/// # Errors
/// [`RuleRefusal`] when another PSU is expected, the settings reject every request, the PSU has no account to share or to pay from, the
/// consent changed meanwhile, or the server failed.
pub(super) async fn decide(
    auth: &AuthorisationServer,
    request: Authorisable,
    psu: &PsuId,
    headless: &HeadlessSettings,
) -> Result<Redirect, RuleRefusal> {
    let Authorisable { request, consent, scopes, expected } = request;
    tracing::info!(client.id = request.client.id.as_str(), consent.id = consent.id.as_str(), "headless authorisation");
    if expected.is_some_and(|expected| expected != *psu) {
        return Err(RuleRefusal { rule: "AS-068", error: another_customer_error() });
    }
    // A sleep of zero length would still wait for the timer.
    if !headless.decision_delay.is_zero() {
        tokio::time::sleep(headless.decision_delay).await;
    }
    if headless.rejects_all {
        let refused = RuleRefusal { rule: "AS-171", error: approval::denied() };
        return Err(rejected(auth, &request, (psu, &consent.id), refused, None).await);
    }
    let chosen = match chosen(&auth.about(&request.client, &consent, Some(psu)), psu, &consent).await {
        Ok(Ok(chosen)) => chosen,
        Ok(Err((refused, reason))) => return Err(rejected(auth, &request, (psu, &consent.id), refused, reason).await),
        Err(failed) => {
            if !is_storage_unavailable(&failed.error) {
                note_unknown_reason(auth, request.client.id.clone(), consent.id.clone()).await;
            }
            return Err(failed);
        }
    };
    let approved = ApprovalInput {
        to: request.return_to(),
        consent: &consent.id,
        psu,
        factors: Vec::new(),
        evidence: DecisionEvidence::default(),
        chosen,
        scopes,
        auth_time: auth.context.clocks.wall_now(),
        acr: request.acr.name(),
        nonce: request.nonce.as_deref(),
        code_challenge: request.code_challenge.as_deref(),
        request_object_use: request.request_object_use.clone(),
    };
    let (approval, redirect) = approval::prepare(auth, approved).await?;
    let context = auth.context.clone();
    let settled = auth.context.store.write(move |tx| {
        let settled = approval::approve_in(tx, &approval, &context)?;
        Ok::<_, OAuthError>(settled)
    });
    settled.await?.map_err(|error| RuleRefusal { rule: "AS-132", error })?;
    Ok(redirect.announced_headless())
}

/// Why a PSU cannot approve: the error for the client, and the status reason that is stored with the consent.
type CannotAgree = (RuleRefusal, Option<ConsentStatusReason>);

/// The accounts that this PSU approves by default, or why a PSU without an account to share or to pay from cannot complete the flow.
/// Source: AS-133, AS-171.
async fn chosen(
    auth: &AuthorisationServer,
    psu: &PsuId,
    consent: &Consent,
) -> Result<Result<AuthorisedSelection, CannotAgree>, RuleRefusal> {
    match &consent.request {
        ConsentRequest::AccountAccess(_) => {
            let eligible = auth
                .context
                .bank
                .eligible_accounts(&auth.context.call, psu)
                .await
                .map_err(lombard_service::Failure::from)?;
            if eligible.is_empty() {
                return Ok(Err((RuleRefusal { rule: "AS-133", error: approval::denied() }, None)));
            }
            Ok(Ok(AuthorisedSelection::Accounts(eligible.into_iter().map(Into::into).collect())))
        }
        ConsentRequest::FundsConfirmation(named) => {
            let chosen = funds::select_funds_account(&auth.context, psu, named).await?;
            Ok(chosen.ok_or_else(|| (RuleRefusal { rule: "CBP-009", error: approval::denied() }, None)))
        }
        ConsentRequest::Payment(payment) => {
            let chosen = payments::select_default_payer(&auth.context, psu, payment).await?;
            Ok(chosen.map_err(|none| {
                (RuleRefusal { rule: rule_of(none), error: no_payer_to_error(none) }, none.status_reason())
            }))
        }
    }
}

/// Rejects the request, because the settings say so or because there is no account to choose. Source: AS-089, RW-302.
async fn rejected(
    auth: &AuthorisationServer,
    request: &CheckedRequest,
    (psu, consent): (&PsuId, &ConsentId),
    refused: RuleRefusal,
    reason: Option<ConsentStatusReason>,
) -> RuleRefusal {
    let (client, consent, request_use) =
        (request.client.id.clone(), consent.clone(), request.request_object_use.clone());
    let (psu, context) = (psu.clone(), auth.context.clone());
    let rejected = auth.context.store.write(move |tx| {
        Ok::<_, OAuthError>(approval::reject_request_in(
            tx,
            &client,
            &consent,
            &request_use,
            Some(&psu),
            reason,
            &context,
        )?)
    });
    match rejected.await {
        Ok(_) => refused,
        Err(error) => RuleRefusal::from(error),
    }
}

const fn rule_of(none: NoPayerAccount) -> &'static str {
    match none {
        NoPayerAccount::NamedAccountUnusable => "PIS-033",
        NoPayerAccount::TooManyAuthorisers => "PIS-111",
        NoPayerAccount::NoneEligible => "AS-133",
    }
}
