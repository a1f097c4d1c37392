//! The login steps on the server's own pages: name and password, then the one-time code.

use super::admission::{
    JourneyError, JourneySubmission, JourneyUnavailable, admit, find_live_journey, idle_end, renew_form_token,
};
use super::progress::{advance, cannot_decide, failed, look_up};
use super::step::{JourneyNotice, JourneyStep};
use super::stored_request::StoredRequest;
use super::{end, provider};
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::throttle::LoginAttempt;
use jiff::Timestamp;
use lombard_domain::grant::{AuthorisationJourney, Digest, JourneyStage};
use lombard_domain::ids::PsuId;
use lombard_ports::identity::{AuthenticationPurpose, IdentityError, LoginMethod};

/// Handles the PSU's name and password, or sends the browser to the bank's identity provider where customers log in there.
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
    let pages = match auth.identity.login_method() {
        LoginMethod::Pages(pages) => pages,
        LoginMethod::Redirect(login) => return provider::start(auth, login, submission).await,
    };
    let attempt = attempt(auth, submission, JourneyStage::Login, |_| name.to_owned()).await?;
    match pages.check_password(name, password).await {
        Ok(Some(person)) => {
            let identified = move |interaction: &mut AuthorisationJourney| {
                interaction.stage = JourneyStage::SecondFactor;
                interaction.psu = Some(person.psu.clone());
                interaction.psu_name = Some(person.name.clone());
            };
            let counted = Some((attempt.guess.clone(), attempt.counted_at));
            let left = (&submission.page.browser, Some(attempt.submitted));
            let moved = advance(auth, &attempt.interaction, counted, left, identified).await;
            moved.map(JourneyStep::NextPage)
        }
        Ok(None) => failed(auth, &attempt.interaction, JourneyNotice::WrongPassword).await,
        Err(error) => Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    }
}

/// Handles the PSU's one-time code. A PSU who is not the expected one, or who could not approve with any choice, is not asked to decide.
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
    // A journey reaches this stage only through the server's own pages.
    let LoginMethod::Pages(pages) = auth.identity.login_method() else { return Err(JourneyError::Stale) };
    let user = |interaction: &AuthorisationJourney| interaction.psu.as_ref().map_or("", PsuId::as_str).to_owned();
    let attempt = attempt(auth, submission, JourneyStage::SecondFactor, user).await?;
    let psu = attempt.interaction.psu.clone().ok_or(JourneyError::Unavailable(JourneyUnavailable::Unknown))?;
    let (client, consent) = look_up(auth, &attempt.interaction).await?;
    let purpose = AuthenticationPurpose::of_consent(&consent);
    let factors = match pages.check_code(&psu, &attempt.interaction.id, &purpose, code).await {
        Ok(Some(factors)) => factors,
        Ok(None) => return failed(auth, &attempt.interaction, JourneyNotice::WrongCode).await,
        Err(error) => return Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    };
    let asking = auth.about(&client, &consent, Some(&psu));
    let expected = StoredRequest::from(&attempt.interaction)?.expected;
    if let Some((error, what)) = cannot_decide(&asking, expected.as_ref(), &psu, &consent).await? {
        let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
        auth.context.store.write(move |tx| Ok::<_, JourneyError>(guess.uncount_in(tx, counted_at)?)).await?;
        return Ok(JourneyStep::Redirect(end::with_error(auth, &attempt.interaction, error, what).await?));
    }
    let now = auth.context.clocks.wall_now();
    let authenticated = move |interaction: &mut AuthorisationJourney| {
        interaction.stage = JourneyStage::Decision;
        interaction.auth_time = Some(now);
        interaction.factors.clone_from(&factors);
    };
    let counted = Some((attempt.guess.clone(), attempt.counted_at));
    let left = (&submission.page.browser, Some(attempt.submitted));
    let browser = advance(auth, &attempt.interaction, counted, left, authenticated).await?;
    Ok(JourneyStep::Authenticated(browser, auth.remember_device(psu.as_str(), &submission.page)))
}

/// A login attempt that is already counted.
struct CountedJourneyAttempt {
    interaction: AuthorisationJourney,
    /// The form token of the submitted page, which is used up.
    submitted: Digest,
    guess: LoginAttempt,
    counted_at: Timestamp,
}

/// Invalidates the page and counts the attempt before it is checked, so that concurrent guesses all count. After too many attempts nothing
/// changes and the page remains valid.
async fn attempt(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    stage: JourneyStage,
    user: impl Fn(&AuthorisationJourney) -> String,
) -> Result<CountedJourneyAttempt, JourneyError> {
    let (submission, now, idle_end) = (submission.clone(), auth.context.clocks.wall_now(), idle_end(auth)?);
    let seen = submission.clone();
    let shown = auth.context.store.read(move |tx| admit(tx, &seen, &[stage], now)).await?;
    let guess = auth.login_attempt(&user(&shown), &submission.page);
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
        Ok(interaction) => {
            Ok(CountedJourneyAttempt { interaction, submitted: shown.form_token, guess, counted_at: now })
        }
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

/// Removes an attempt that could not be checked from the count.
async fn not_counted(
    auth: &AuthorisationServer,
    attempt: &CountedJourneyAttempt,
    browser: &BrowserSecret,
    cause: IdentityError,
) -> JourneyError {
    let (id, browser, now) = (attempt.interaction.id.clone(), browser.clone(), auth.context.clocks.wall_now());
    let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
    let taken_off = auth.context.store.write(move |tx| {
        let mut interaction = find_live_journey(tx, &id, &browser, now)?;
        interaction.failures = interaction.failures.saturating_sub(1);
        tx.journey_update(&interaction)?;
        guess.uncount_in(tx, counted_at)?;
        Ok::<_, JourneyError>(())
    });
    match taken_off.await {
        Ok(()) => JourneyError::Failed(OAuthError::unavailable(cause)),
        Err(error) => error,
    }
}
