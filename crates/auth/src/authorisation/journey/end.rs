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

/// The effect of the journey's end on the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::authorisation) enum ConsentAfterEnd {
    /// The consent is rejected, unless it was authorised before; with a status reason, if there is one beside the PSU's refusal. Source:
    /// AS-089.
    Rejected(Option<ConsentStatusReason>),
    /// The consent is not changed, because the PSU did not decide on it.
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
    /// The journey that the form cancels, by [`cancel_journey`].
    pub id: JourneyId,
    /// The form token for the page's form.
    pub form_token: String,
    /// The verified redirect URI of the request, to which the form leads. Source: AS-140.
    pub redirect_uri: String,
    /// The client that made the request.
    pub client: Client,
}

/// Finds the form, if this browser began the journey, the request has not been answered, and the client is active and still has the
/// redirect URI.
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
    /// The client that made the request.
    pub client: Client,
}

/// Finds the link to the application, while the journey's request has not been answered and its client is active. Whoever follows it begins
/// again at the application. The journey does not change, because the browser has not proved that it began it.
///
/// # Errors
/// Storage's failure, or a failure to sign the response.
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
    // There is no link to a redirect URI that has been removed.
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
                let psu = ended.psu.as_ref();
                Ok(approval::reject_request_in(tx, &ended.client, &ended.consent, &request_use, psu, reason, &context)?)
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

/// Returns the result of a step. If the server failed, the consent gets the status reason that it awaits authorisation for an unknown
/// reason. Storing the reason is best effort and is not attempted when storage itself is unavailable. Source: ERR-002.
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

/// Stores with a consent that its authorisation failed in the server. A failure to store this is only logged, so that the first error is
/// reported. Source: ERR-002.
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

/// Whether an error means that the server's own storage is unavailable, so that no reason can be stored either. The storage of the bank's
/// core or of the identity provider does not count.
pub(in crate::authorisation) fn is_storage_unavailable(error: &OAuthError) -> bool {
    std::iter::successors(error.source(), |&cause| cause.source())
        .take_while(|cause| !cause.is::<BankError>() && !cause.is::<IdentityError>())
        .any(|cause| matches!(cause.downcast_ref::<StoreError>(), Some(StoreError::Unavailable(_))))
}
