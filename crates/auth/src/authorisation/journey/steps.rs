//! The steps to a known PSU: name and password, then the one-time code.

use super::admission::{
    JourneyError, JourneySubmission, JourneyUnavailable, admit, alive, client_and_consent, idle_end, renew_form_token,
};
use super::browser::BrowserSecret;
use super::step::{JourneyNotice, JourneyStep};
use super::stored_request::StoredRequest;
use super::view::purpose;
use super::{FAILURES_MAX, end};
use crate::AuthorisationServer;
use crate::authorisation::headless::another_customer;
use crate::authorisation::{approval, rules};
use crate::error::OAuthError;
use crate::throttle::LoginAttempt;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentRequest, NotAuthorisable};
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::PsuId;
use lombard_service::funds;
use lombard_service::payments::consents as payments;
use lombard_service::payments::consents::NoPayerAccount;

/// The PSU gives name and password.
///
/// # Errors
/// [`JourneyError`]
pub async fn submit_login(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    name: &str,
    password: &str,
) -> Result<JourneyStep, JourneyError> {
    let step = check_login(auth, submission, name, password).await;
    end::note_failure(auth, &submission.id, step).await
}

async fn check_login(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    name: &str,
    password: &str,
) -> Result<JourneyStep, JourneyError> {
    let attempt = attempt(auth, submission, JourneyStage::Login, |_| name.to_owned()).await?;
    match auth.identity.check_password(name, password).await {
        Ok(Some(person)) => {
            let identified = move |interaction: &mut AuthorisationJourney| {
                interaction.stage = JourneyStage::SecondFactor;
                interaction.psu = Some(person.psu.clone());
            };
            advance(auth, &attempt, &submission.page.browser, identified).await.map(JourneyStep::NextPage)
        }
        Ok(None) => failed(auth, &attempt, JourneyNotice::WrongPassword).await,
        Err(error) => Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    }
}

/// The PSU gives the one-time code. Whoever proves to be somebody other than expected, or could not agree whatever they
/// chose, is not asked to decide.
///
/// # Errors
/// [`JourneyError`]
pub async fn submit_second_factor(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    code: &str,
) -> Result<JourneyStep, JourneyError> {
    let step = check_second_factor(auth, submission, code).await;
    end::note_failure(auth, &submission.id, step).await
}

async fn check_second_factor(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    code: &str,
) -> Result<JourneyStep, JourneyError> {
    let user = |interaction: &AuthorisationJourney| interaction.psu.as_ref().map_or("", PsuId::as_str).to_owned();
    let attempt = attempt(auth, submission, JourneyStage::SecondFactor, user).await?;
    let psu = attempt.interaction.psu.clone().ok_or(JourneyError::Unavailable(JourneyUnavailable::Unknown))?;
    let (client, consent) = look_up(auth, &attempt.interaction).await?;
    match auth.identity.check_code(&psu, &attempt.interaction.id, &purpose(&consent), code).await {
        Ok(true) => {}
        Ok(false) => return failed(auth, &attempt, JourneyNotice::WrongCode).await,
        Err(error) => return Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    }
    let asking = auth.about(&client, &consent, Some(&psu));
    if let Some((error, what)) = cannot_decide(&asking, &attempt.interaction, &psu, &consent).await? {
        let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
        auth.context.store.write(move |tx| Ok::<_, JourneyError>(guess.forgive_in(tx, counted_at)?)).await?;
        return Ok(JourneyStep::Redirect(end::with_error(auth, &attempt.interaction, error, what).await?));
    }
    let now = auth.context.clocks.wall_now();
    let authenticated = move |interaction: &mut AuthorisationJourney| {
        interaction.stage = JourneyStage::Decision;
        interaction.auth_time = Some(now);
    };
    let browser = advance(auth, &attempt, &submission.page.browser, authenticated).await?;
    Ok(JourneyStep::Authenticated(browser, submission.page.remember_device(auth, psu.as_str())))
}

async fn look_up(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
) -> Result<(Client, Consent), JourneyError> {
    let interaction = interaction.clone();
    auth.context.store.read(move |tx| client_and_consent(tx, &interaction)).await
}

/// Why this PSU may not decide, if so, and what becomes of the consent: the client expects another, it is another's
/// already, the payment is too late, they have nothing it can be made from as the TPP wants it, or the account that it wants to
/// ask about is not theirs.
///
/// Source: AS-068, AS-131, PIS-033, PIS-037, PIS-111, CBP-009.
async fn cannot_decide(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
    psu: &PsuId,
    consent: &Consent,
) -> Result<Option<(OAuthError, end::ConsentAfterEnd)>, JourneyError> {
    if StoredRequest::from(interaction)?.expected.is_some_and(|expected| expected != *psu) {
        return Ok(Some((another_customer(), end::ConsentAfterEnd::Kept)));
    }
    if consent.psu.as_ref().is_some_and(|owner| owner != psu) {
        return Ok(Some((rules::bar_to_error(NotAuthorisable::OtherPsu), end::ConsentAfterEnd::Kept)));
    }
    let payment = match &consent.terms {
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
        // A PSU without any eligible account sees that on the decision page, and can refuse there.
        Ok(_) | Err(NoPayerAccount::NoneEligible) => Ok(None),
        Err(none) => {
            let rejected = end::ConsentAfterEnd::Rejected(none.status_reason());
            Ok(Some((rules::no_payer_to_error(none), rejected)))
        }
    }
}

/// A login attempt that is already counted.
struct CountedJourneyAttempt {
    interaction: AuthorisationJourney,
    guess: LoginAttempt,
    counted_at: Timestamp,
}

/// Spends the page and counts the attempt before it is judged, so that guesses made at once count each. When there were
/// too many, nothing changes and the page stays good.
async fn attempt(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    stage: JourneyStage,
    user: impl Fn(&AuthorisationJourney) -> String,
) -> Result<CountedJourneyAttempt, JourneyError> {
    let (submission, now, idle_end) = (submission.clone(), auth.context.clocks.wall_now(), idle_end(auth)?);
    let seen = submission.clone();
    let shown = auth.context.store.read(move |tx| admit(tx, &seen, &[stage], now)).await?;
    let guess = LoginAttempt::new(auth, &user(&shown), &submission.page);
    let next_token = lombard_jose::sha256(&auth.context.ids.random_secret());
    let counting = guess.clone();
    let counted = auth.context.store.write(move |tx| {
        let mut interaction = admit(tx, &submission, &[stage], now)?;
        counting.count_in(tx, now)?.map_err(JourneyError::Throttled)?;
        interaction.failures = interaction.failures.saturating_add(1);
        renew_form_token(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        Ok::<_, JourneyError>(interaction)
    });
    match counted.await {
        Ok(interaction) => Ok(CountedJourneyAttempt { interaction, guess, counted_at: now }),
        Err(error) => {
            if matches!(error, JourneyError::Throttled(_)) {
                noted(&shown);
            }
            Err(error)
        }
    }
}

fn noted(interaction: &AuthorisationJourney) {
    let client = interaction.client.as_str();
    tracing::info!(security.refusal = "throttled", client.id = client, "authentication throttled");
    metrics::counter!("lombard_authentication_throttled_total").increment(1);
}

/// Moves the journey on, with a new secret for the browser: what somebody saw of the old one is worth nothing now.
async fn advance(
    auth: &AuthorisationServer,
    attempt: &CountedJourneyAttempt,
    browser: &BrowserSecret,
    change: impl Fn(&mut AuthorisationJourney) + Send + 'static,
) -> Result<BrowserSecret, JourneyError> {
    let renewed = BrowserSecret::fresh(&auth.context.ids);
    let next_token = lombard_jose::sha256(&auth.context.ids.random_secret());
    let (id, from) = (attempt.interaction.id.clone(), attempt.interaction.stage);
    let (now, idle_end) = (auth.context.clocks.wall_now(), idle_end(auth)?);
    let (old, new) = (browser.clone(), renewed.clone());
    let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
    let moved = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &id, &old, now)?;
        if interaction.stage != from {
            return Err(JourneyError::Stale);
        }
        change(&mut interaction);
        interaction.failures = 0;
        interaction.browser = new.digest();
        renew_form_token(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        guess.forgive_in(tx, counted_at)?;
        Ok::<_, JourneyError>(())
    });
    moved.await?;
    Ok(renewed)
}

/// The attempt was wrong; the last one of a stage ends the journey. Source: AS-089, AS-143.
async fn failed(
    auth: &AuthorisationServer,
    attempt: &CountedJourneyAttempt,
    notice: JourneyNotice,
) -> Result<JourneyStep, JourneyError> {
    let attempt = &attempt.interaction;
    let consent = attempt.consent.as_str();
    tracing::info!(client.id = attempt.client.as_str(), consent.id = consent, ?notice, "failed authentication");
    metrics::counter!("lombard_authentication_failures_total").increment(1);
    if attempt.failures < FAILURES_MAX {
        return Ok(JourneyStep::SamePage(notice));
    }
    let denied = approval::denied();
    Ok(JourneyStep::Redirect(end::with_error(auth, attempt, denied, end::ConsentAfterEnd::Rejected(None)).await?))
}

/// The attempt could not be checked: removes it from the count.
async fn not_counted(
    auth: &AuthorisationServer,
    attempt: &CountedJourneyAttempt,
    browser: &BrowserSecret,
    cause: lombard_ports::identity::IdentityError,
) -> JourneyError {
    let (id, browser, now) = (attempt.interaction.id.clone(), browser.clone(), auth.context.clocks.wall_now());
    let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
    let taken_off = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &id, &browser, now)?;
        interaction.failures = interaction.failures.saturating_sub(1);
        tx.journey_update(&interaction)?;
        guess.forgive_in(tx, counted_at)?;
        Ok::<_, JourneyError>(())
    });
    match taken_off.await {
        Ok(()) => JourneyError::Failed(OAuthError::unavailable(cause)),
        Err(error) => error,
    }
}
