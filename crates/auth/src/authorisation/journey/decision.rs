//! Processes the PSU's decision on the consent.

use super::account_options::{AccountOptions, offer};
use super::admission::{
    JourneyError, JourneySubmission, JourneyUnavailable, admit, client_and_consent, find_owned_journey, holds_token,
};
use super::end;
use super::step::{ApprovedConsent, JourneyNotice, JourneyStep};
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::authorisation::approval::{self, ApprovalInput};
use crate::authorisation::rules;
use crate::error::OAuthError;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{
    Consent, ConsentKind, ConsentRequest, ConsentStatusReason, DecisionEvidence, PaymentConsent,
};
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::BankAccountId;
use lombard_domain::scope::Scopes;
use lombard_service::consents::{AuthorisedAccount, AuthorisedSelection, note_status_reason_in};
use lombard_service::payments::consents::select_payer;

/// The PSU's choice on the decision page.
#[derive(Debug, Clone)]
pub enum PsuChoice {
    /// Approves, with the handles of the selected accounts; a payment has exactly one.
    Approve(Vec<String>),
    /// Refuses the consent.
    Reject,
}

/// Processes the decision. It checks again that the accounts are the PSU's own, and it locks and checks the consent in the transaction that
/// commits. A journey that was replaced, or whose consent was deleted, is answered here at the latest.
///
/// Source: AS-132, AS-133, AIS-064, AIS-080, PIS-032, CBP-008.
///
/// # Errors
/// [`JourneyError`]
pub async fn decide_journey(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    choice: &PsuChoice,
) -> Result<JourneyStep, JourneyError> {
    let step = take_decision(auth, submission, choice).await;
    end::note_failure(auth, &submission.id, step).await
}

async fn take_decision(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    choice: &PsuChoice,
) -> Result<JourneyStep, JourneyError> {
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall_now());
    let admitted = auth.context.store.read(move |tx| {
        let interaction = admit(tx, &submitted, &[JourneyStage::Decision], now)?;
        let (client, consent) = client_and_consent(tx, &interaction)?;
        Ok((interaction, client, consent))
    });
    let (interaction, client, consent) = match admitted.await {
        Err(JourneyError::Unavailable(JourneyUnavailable::Ended)) => {
            return already_decided_error(auth, submission).await;
        }
        admitted => admitted?,
    };
    match choice {
        PsuChoice::Reject => Ok(JourneyStep::Redirect(
            end::with_error(auth, &interaction, approval::denied(), end::ConsentAfterEnd::Rejected(None)).await?,
        )),
        PsuChoice::Approve(handles) => {
            match chosen(&auth.about(&client, &consent, interaction.psu.as_ref()), &interaction, &consent, handles)
                .await?
            {
                Ok(chosen) => approve(auth, submission, (&interaction, consent.request.kind()), chosen).await,
                Err(notice) => Ok(JourneyStep::SamePage(notice)),
            }
        }
    }
}

/// The accounts behind the handles, if every account was on offer; exactly one for a payment or a funds confirmation.
async fn chosen(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
    consent: &Consent,
    handles: &[String],
) -> Result<Result<AuthorisedSelection, JourneyNotice>, JourneyError> {
    let Some(psu) = &interaction.psu else { return Err(without_psu()) };
    if handles.is_empty() {
        return Ok(Err(JourneyNotice::NoAccount));
    }
    let options = offer(auth, &interaction.id, psu, consent).await?;
    let on_offer = options.accounts();
    if handles.iter().any(|handle| on_offer.iter().all(|offered| offered.handle != *handle)) {
        return Ok(Err(JourneyNotice::OtherAccounts));
    }
    let picked = on_offer.into_iter().filter(|offered| handles.contains(&offered.handle));
    let mut picked: Vec<_> = picked.map(|offered| AuthorisedAccount::from(offered.account.clone())).collect();
    match (&consent.request, picked.pop()) {
        (_, None) => Ok(Err(JourneyNotice::NoAccount)),
        (ConsentRequest::AccountAccess(_), Some(last)) => {
            picked.push(last);
            // The accounts are sorted by the bank's ids, not by their sequence on the page.
            picked.sort_by(|one, other| one.id.cmp(&other.id));
            Ok(Ok(AuthorisedSelection::Accounts(picked)))
        }
        (ConsentRequest::Payment(payment), Some(account)) if picked.is_empty() => {
            if is_first_choice_without_funds(consent, payment, &options, &account.id) {
                note_lack_of_funds(auth, interaction).await?;
                return Ok(Err(JourneyNotice::NotEnoughFunds));
            }
            let chosen = select_payer(&auth.context, psu, payment, &account.id).await.map_err(OAuthError::from)?;
            Ok(chosen.ok_or(JourneyNotice::OtherAccounts))
        }
        (ConsentRequest::FundsConfirmation(_), Some(account)) if picked.is_empty() => {
            Ok(Ok(AuthorisedSelection::FundsAccount(account)))
        }
        // Only a manipulated form names two accounts.
        (ConsentRequest::Payment(_) | ConsentRequest::FundsConfirmation(_), Some(_)) => {
            Ok(Err(JourneyNotice::NoAccount))
        }
    }
}

/// Whether the chosen account lacks the money for an immediate payment and the PSU has not been warned yet. The PSU is warned once in each
/// attempt. After that any account is accepted, because money may arrive before the order. A new attempt, or a failure of the server,
/// replaces the stored reason, and the PSU is warned again. Source: ERR-003.
fn is_first_choice_without_funds(
    consent: &Consent,
    payment: &PaymentConsent,
    options: &AccountOptions,
    account: &BankAccountId,
) -> bool {
    let AccountOptions::ToPayFrom(means) = options else { return false };
    let lacks = means.iter().any(|means| means.offered.account.id == *account && !means.suffices);
    let is_told = consent.status_reason == Some(ConsentStatusReason::InsufficientFunds);
    lacks && !is_told && payment.terms.instruction.is_debited_when_ordered()
}

/// Stores with the consent that the chosen account lacks the money. Source: ERR-003.
async fn note_lack_of_funds(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
) -> Result<(), JourneyError> {
    let (client, consent) = (interaction.client.clone(), interaction.consent.clone());
    let reason = ConsentStatusReason::InsufficientFunds;
    auth.context
        .store
        .write(move |tx| Ok::<_, JourneyError>(note_status_reason_in(tx, &client, &consent, reason)?))
        .await
}

fn without_psu() -> JourneyError {
    JourneyError::Failed(OAuthError::server_error("a journey reached its decision without a PSU"))
}

async fn approve(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    (interaction, kind): (&AuthorisationJourney, ConsentKind),
    chosen: AuthorisedSelection,
) -> Result<JourneyStep, JourneyError> {
    let remembered = StoredRequest::from(interaction)?;
    let (Some(psu), Some(auth_time)) = (&interaction.psu, interaction.auth_time) else {
        return Err(without_psu());
    };
    let approved = ApprovalInput {
        to: remembered.return_to(&interaction.client),
        consent: &interaction.consent,
        psu,
        factors: interaction.factors.clone(),
        evidence: remembered.shown.clone(),
        chosen,
        scopes: Scopes::parse(&remembered.scope).map_err(OAuthError::server_error)?,
        auth_time,
        acr: &remembered.acr,
        nonce: remembered.nonce.as_deref(),
        code_challenge: remembered.code_challenge.as_deref(),
        request_object_use: remembered.request_use(),
    };
    let (approval, redirect) = approval::prepare(auth, approved).await?;
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall_now());
    let context = auth.context.clone();
    let settled = auth.context.store.write(move |tx| {
        // The consent is locked first; then the journey must still be the one that the page was shown for.
        tx.consent_for_update(&approval.client, &approval.consent)?;
        admit(tx, &submitted, &[JourneyStage::Decision], now)?;
        Ok::<_, JourneyError>(approval::approve_in(tx, &approval, &context)?)
    });
    match settled.await {
        Ok(Ok(())) => {
            let approved = ApprovedConsent { id: interaction.consent.clone(), kind };
            note_evidence(&approved, &remembered.shown);
            Ok(JourneyStep::Approved(approved, redirect))
        }
        Ok(Err(error)) => {
            Ok(JourneyStep::Redirect(remembered.return_to(&interaction.client).error(auth, &error).await?))
        }
        Err(JourneyError::Unavailable(JourneyUnavailable::Ended)) => already_decided_error(auth, submission).await,
        Err(error) => Err(error),
    }
}

/// Logs what the customer was shown before the approval.
fn note_evidence(approved: &ApprovedConsent, shown: &DecisionEvidence) {
    if !shown.is_empty() {
        let payee = shown.payee.map_or("not-asked", |payee| payee.code());
        let (id, warnings) = (approved.id.as_str(), shown.warnings.len());
        tracing::info!(consent.id = id, payee.check = payee, payment.warnings = warnings, "a payment is approved");
    }
}

/// The error of a decision that arrives after its journey ended. If the request was answered, or a later journey is deciding it, the page
/// is outdated; otherwise the client is informed now that the journey failed. Source: AS-132, AIS-064.
async fn already_decided_error(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
) -> Result<JourneyStep, JourneyError> {
    let (submitted, context) = (submission.clone(), auth.context.clone());
    let unanswered = auth.context.store.write(move |tx| {
        let interaction = find_owned_journey(tx, &submitted.id, &submitted.page.browser)?;
        let remembered = StoredRequest::from(&interaction)?;
        let is_open_elsewhere = match tx.journey_live_of_consent(&interaction.consent, context.clocks.wall_now())? {
            Some(later) => StoredRequest::from(&later)?.request_use() == remembered.request_use(),
            None => false,
        };
        let is_leftover = is_open_elsewhere || !holds_token(&submitted, &interaction);
        if is_leftover || !remembered.request_use().spend(tx, &interaction.client, &context)? {
            return Err(JourneyError::Unavailable(JourneyUnavailable::Ended));
        }
        Ok((remembered, interaction.client))
    });
    let (remembered, client) = unanswered.await?;
    Ok(JourneyStep::Redirect(remembered.return_to(&client).error(auth, &rules::unusable_consent()).await?))
}
