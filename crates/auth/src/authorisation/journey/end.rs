//! Ends a journey without an approval.

use super::admission::{JourneyError, JourneySubmission, JourneyUnavailable, admit_to_leave};
use super::step::JourneyStep;
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::authorisation::response::{Redirect, is_unregistered_return};
use crate::authorisation::{approval, rules};
use crate::browser::BrowserSecret;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::client::Client;
use lombard_domain::consent::ConsentStatusReason;
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::{ClientId, ConsentId, JourneyId};
use lombard_ports::bank::BankError;
use lombard_ports::identity::IdentityError;
use lombard_ports::store::StoreError;
use lombard_service::consents::note_status_reason_in;
use std::error::Error;

/// What becomes of the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::authorisation) enum ConsentAfterEnd {
    /// It is rejected, unless it was authorised before; with what is known about it beside the PSU's refusal. Source: AS-089.
    Rejected(Option<ConsentStatusReason>),
    /// It stays as it is: the PSU said nothing about it.
    Kept,
}

/// The PSU cancels the journey at any step. An expired journey can be cancelled too; the consent then keeps its state, because
/// the PSU did not refuse it. Source: RW-303, AS-089.
///
/// # Errors
/// [`JourneyError`]
pub async fn cancel_journey(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
) -> Result<JourneyStep, JourneyError> {
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall_now());
    let interaction = auth.context.store.read(move |tx| admit_to_leave(tx, &submitted)).await?;
    let consent = if interaction.expires_at <= now { ConsentAfterEnd::Kept } else { ConsentAfterEnd::Rejected(None) };
    Ok(JourneyStep::Redirect(with_error(auth, &interaction, approval::denied(), consent).await?))
}

/// The form that returns the PSU to the application from an error page.
#[derive(Debug)]
pub struct ReturnForm {
    /// The journey to leave, by [`cancel_journey`].
    pub id: JourneyId,
    /// Goes into the page's form.
    pub form_token: String,
    /// Where it leads: the verified address of the request. Source: AS-140.
    pub redirect_uri: String,
    /// Who asked.
    pub client: Client,
}

/// The way back, if this browser began the journey, its request has not been answered, and its client may act and has the address
/// still.
///
/// # Errors
/// Storage's failure.
pub async fn find_return_form(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
) -> Result<Option<ReturnForm>, OAuthError> {
    let (wanted, shown_to) = (id.clone(), browser.clone());
    let found = auth.context.store.read(move |tx| {
        let Some(interaction) = tx.journey_for_update(&wanted)? else { return Ok::<_, OAuthError>(None) };
        if !shown_to.owns(&interaction) || interaction.stage == JourneyStage::Finished {
            return Ok(None);
        }
        Ok(tx.client(&interaction.client)?.filter(Client::may_act).map(|client| (interaction, client)))
    });
    let Some((interaction, client)) = found.await? else { return Ok(None) };
    let redirect_uri = StoredRequest::from(&interaction)?.redirect_uri;
    if !client.has_redirect_uri(&redirect_uri) {
        return Ok(None);
    }
    Ok(Some(ReturnForm { form_token: browser.form_token(&interaction), id: interaction.id, redirect_uri, client }))
}

/// The link to the application of a journey, for a browser that cannot show that it began the journey.
#[derive(Debug)]
pub struct ApplicationLink {
    /// The verified address of the request, with an error as the answer. Source: AS-087, AS-140.
    pub location: String,
    /// Who asked.
    pub client: Client,
}

/// The link to the application, while the journey's request has not been answered and its client may act. Whoever follows it begins again
/// there; nothing of the journey changes, as nobody has shown that it is theirs.
///
/// # Errors
/// Storage's failure, or that of a signature of the answer.
pub async fn find_application_link(
    auth: &AuthorisationServer,
    id: &JourneyId,
) -> Result<Option<ApplicationLink>, OAuthError> {
    const LOST: OAuthError =
        OAuthError::new(OAuthErrorCode::AccessDenied, "The customer's browser has lost the cookies of this request.");
    let wanted = id.clone();
    let found = auth.context.store.read(move |tx| {
        let journey = tx.journey_for_update(&wanted)?.filter(|it| it.stage != JourneyStage::Finished);
        let Some(journey) = journey else { return Ok::<_, OAuthError>(None) };
        Ok(tx.client(&journey.client)?.filter(Client::may_act).map(|client| (journey, client)))
    });
    let Some((journey, client)) = found.await? else { return Ok(None) };
    let stored = StoredRequest::from(&journey)?;
    // An address that was removed since leads nobody anywhere.
    if stored.is_decoupled() || !client.redirect_uris.contains(&stored.redirect_uri) {
        return Ok(None);
    }
    let location = stored.return_to(&journey.client).error(auth, &LOST).await?.location;
    Ok(Some(ApplicationLink { location, client }))
}

/// Ends a journey with an error for the client: the consent, the request and the journey in one transaction.
///
/// # Errors
/// [`JourneyError`]
pub(super) async fn with_error(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
    error: OAuthError,
    consent: ConsentAfterEnd,
) -> Result<Redirect, JourneyError> {
    let remembered = StoredRequest::from(interaction)?;
    let (request_use, context) = (remembered.request_use(), auth.context.clone());
    let ended = interaction.clone();
    let answered = auth.context.store.write(move |tx| {
        // The consent is locked first; then the journey must not have been replaced by another meanwhile.
        tx.consent_for_update(&ended.client, &ended.consent)?;
        let running = tx.journey_for_update(&ended.id)?;
        if running.is_none_or(|interaction| interaction.stage == JourneyStage::Finished) {
            return Err(JourneyError::Unavailable(JourneyUnavailable::Ended));
        }
        match consent {
            ConsentAfterEnd::Rejected(reason) => {
                Ok(approval::reject_request_in(tx, &ended.client, &ended.consent, &request_use, reason, &context)?)
            }
            ConsentAfterEnd::Kept => {
                tx.journeys_finish_of_consent(&ended.consent, None)?;
                Ok(request_use.spend(tx, &ended.client, &context)?)
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

/// Passes a step's result on. If it failed on our side, its consent is noted to await authorisation for a reason that is not
/// known. The note is best effort, and not tried when storage is what is unavailable. Source: ERR-002.
pub(super) async fn note_failure<T>(
    auth: &AuthorisationServer,
    id: &JourneyId,
    result: Result<T, JourneyError>,
) -> Result<T, JourneyError> {
    let is_noted = matches!(&result, Err(JourneyError::Failed(error))
        if !is_storage_unavailable(error) && !is_unregistered_return(error));
    if is_noted {
        let id = id.clone();
        let found = auth.context.store.read::<_, StoreError, _>(move |tx| tx.journey_for_update(&id)).await;
        match found {
            Ok(Some(AuthorisationJourney { client, consent, .. })) => note_unknown_reason(auth, client, consent).await,
            Ok(None) => {}
            Err(error) => warn_not_noted(&error),
        }
    }
    result
}

/// Notes that the authorisation of a consent failed on our side. Best effort: if the note fails, that is only logged, so that
/// the first error is the one that is reported. Source: ERR-002.
pub(in crate::authorisation) async fn note_unknown_reason(
    auth: &AuthorisationServer,
    client: ClientId,
    consent: ConsentId,
) {
    let reason = ConsentStatusReason::NotKnown;
    let noted: Result<(), StoreError> =
        auth.context.store.write(move |tx| note_status_reason_in(tx, &client, &consent, reason)).await;
    if let Err(error) = noted {
        warn_not_noted(&error);
    }
}

fn warn_not_noted(error: &StoreError) {
    tracing::warn!(error = error as &dyn Error, "a failed step was not noted with its consent");
}

/// Whether an error is that our own storage is unavailable, so that nothing can be noted either. Storage beneath the bank's
/// core or the identity provider may be another one and is not meant.
pub(in crate::authorisation) fn is_storage_unavailable(error: &OAuthError) -> bool {
    std::iter::successors(error.source(), |&cause| cause.source())
        .take_while(|cause| !cause.is::<BankError>() && !cause.is::<IdentityError>())
        .any(|cause| matches!(cause.downcast_ref::<StoreError>(), Some(StoreError::Unavailable(_))))
}
