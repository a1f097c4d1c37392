//! Login to a session with name, password and one-time code, and logout.

use super::attempt::{LoginNotice, LoginStep, after, count, not_checked, renew, uncount, wrong};
use super::{IDLE, LoggedOut, NO_SESSION, SessionError, SubmittedPage, admit, provider, spend_at};
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::JourneyId;
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::identity::{AuthenticationPurpose, LoginMethod};

/// Handles the PSU's name and password, or sends the browser to the bank's identity provider where customers log in there. `to` is the path
/// of the page to show after the login. An earlier session of the browser ends.
///
/// # Errors
/// [`SessionError`]
pub async fn submit_session_login(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    name: &str,
    password: &str,
    to: &str,
) -> Result<LoginStep, SessionError> {
    if !submission.holds_salted(&NO_SESSION) {
        return Err(SessionError::Stale);
    }
    let pages = match auth.identity.login_method() {
        LoginMethod::Pages(pages) => pages,
        LoginMethod::Redirect(login) => return provider::start(auth, login, submission, to).await,
    };
    let counted = count(auth, auth.login_attempt(name, submission)).await?;
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
            renew(auth, &submission.browser, Some(counted), None, session).await.map(LoginStep::NextPage)
        }
        Ok(None) => Ok(LoginStep::SamePage(wrong(LoginNotice::WrongPassword))),
        Err(error) => Err(not_checked(auth, counted, error).await),
    }
}

/// Handles the PSU's one-time code, which opens the session.
///
/// # Errors
/// [`SessionError`]
pub async fn submit_session_code(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    code: &str,
) -> Result<LoginStep, SessionError> {
    let LoginMethod::Pages(pages) = auth.identity.login_method() else { return Err(SessionError::Stale) };
    let (looked, now) = (submission.clone(), auth.context.clocks.wall_now());
    let asked = auth.context.store.read(move |tx| admit(tx, &looked, SessionStage::SecondFactor, now)).await?;
    let counted = count(auth, auth.login_attempt(asked.psu.as_str(), submission)).await?;
    let halfway = match spend_at(auth, submission, SessionStage::SecondFactor).await {
        Ok(session) => session,
        Err(error) => {
            uncount(auth, counted).await?;
            return Err(error);
        }
    };
    match pages.check_code(&halfway.psu, &halfway.login, &AuthenticationPurpose::Login, code).await {
        Ok(Some(_)) => {
            let length = SignedDuration::from_secs(auth.settings.session_secs);
            let devices = auth.remember_device(halfway.psu.as_str(), submission);
            let session = |new: &BrowserSecret, now: Timestamp| {
                Ok(Session {
                    browser: new.digest(),
                    stage: SessionStage::Open,
                    idle_at: after(now, IDLE)?,
                    ends_at: after(now, length)?,
                    ..halfway
                })
            };
            let browser = renew(auth, &submission.browser, Some(counted), Some(asked), session).await?;
            Ok(LoginStep::Authenticated(browser, devices))
        }
        Ok(None) => Ok(LoginStep::SamePage(wrong(LoginNotice::WrongCode))),
        Err(error) => Err(not_checked(auth, counted, error).await),
    }
}

/// Ends the PSU's session. It is not an error if the session has already ended.
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
