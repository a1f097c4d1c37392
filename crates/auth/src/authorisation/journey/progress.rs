//! Shared code of the login steps: who may decide, and how a journey advances or fails.

use super::admission::{JourneyError, client_and_consent, find_live_journey, idle_end, renew_form_token};
use super::step::{JourneyNotice, JourneyStep};
use super::stored_request::StoredRequest;
use super::{FAILURES_MAX, end};
use crate::AuthorisationServer;
use crate::authorisation::{approval, rules};
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::submission::answer_repeated_until;
use crate::throttle::LoginAttempt;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentRequest, NotAuthorisable};
use lombard_domain::grant::{AuthorisationJourney, Digest};
use lombard_domain::ids::PsuId;
use lombard_service::funds;
use lombard_service::payments::consents as payments;
use lombard_service::payments::consents::NoPayerAccount;

/// Finds the client and the consent of a journey.
pub(super) async fn look_up(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
) -> Result<(Client, Consent), JourneyError> {
    let interaction = interaction.clone();
    auth.context.store.read(move |tx| client_and_consent(tx, &interaction)).await
}

/// Why this PSU may not decide, and what happens to the consent; `None` if the PSU may decide. The client may expect another PSU, another
/// PSU may have authorised the consent, the payment may be too late, the PSU may have no account from which it can be made, or the account
/// of a funds confirmation may not be the PSU's.
///
/// Source: AS-068, AS-131, PIS-033, PIS-037, PIS-111, CBP-009.
pub(in crate::authorisation) async fn cannot_decide(
    auth: &AuthorisationServer,
    expected: Option<&PsuId>,
    psu: &PsuId,
    consent: &Consent,
) -> Result<Option<(OAuthError, end::ConsentAfterEnd)>, JourneyError> {
    if expected.is_some_and(|expected| expected != psu) {
        return Ok(Some((rules::another_customer_error(), end::ConsentAfterEnd::Kept)));
    }
    if consent.psu.as_ref().is_some_and(|owner| owner != psu) {
        return Ok(Some((rules::bar_to_error(NotAuthorisable::OtherPsu), end::ConsentAfterEnd::Kept)));
    }
    let payment = match &consent.request {
        ConsentRequest::AccountAccess(_) => return Ok(None),
        ConsentRequest::FundsConfirmation(named) => {
            let theirs = funds::find_funds_account(&auth.context, psu, named).await.map_err(OAuthError::from)?;
            return Ok(theirs.is_none().then(|| (approval::denied(), end::ConsentAfterEnd::Rejected(None))));
        }
        ConsentRequest::Payment(payment) => payment,
    };
    let clocks = auth.context.clocks.clone();
    let now = auth.context.store.read(move |tx| clocks.read_bank_time(tx)).await?;
    if consent.check_authorisable(now) == Err(NotAuthorisable::AfterCutOff) {
        let rejected = end::ConsentAfterEnd::Rejected(consent.passed_deadline(now));
        return Ok(Some((rules::bar_to_error(NotAuthorisable::AfterCutOff), rejected)));
    }
    match payments::list_payer_options(&auth.context, psu, payment).await.map_err(OAuthError::from)? {
        // The decision page tells a PSU that no account is eligible; the PSU can refuse there.
        Ok(_) | Err(NoPayerAccount::NoneEligible) => Ok(None),
        Err(none) => {
            let rejected = end::ConsentAfterEnd::Rejected(none.status_reason());
            Ok(Some((rules::no_payer_to_error(none), rejected)))
        }
    }
}

/// Advances the journey and gives the browser a new secret. The old secret can then only show the submitted page again, if a page with this
/// form token was submitted. The successful attempt is removed from the count.
pub(super) async fn advance(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
    counted: Option<(LoginAttempt, Timestamp)>,
    (browser, submitted): (&BrowserSecret, Option<Digest>),
    change: impl Fn(&mut AuthorisationJourney) + Send + 'static,
) -> Result<BrowserSecret, JourneyError> {
    let renewed = BrowserSecret::fresh(&auth.context.ids);
    let next_token = lombard_jose::sha256(&auth.context.ids.random_secret());
    let (id, from) = (interaction.id.clone(), interaction.stage);
    let (now, idle_end) = (auth.context.clocks.wall_now(), idle_end(auth)?);
    let (old, new) = (browser.clone(), renewed.clone());
    let repeated_until = answer_repeated_until(now);
    let moved = auth.context.store.write(move |tx| {
        let mut interaction = find_live_journey(tx, &id, &old, now)?;
        if interaction.stage != from {
            return Err(JourneyError::Stale);
        }
        if let Some(form_token) = submitted {
            let mut stored = StoredRequest::from(&interaction)?;
            stored.note_submitted((old.digest(), form_token, from), repeated_until);
            interaction.request = stored.to_json()?;
        }
        change(&mut interaction);
        interaction.failures = 0;
        interaction.browser = new.digest();
        renew_form_token(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        if let Some((guess, at)) = &counted {
            guess.uncount_in(tx, *at)?;
        }
        Ok::<_, JourneyError>(())
    });
    moved.await?;
    Ok(renewed)
}

/// Handles a failed attempt; the last permitted attempt of a stage ends the journey. Source: AS-089, AS-143.
pub(super) async fn failed(
    auth: &AuthorisationServer,
    attempt: &AuthorisationJourney,
    notice: JourneyNotice,
) -> Result<JourneyStep, JourneyError> {
    tracing::info!(
        security.refusal = "customer-authentication",
        client.id = attempt.client.as_str(),
        consent.id = attempt.consent.as_str(),
        ?notice,
        "failed authentication"
    );
    metrics::counter!("lombard_authentication_failures_total").increment(1);
    if attempt.failures < FAILURES_MAX {
        return Ok(JourneyStep::SamePage(notice));
    }
    let denied = approval::denied();
    Ok(JourneyStep::Redirect(end::with_error(auth, attempt, denied, end::ConsentAfterEnd::Rejected(None)).await?))
}
