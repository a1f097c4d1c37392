//! The PSU decides.

use super::end;
use super::gate::{Halt, JourneySubmission, Lost, admit, holds_token, owned};
use super::offer::offer;
use super::remembered::StoredRequest;
use super::steps::{Notice, Step};
use crate::AuthorisationServer;
use crate::authorisation::rules;
use crate::authorisation::settle::{self, ApprovalInput};
use crate::error::OAuthError;
use lombard_domain::consent::{Consent, Terms};
use lombard_domain::grant::{Interaction, JourneyStage};
use lombard_domain::scope::Scopes;
use lombard_ports::store::Owned;
use lombard_service::consents::AuthorisedSelection;
use lombard_service::payments::consents::choose;

/// What the PSU chose.
#[derive(Debug, Clone)]
pub enum Choice {
    /// To agree, with these accounts, by the handles they were offered under; with one to pay from.
    Approve(Vec<String>),
    /// To refuse.
    Refuse,
}

/// Takes the decision. Accounts are checked again to be the PSU's own; the consent is locked and checked again with the
/// commit. A journey that was replaced by another, or whose consent is gone, is answered here at the latest.
///
/// Source: AS-132, AS-133, AIS-064, AIS-080, PIS-032, CBP-008.
///
/// # Errors
/// [`Halt`]
pub async fn decide(auth: &AuthorisationServer, submission: &JourneySubmission, choice: &Choice) -> Result<Step, Halt> {
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall());
    let admitted = auth.context.store.read(move |tx| {
        let interaction = admit(tx, &submitted, &[JourneyStage::Decision], now)?;
        match tx.consent(&interaction.client, &interaction.consent)? {
            Owned::Mine(consent) => Ok((interaction, consent)),
            Owned::Foreign | Owned::Absent => Err(Halt::Lost(Lost::Ended)),
        }
    });
    let (interaction, consent) = match admitted.await {
        Err(Halt::Lost(Lost::Ended)) => return already_decided_error(auth, submission).await,
        admitted => admitted?,
    };
    match choice {
        Choice::Refuse => {
            Ok(Step::Leave(end::with_error(auth, &interaction, settle::denied(), end::Consent::Rejected).await?))
        }
        Choice::Approve(handles) => match chosen(auth, &interaction, &consent, handles).await? {
            Ok(chosen) => approve(auth, submission, &interaction, chosen).await,
            Err(notice) => Ok(Step::Again(notice)),
        },
    }
}

/// What is agreed with: the accounts behind the handles, if every one was on offer, and one to pay from or to be asked
/// about.
async fn chosen(
    auth: &AuthorisationServer,
    interaction: &Interaction,
    consent: &Consent,
    handles: &[String],
) -> Result<Result<AuthorisedSelection, Notice>, Halt> {
    let Some(psu) = &interaction.psu else { return Err(without_psu()) };
    if handles.is_empty() {
        return Ok(Err(Notice::NoAccount));
    }
    let on_offer = offer(auth, &interaction.id, psu, consent).await?;
    let on_offer = on_offer.accounts();
    if handles.iter().any(|handle| on_offer.iter().all(|offered| offered.handle != *handle)) {
        return Ok(Err(Notice::OtherAccounts));
    }
    let picked = on_offer.into_iter().filter(|offered| handles.contains(&offered.handle));
    let mut picked: Vec<_> = picked.map(|offered| offered.account.id.clone()).collect();
    match (&consent.terms, picked.pop()) {
        (_, None) => Ok(Err(Notice::NoAccount)),
        (Terms::AccountAccess(_), Some(last)) => {
            picked.push(last);
            Ok(Ok(AuthorisedSelection::Shared(picked)))
        }
        (Terms::Payment(payment), Some(account)) if picked.is_empty() => {
            let chosen = choose(&auth.context, psu, payment, &account).await.map_err(OAuthError::from)?;
            Ok(chosen.ok_or(Notice::OtherAccounts))
        }
        (Terms::FundsConfirmation(_), Some(account)) if picked.is_empty() => {
            Ok(Ok(AuthorisedSelection::AskedAbout(account)))
        }
        // Only a forged form names two.
        (Terms::Payment(_) | Terms::FundsConfirmation(_), Some(_)) => Ok(Err(Notice::NoAccount)),
    }
}

fn without_psu() -> Halt {
    Halt::Failed(OAuthError::broken("a journey reached its decision without a PSU"))
}

async fn approve(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    interaction: &Interaction,
    chosen: AuthorisedSelection,
) -> Result<Step, Halt> {
    let remembered = StoredRequest::from(interaction)?;
    let (Some(psu), Some(auth_time)) = (&interaction.psu, interaction.auth_time) else {
        return Err(without_psu());
    };
    let approved = ApprovalInput {
        to: remembered.return_to(&interaction.client),
        consent: &interaction.consent,
        psu,
        chosen,
        scopes: Scopes::parse(&remembered.scope).map_err(OAuthError::broken)?,
        auth_time,
        acr: &remembered.acr,
        nonce: &remembered.nonce,
        code_challenge: remembered.code_challenge.as_deref(),
        once: remembered.once(),
    };
    let (approval, redirect) = settle::prepare(auth, approved).await?;
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall());
    let context = auth.context.clone();
    let settled = auth.context.store.write(move |tx| {
        // The consent is locked first; then the journey must still be the one the page was shown for.
        tx.consent_for_update(&approval.client, &approval.consent)?;
        admit(tx, &submitted, &[JourneyStage::Decision], now)?;
        Ok::<_, Halt>(settle::approve_in(tx, &approval, &context)?)
    });
    match settled.await {
        Ok(Ok(())) => Ok(Step::Leave(redirect)),
        Ok(Err(error)) => Ok(Step::Leave(remembered.return_to(&interaction.client).error(auth, &error).await?)),
        Err(Halt::Lost(Lost::Ended)) => already_decided_error(auth, submission).await,
        Err(halt) => Err(halt),
    }
}

/// The journey ended before the decision. If its request was answered, this page is a leftover; if not, the client
/// learns now that the journey came to nothing. Source: AS-132, AIS-064.
async fn already_decided_error(auth: &AuthorisationServer, submission: &JourneySubmission) -> Result<Step, Halt> {
    let submitted = submission.clone();
    let unanswered = auth.context.store.write(move |tx| {
        let interaction = owned(tx, &submitted.id, &submitted.page.browser)?;
        let remembered = StoredRequest::from(&interaction)?;
        if !holds_token(&submitted, &interaction) || !remembered.once().spend(tx, &interaction.client)? {
            return Err(Halt::Lost(Lost::Ended));
        }
        Ok((remembered, interaction.client))
    });
    let (remembered, client) = unanswered.await?;
    Ok(Step::Leave(remembered.return_to(&client).error(auth, &rules::unusable_consent()).await?))
}
