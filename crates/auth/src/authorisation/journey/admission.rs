//! Access to a journey: only for the browser that began it, before it expires, and with the form token of the page shown last.

use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::submission::{self, SubmittedPage};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::grant::{AuthorisationJourney, Digest, JourneyStage};
use lombard_domain::ids::JourneyId;
use lombard_ports::store::{ClientStore, JourneyStore, Owned, ServerTransaction};

/// Why a journey is not available to this page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JourneyUnavailable {
    /// This browser has no journey with this id.
    Unknown,
    /// The journey expired because it was idle. Source: AS-090, AS-144.
    Expired,
    /// The journey ended: it was decided or replaced by another journey of the same consent, or its consent was deleted, or its client was
    /// disabled or deleted.
    Ended,
}

/// Why a submission was rejected.
pub type JourneyError = submission::SubmissionError<JourneyUnavailable>;

/// A submitted page of a journey.
#[derive(Debug, Clone)]
pub struct JourneySubmission {
    /// The journey that the page belongs to.
    pub id: JourneyId,
    /// The submitted page.
    pub page: SubmittedPage,
}

/// When a journey that was active now expires for idleness.
pub(super) fn idle_end(auth: &AuthorisationServer) -> Result<Timestamp, OAuthError> {
    let idle = SignedDuration::from_secs(auth.settings.journey_idle_secs);
    auth.context.clocks.wall_now().saturating_add(idle).map_err(OAuthError::server_error)
}

/// Finds the journey with this id, if it belongs to this browser and is alive. A writing transaction locks it.
pub(super) fn find_live_journey<S: ClientStore + JourneyStore + ?Sized>(
    store: &mut S,
    id: &JourneyId,
    browser: &BrowserSecret,
    now: Timestamp,
) -> Result<AuthorisationJourney, JourneyError> {
    let found = find_owned_journey(store, id, browser)?;
    if found.stage == JourneyStage::Finished {
        return Err(JourneyError::Unavailable(JourneyUnavailable::Ended));
    }
    if found.expires_at <= now {
        return Err(JourneyError::Unavailable(JourneyUnavailable::Expired));
    }
    Ok(found)
}

/// As [`find_live_journey`]. A browser that has just submitted a page and did not receive the next secret also finds its journey,
/// as it was before the submission, so that it can show and send that page again. Source: AS-144.
pub(super) fn find_live_or_submitted_journey<S: ClientStore + JourneyStore + ?Sized>(
    store: &mut S,
    id: &JourneyId,
    browser: &BrowserSecret,
    now: Timestamp,
) -> Result<AuthorisationJourney, JourneyError> {
    let unknown = JourneyError::Unavailable(JourneyUnavailable::Unknown);
    match find_live_journey(store, id, browser, now) {
        Err(JourneyError::Unavailable(JourneyUnavailable::Unknown)) => {}
        found => return found,
    }
    let moved = store.journey_for_update(id)?;
    let Some(mut moved) = moved.filter(|it| it.stage != JourneyStage::Finished && it.expires_at > now) else {
        return Err(unknown);
    };
    let submitted = StoredRequest::from(&moved)?.submitted_by(&browser.digest(), now);
    let (Some((form_token, stage)), true) = (submitted, store.client_may_act(&moved.client)?) else {
        return Err(unknown);
    };
    moved.form_token = form_token;
    moved.stage = stage;
    Ok(moved)
}

/// Finds the journey with this id, if it belongs to this browser, in any state. A journey whose client is not active has ended: the browser
/// is not redirected to the client either. Source: AS-113.
pub(super) fn find_owned_journey<S: ClientStore + JourneyStore + ?Sized>(
    store: &mut S,
    id: &JourneyId,
    browser: &BrowserSecret,
) -> Result<AuthorisationJourney, JourneyError> {
    // An absent journey and another browser's journey get the same error.
    let found = store.journey_for_update(id)?.filter(|interaction| browser.owns(interaction));
    let found = found.ok_or(JourneyError::Unavailable(JourneyUnavailable::Unknown))?;
    if store.client_may_act(&found.client)? {
        Ok(found)
    } else {
        Err(JourneyError::Unavailable(JourneyUnavailable::Ended))
    }
}

/// Finds the journey of a submitted page, if it is alive and at this stage, and the page has the form token shown last.
pub(super) fn admit<S: ClientStore + JourneyStore + ?Sized>(
    store: &mut S,
    submission: &JourneySubmission,
    stages: &[JourneyStage],
    now: Timestamp,
) -> Result<AuthorisationJourney, JourneyError> {
    let interaction = find_live_journey(store, &submission.id, &submission.page.browser, now)?;
    if !stages.contains(&interaction.stage) || !holds_token(submission, &interaction) {
        return Err(JourneyError::Stale);
    }
    Ok(interaction)
}

/// Whether the submission holds the form token of the page shown last.
pub(super) fn holds_token(submission: &JourneySubmission, interaction: &AuthorisationJourney) -> bool {
    submission.page.holds(&interaction.form_token)
}

/// Finds the journey that the PSU cancels: as [`admit`], but at any stage, and also after it expired.
pub(super) fn admit_to_leave<S: ClientStore + JourneyStore + ?Sized>(
    store: &mut S,
    submission: &JourneySubmission,
) -> Result<AuthorisationJourney, JourneyError> {
    let interaction = find_owned_journey(store, &submission.id, &submission.page.browser)?;
    if interaction.stage == JourneyStage::Finished {
        return Err(JourneyError::Unavailable(JourneyUnavailable::Ended));
    }
    if !holds_token(submission, &interaction) {
        return Err(JourneyError::Stale);
    }
    Ok(interaction)
}

/// The client and the consent of a journey, if both still exist.
pub(super) fn client_and_consent(
    tx: &mut dyn ServerTransaction,
    interaction: &AuthorisationJourney,
) -> Result<(Client, Consent), JourneyError> {
    let ended = JourneyError::Unavailable(JourneyUnavailable::Ended);
    match (tx.client(&interaction.client)?, tx.consent(&interaction.client, &interaction.consent)?) {
        (Some(client), Owned::Mine(consent)) => Ok((client, consent)),
        (Some(_) | None, _) => Err(ended),
    }
}

/// Replaces the form token, which invalidates the page shown last, and postpones the end for idleness.
pub(super) fn renew_form_token(interaction: &mut AuthorisationJourney, next_token: Digest, idle_end: Timestamp) {
    interaction.form_token = next_token;
    interaction.expires_at = idle_end;
}
