//! Login to a session with name, password and one-time code, and logout.

use super::{IDLE, LoggedOut, NO_SESSION, SessionError, SubmittedPage, admit, spend_at};
use crate::AuthorisationServer;
use crate::authorisation::journey::BrowserSecret;
use crate::devices::DeviceCookie;
use crate::error::OAuthError;
use crate::throttle::LoginAttempt;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::JourneyId;
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::identity::{AuthenticationPurpose, IdentityError, LoginMethod};

/// What a step led to.
#[derive(Debug)]
pub enum LoginStep {
    /// On to the next page, with a new secret for the browser. Source: AS-143.
    NextPage(BrowserSecret),
    /// The same after both factors were right, with what the browser keeps of it.
    Authenticated(BrowserSecret, DeviceCookie),
    /// The page is shown again with this notice.
    SamePage(LoginNotice),
}

/// Why a page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginNotice {
    /// Name and password do not belong together. The same for an unknown name. Source: AS-143.
    WrongPassword,
    /// The one-time code is not the one asked for.
    WrongCode,
}

/// The PSU gives name and password. Whatever session the browser had is over.
///
/// # Errors
/// [`SessionError`]
pub async fn submit_session_login(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    name: &str,
    password: &str,
) -> Result<LoginStep, SessionError> {
    if !submission.holds(&NO_SESSION) {
        return Err(SessionError::Stale);
    }
    let counted = count(auth, LoginAttempt::new(auth, name, submission)).await?;
    let LoginMethod::Pages(pages) = auth.identity.login_method();
    match pages.check_password(name, password).await {
        Ok(Some(person)) => {
            let session = |new: &BrowserSecret, now: Timestamp| {
                Ok(Session {
                    browser: new.digest(),
                    login: JourneyId::new(lombard_jose::base64url(&auth.context.ids.random_secret())),
                    psu: person.psu,
                    psu_name: Some(person.name),
                    stage: SessionStage::SecondFactor,
                    form_token: lombard_jose::sha256(&auth.context.ids.random_secret()),
                    idle_at: after(now, IDLE)?,
                    ends_at: after(now, IDLE)?,
                })
            };
            renew(auth, submission, counted, session).await.map(LoginStep::NextPage)
        }
        Ok(None) => Ok(LoginStep::SamePage(wrong(LoginNotice::WrongPassword))),
        Err(error) => Err(not_judged(auth, counted, error).await),
    }
}

/// The PSU gives the one-time code. From here the session is open, until it idles or its end.
///
/// # Errors
/// [`SessionError`]
pub async fn submit_session_code(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    code: &str,
) -> Result<LoginStep, SessionError> {
    let (looked, now) = (submission.clone(), auth.context.clocks.wall_now());
    let asked = auth.context.store.read(move |tx| admit(tx, &looked, SessionStage::SecondFactor, now)).await?;
    let counted = count(auth, LoginAttempt::new(auth, asked.psu.as_str(), submission)).await?;
    let halfway = match spend_at(auth, submission, SessionStage::SecondFactor).await {
        Ok(session) => session,
        Err(error) => {
            forgive(auth, counted).await?;
            return Err(error);
        }
    };
    let LoginMethod::Pages(pages) = auth.identity.login_method();
    match pages.check_code(&halfway.psu, &halfway.login, &AuthenticationPurpose::Login, code).await {
        Ok(Some(_)) => {
            let length = SignedDuration::from_secs(auth.settings.session_secs);
            let devices = submission.remember_device(auth, halfway.psu.as_str());
            let session = |new: &BrowserSecret, now: Timestamp| {
                Ok(Session {
                    browser: new.digest(),
                    stage: SessionStage::Open,
                    idle_at: after(now, IDLE)?,
                    ends_at: after(now, length)?,
                    ..halfway
                })
            };
            let browser = renew(auth, submission, counted, session).await?;
            Ok(LoginStep::Authenticated(browser, devices))
        }
        Ok(None) => Ok(LoginStep::SamePage(wrong(LoginNotice::WrongCode))),
        Err(error) => Err(not_judged(auth, counted, error).await),
    }
}

/// The PSU leaves. Harmless if the session is over.
///
/// # Errors
/// [`SessionError::Stale`] for a form that is not of this session, [`SessionError::Failed`].
pub async fn log_out(auth: &AuthorisationServer, submission: &SubmittedPage) -> Result<(), SessionError> {
    let (submission, now) = (submission.clone(), auth.context.clocks.wall_now());
    let ended = auth.context.store.write(move |tx| match admit(tx, &submission, SessionStage::Open, now) {
        Ok(session) => Ok(tx.session_remove(&session.browser)?),
        Err(SessionError::Unavailable(LoggedOut)) => Ok(()),
        Err(error) => Err(error),
    });
    ended.await
}

/// An attempt that counts already.
pub(super) struct CountedLoginAttempt {
    guess: LoginAttempt,
    at: Timestamp,
}

pub(super) async fn count(
    auth: &AuthorisationServer,
    guess: LoginAttempt,
) -> Result<CountedLoginAttempt, SessionError> {
    let (counting, at) = (guess.clone(), auth.context.clocks.wall_now());
    let counted = auth.context.store.write(move |tx| counting.count_in(tx, at)?.map_err(SessionError::Throttled)).await;
    if matches!(counted, Err(SessionError::Throttled(_))) {
        tracing::info!(security.refusal = "throttled", "login throttled");
        metrics::counter!("lombard_authentication_throttled_total").increment(1);
    }
    counted.map(|()| CountedLoginAttempt { guess, at })
}

pub(super) async fn forgive(auth: &AuthorisationServer, counted: CountedLoginAttempt) -> Result<(), SessionError> {
    let CountedLoginAttempt { guess, at } = counted;
    auth.context.store.write(move |tx| Ok(guess.forgive_in(tx, at)?)).await
}

/// Puts a session under a new secret in the place of whatever the browser had, and takes the attempt off.
async fn renew(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    counted: CountedLoginAttempt,
    session: impl FnOnce(&BrowserSecret, Timestamp) -> Result<Session, OAuthError>,
) -> Result<BrowserSecret, SessionError> {
    let renewed = BrowserSecret::fresh(&auth.context.ids);
    let session = session(&renewed, auth.context.clocks.wall_now())?;
    let (old, CountedLoginAttempt { guess, at }) = (submission.browser.digest(), counted);
    let stored = auth.context.store.write(move |tx| {
        tx.session_remove(&old)?;
        tx.session_insert(&session)?;
        guess.forgive_in(tx, at)?;
        Ok::<_, SessionError>(())
    });
    stored.await?;
    Ok(renewed)
}

pub(super) fn wrong(notice: LoginNotice) -> LoginNotice {
    tracing::info!(?notice, "failed authentication");
    metrics::counter!("lombard_authentication_failures_total").increment(1);
    notice
}

pub(super) async fn not_judged(
    auth: &AuthorisationServer,
    counted: CountedLoginAttempt,
    cause: IdentityError,
) -> SessionError {
    match forgive(auth, counted).await {
        Ok(()) => SessionError::Failed(OAuthError::unavailable(cause)),
        Err(error) => error,
    }
}

fn after(now: Timestamp, length: SignedDuration) -> Result<Timestamp, OAuthError> {
    now.saturating_add(length).map_err(OAuthError::server_error)
}
