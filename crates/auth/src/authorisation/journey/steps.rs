//! The steps to a known PSU: name and password, then the one-time code.

use super::FAILURES_MAX;
use super::browser::Browser;
use super::end;
use super::gate::{Halt, JourneySubmission, Lost, admit, alive, idle_end, turn};
use super::remembered::StoredRequest;
use super::view::purpose;
use crate::AuthorisationServer;
use crate::authorisation::answer::Redirect;
use crate::authorisation::headless::another_customer;
use crate::authorisation::{rules, settle};
use crate::devices::DeviceCookie;
use crate::error::OAuthError;
use crate::throttle::LoginAttempt;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, NotAuthorisable, Terms};
use lombard_domain::grant::{Interaction, JourneyStage};
use lombard_domain::ids::PsuId;
use lombard_ports::store::Owned;
use lombard_service::funds;
use lombard_service::payments::consents::{self as payments, NoPayerAccount};

/// What a step led to.
#[derive(Debug)]
pub enum Step {
    /// On to the next page, with a new secret for the browser. Source: AS-143.
    Onward(Browser),
    /// The same after both factors were right, with what the browser keeps of it.
    Authenticated(Browser, DeviceCookie),
    /// The page is shown again with this notice.
    Again(Notice),
    /// The journey is over: the client is answered.
    Leave(Redirect),
}

/// Why a page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Name and password do not belong together. The same for an unknown name. Source: AS-143.
    WrongPassword,
    /// The one-time code is not the one asked for.
    WrongCode,
    /// No account was chosen, or more than one to pay from. Source: AIS-080, PIS-032.
    NoAccount,
    /// The choice is not among the accounts on offer (any more). Source: AS-133.
    OtherAccounts,
}

/// The PSU gives name and password.
///
/// # Errors
/// [`Halt`]
pub async fn login(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    name: &str,
    password: &str,
) -> Result<Step, Halt> {
    let attempt = attempt(auth, submission, JourneyStage::Login, |_| name.to_owned()).await?;
    match auth.identity.check_password(name, password).await {
        Ok(Some(person)) => {
            let identified = move |interaction: &mut Interaction| {
                interaction.stage = JourneyStage::SecondFactor;
                interaction.psu = Some(person.psu.clone());
            };
            advance(auth, &attempt, &submission.page.browser, identified).await.map(Step::Onward)
        }
        Ok(None) => failed(auth, &attempt, Notice::WrongPassword).await,
        Err(error) => Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    }
}

/// The PSU gives the one-time code. Whoever proves to be somebody other than expected, or could not agree whatever they
/// chose, is not asked to decide.
///
/// # Errors
/// [`Halt`]
pub async fn second_factor(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    code: &str,
) -> Result<Step, Halt> {
    let user = |interaction: &Interaction| interaction.psu.as_ref().map_or("", PsuId::as_str).to_owned();
    let attempt = attempt(auth, submission, JourneyStage::SecondFactor, user).await?;
    let psu = attempt.interaction.psu.clone().ok_or(Halt::Lost(Lost::Unknown))?;
    let consent = consent_of(auth, &attempt.interaction).await?;
    match auth.identity.check_code(&psu, &attempt.interaction.id, &purpose(&consent), code).await {
        Ok(true) => {}
        Ok(false) => return failed(auth, &attempt, Notice::WrongCode).await,
        Err(error) => return Err(not_counted(auth, &attempt, &submission.page.browser, error).await),
    }
    if let Some((error, what)) = cannot_decide(auth, &attempt.interaction, &psu, &consent).await? {
        let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
        auth.context.store.write(move |tx| Ok::<_, Halt>(guess.forgive_in(tx, counted_at)?)).await?;
        return Ok(Step::Leave(end::with_error(auth, &attempt.interaction, error, what).await?));
    }
    let now = auth.context.clocks.wall();
    let authenticated = move |interaction: &mut Interaction| {
        interaction.stage = JourneyStage::Decision;
        interaction.auth_time = Some(now);
    };
    let browser = advance(auth, &attempt, &submission.page.browser, authenticated).await?;
    Ok(Step::Authenticated(browser, auth.remember_device(&submission.page, psu.as_str())))
}

async fn consent_of(auth: &AuthorisationServer, interaction: &Interaction) -> Result<Consent, Halt> {
    let (client, consent) = (interaction.client.clone(), interaction.consent.clone());
    match auth.context.store.read(move |tx| Ok::<_, Halt>(tx.consent(&client, &consent)?)).await? {
        Owned::Mine(consent) => Ok(consent),
        Owned::Foreign | Owned::Absent => Err(Halt::Lost(Lost::Ended)),
    }
}

/// Why this PSU may not decide, if so, and what becomes of the consent: the client expects another, it is another's
/// already, the payment is too late, they have nothing it can be made from as the TPP wants it, or the account that it wants to
/// ask about is not theirs.
///
/// Source: AS-068, AS-131, PIS-033, PIS-037, PIS-111, CBP-009.
async fn cannot_decide(
    auth: &AuthorisationServer,
    interaction: &Interaction,
    psu: &PsuId,
    consent: &Consent,
) -> Result<Option<(OAuthError, end::Consent)>, Halt> {
    if StoredRequest::from(interaction)?.expected.is_some_and(|expected| expected != *psu) {
        return Ok(Some((another_customer(), end::Consent::Kept)));
    }
    if consent.psu.as_ref().is_some_and(|owner| owner != psu) {
        return Ok(Some((rules::bar_to_error(NotAuthorisable::OtherPsu), end::Consent::Kept)));
    }
    let payment = match &consent.terms {
        Terms::AccountAccess(_) => return Ok(None),
        Terms::FundsConfirmation(named) => {
            let theirs = funds::account(&auth.context, psu, named).await.map_err(OAuthError::from)?;
            return Ok(theirs.is_none().then(|| (settle::denied(), end::Consent::Rejected)));
        }
        Terms::Payment(payment) => payment,
    };
    let clocks = auth.context.clocks.clone();
    let now = auth.context.store.read(move |tx| clocks.read_bank_time(tx)).await?;
    if consent.may_be_authorised(now) == Err(NotAuthorisable::Late) {
        return Ok(Some((rules::bar_to_error(NotAuthorisable::Late), end::Consent::Rejected)));
    }
    match payments::offer(&auth.context, psu, payment).await.map_err(OAuthError::from)? {
        // Who has nothing at all is shown so, and may say no.
        Ok(_) | Err(NoPayerAccount::Nothing) => Ok(None),
        Err(none) => Ok(Some((rules::no_payer_to_error(none), end::Consent::Rejected))),
    }
}

/// An attempt that counts already.
struct Attempt {
    interaction: Interaction,
    guess: LoginAttempt,
    counted_at: Timestamp,
}

/// Spends the page and counts the attempt before it is judged, so that guesses made at once count each. When there were
/// too many, nothing changes and the page stays good.
async fn attempt(
    auth: &AuthorisationServer,
    submission: &JourneySubmission,
    stage: JourneyStage,
    user: impl Fn(&Interaction) -> String,
) -> Result<Attempt, Halt> {
    let (submission, now, idle_end) = (submission.clone(), auth.context.clocks.wall(), idle_end(auth)?);
    let seen = submission.clone();
    let shown = auth.context.store.read(move |tx| admit(tx, &seen, &[stage], now)).await?;
    let guess = LoginAttempt::new(auth, &user(&shown), &submission.page);
    let next_token = lombard_jose::sha256(&auth.context.ids.secret());
    let counting = guess.clone();
    let counted = auth.context.store.write(move |tx| {
        let mut interaction = admit(tx, &submission, &[stage], now)?;
        counting.count_in(tx, now)?.map_err(Halt::Throttled)?;
        interaction.failures = interaction.failures.saturating_add(1);
        turn(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        Ok::<_, Halt>(interaction)
    });
    match counted.await {
        Ok(interaction) => Ok(Attempt { interaction, guess, counted_at: now }),
        Err(halt) => {
            if matches!(halt, Halt::Throttled(_)) {
                noted(&shown);
            }
            Err(halt)
        }
    }
}

fn noted(interaction: &Interaction) {
    let client = interaction.client.as_str();
    tracing::info!(security.refusal = "throttled", client.id = client, "authentication throttled");
    metrics::counter!("lombard_authentication_throttled_total").increment(1);
}

/// Moves the journey on, with a new secret for the browser: what somebody saw of the old one is worth nothing now.
async fn advance(
    auth: &AuthorisationServer,
    attempt: &Attempt,
    browser: &Browser,
    change: impl Fn(&mut Interaction) + Send + 'static,
) -> Result<Browser, Halt> {
    let renewed = Browser::fresh(&auth.context.ids);
    let next_token = lombard_jose::sha256(&auth.context.ids.secret());
    let (id, from) = (attempt.interaction.id.clone(), attempt.interaction.stage);
    let (now, idle_end) = (auth.context.clocks.wall(), idle_end(auth)?);
    let (old, new) = (browser.clone(), renewed.clone());
    let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
    let moved = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &id, &old, now)?;
        if interaction.stage != from {
            return Err(Halt::Stale);
        }
        change(&mut interaction);
        interaction.failures = 0;
        interaction.browser = new.digest();
        turn(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        guess.forgive_in(tx, counted_at)?;
        Ok::<_, Halt>(())
    });
    moved.await?;
    Ok(renewed)
}

/// The attempt was wrong; the last one of a stage ends the journey. Source: AS-089, AS-143.
async fn failed(auth: &AuthorisationServer, attempt: &Attempt, notice: Notice) -> Result<Step, Halt> {
    let attempt = &attempt.interaction;
    let consent = attempt.consent.as_str();
    tracing::info!(client.id = attempt.client.as_str(), consent.id = consent, ?notice, "failed authentication");
    metrics::counter!("lombard_authentication_failures_total").increment(1);
    if attempt.failures < FAILURES_MAX {
        return Ok(Step::Again(notice));
    }
    let denied = settle::denied();
    Ok(Step::Leave(end::with_error(auth, attempt, denied, end::Consent::Rejected).await?))
}

/// The attempt could not be judged: takes it off the count again.
async fn not_counted(
    auth: &AuthorisationServer,
    attempt: &Attempt,
    browser: &Browser,
    cause: lombard_ports::identity::IdentityError,
) -> Halt {
    let (id, browser, now) = (attempt.interaction.id.clone(), browser.clone(), auth.context.clocks.wall());
    let (guess, counted_at) = (attempt.guess.clone(), attempt.counted_at);
    let taken_off = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &id, &browser, now)?;
        interaction.failures = interaction.failures.saturating_sub(1);
        tx.journey_update(&interaction)?;
        guess.forgive_in(tx, counted_at)?;
        Ok::<_, Halt>(())
    });
    match taken_off.await {
        Ok(()) => Halt::Failed(OAuthError::unavailable(cause)),
        Err(halt) => halt,
    }
}
