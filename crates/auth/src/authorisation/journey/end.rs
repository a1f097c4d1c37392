//! A journey ends without an approval.

use super::browser::Browser;
use super::gate::{Halt, JourneySubmission, Lost, admit_to_leave};
use super::remembered::StoredRequest;
use super::steps::Step;
use crate::AuthorisationServer;
use crate::authorisation::answer::Redirect;
use crate::authorisation::{rules, settle};
use crate::error::OAuthError;
use lombard_domain::client::Client;
use lombard_domain::grant::{Interaction, JourneyStage};
use lombard_domain::ids::JourneyId;

/// What becomes of the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// It is rejected, unless it was authorised before. Source: AS-089.
    Rejected,
    /// It stays as it is: the PSU said nothing about it.
    Kept,
}

/// The PSU refuses or gives up, at whatever step. A journey that went idle can still be left: nobody has said no then,
/// so the consent stays as it is. Source: RW-303, AS-089.
///
/// # Errors
/// [`Halt`]
pub async fn cancel(auth: &AuthorisationServer, submission: &JourneySubmission) -> Result<Step, Halt> {
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall());
    let interaction = auth.context.store.read(move |tx| admit_to_leave(tx, &submitted)).await?;
    let consent = if interaction.expires_at <= now { Consent::Kept } else { Consent::Rejected };
    Ok(Step::Leave(with_error(auth, &interaction, settle::denied(), consent).await?))
}

/// The way back to the application from a page that cannot go on.
#[derive(Debug)]
pub struct ReturnForm {
    /// The journey to leave, by [`cancel`].
    pub id: JourneyId,
    /// Goes into the page's form.
    pub form_token: String,
    /// Where it leads: the verified address of the request. Source: AS-140.
    pub redirect_uri: String,
    /// Who asked.
    pub client: Client,
}

/// The way back, if this browser began the journey and its request has not been answered.
///
/// # Errors
/// Storage's failure.
pub async fn find_return_form(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &Browser,
) -> Result<Option<ReturnForm>, OAuthError> {
    let (wanted, shown_to) = (id.clone(), browser.clone());
    let found = auth.context.store.read(move |tx| {
        let Some(interaction) = tx.journey_for_update(&wanted)? else { return Ok::<_, OAuthError>(None) };
        if !shown_to.owns(&interaction) || interaction.stage == JourneyStage::Finished {
            return Ok(None);
        }
        Ok(tx.client(&interaction.client)?.map(|client| (interaction, client)))
    });
    let Some((interaction, client)) = found.await? else { return Ok(None) };
    let redirect_uri = StoredRequest::from(&interaction)?.redirect_uri;
    Ok(Some(ReturnForm { form_token: browser.form_token(&interaction), id: interaction.id, redirect_uri, client }))
}

/// Ends a journey with an error for the client: the consent, the request and the journey in one transaction.
///
/// # Errors
/// [`Halt`]
pub(super) async fn with_error(
    auth: &AuthorisationServer,
    interaction: &Interaction,
    error: OAuthError,
    consent: Consent,
) -> Result<Redirect, Halt> {
    let remembered = StoredRequest::from(interaction)?;
    let (once, context) = (remembered.once(), auth.context.clone());
    let ended = interaction.clone();
    let answered = auth.context.store.write(move |tx| {
        // The consent is locked first; then the journey must not have been replaced by another meanwhile.
        tx.consent_for_update(&ended.client, &ended.consent)?;
        let running = tx.journey_for_update(&ended.id)?;
        if running.is_none_or(|interaction| interaction.stage == JourneyStage::Finished) {
            return Err(Halt::Lost(Lost::Ended));
        }
        match consent {
            Consent::Rejected => Ok(settle::reject_request_in(tx, &ended.client, &ended.consent, &once, &context)?),
            Consent::Kept => {
                tx.journeys_finish_of_consent(&ended.consent, None)?;
                Ok(once.spend(tx, &ended.client)?)
            }
        }
    });
    let error = if answered.await? { error } else { rules::already_answered() };
    tracing::info!(
        client.id = interaction.client.as_str(),
        consent.id = interaction.consent.as_str(),
        error.code = error.code.name(),
        "authorisation journey ended"
    );
    Ok(remembered.return_to(&interaction.client).error(auth, &error).await?)
}
