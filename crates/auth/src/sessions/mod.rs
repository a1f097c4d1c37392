//! The session of a PSU at the bank, outside any authorisation journey: it begins with two factors and ends by timeout
//! or logout.
//!
//! A session is found by the secret in its browser's cookie, which changes with every step of the login, so that nobody
//! can plant one (session fixation). Forms hold a token that is valid once. What a PSU does with a session is in
//! [`apps`] and [`payments`].

pub mod apps;
mod attempt;
mod login;
pub mod payments;
mod provider;
pub mod requests;

#[cfg(test)]
mod tests;

pub use attempt::{LoginNotice, LoginStep};
pub use login::{log_out, submit_session_code, submit_session_login};
pub use provider::finish_session_login;

use crate::AuthorisationServer;
use crate::authorisation::journey::LoginForm;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::submission::new_salt;
use crate::submission::{self, SubmittedPage};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::identity::{AuthenticationPurpose, Challenge, LoginMethod};
use lombard_ports::store::{SessionStore, StoreError};

/// How long a session lives without the PSU doing anything. Source: AS-144.
const IDLE: SignedDuration = SignedDuration::from_mins(10);

/// What a browser without a session makes its form token from; its secret alone makes it its own.
pub(crate) const NO_SESSION: Digest = Digest([0; 32]);

/// There is no live session in this browser: the PSU must log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedOut;

/// Why something was not done.
pub type SessionError = submission::SubmissionError<LoggedOut>;

/// Where a browser stands.
#[derive(Debug)]
pub enum SessionView {
    /// Nobody is logged in.
    Login {
        /// Goes into the page's form.
        form_token: String,
        /// How the login begins.
        form: LoginForm,
    },
    /// The one-time code is asked for.
    SecondFactor {
        /// Goes into the page's form.
        form_token: String,
        /// What was sent where.
        challenge: Challenge,
    },
    /// The PSU is logged in.
    Open(LoggedInPsu),
}

/// A PSU who is logged in.
#[derive(Debug)]
pub struct LoggedInPsu {
    /// Who.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
    /// Goes into the page's forms.
    pub form_token: String,
    /// Names this login to the identity provider.
    login: JourneyId,
}

/// A secret for a browser that has none.
pub fn new_browser_secret(auth: &AuthorisationServer) -> BrowserSecret {
    BrowserSecret::fresh(&auth.context.ids)
}

/// Where this browser stands. Seeing a page keeps an open session from going idle.
///
/// # Errors
/// [`SessionError::Failed`]
pub async fn view_session(auth: &AuthorisationServer, browser: &BrowserSecret) -> Result<SessionView, SessionError> {
    let (digest, now) = (browser.digest(), auth.context.clocks.wall_now());
    let idle_at = now.saturating_add(IDLE).map_err(OAuthError::server_error)?;
    let found = auth.context.store.write(move |tx| {
        let Some(mut session) = alive(tx, &digest, now)? else { return Ok::<_, SessionError>(None) };
        if session.stage == SessionStage::Open {
            session.idle_at = idle_at;
            tx.session_update(&session)?;
        }
        Ok(Some(session))
    });
    let Some(session) = found.await? else {
        let form = LoginForm::of(auth).await?;
        let form_token = browser.salted_token(&NO_SESSION, &new_salt(&auth.context.ids));
        return Ok(SessionView::Login { form_token, form });
    };
    let form_token = browser.token(&session.form_token);
    match session.stage {
        // Whoever has sent the code and did not hear of the answer is shown its page again.
        SessionStage::SecondFactor | SessionStage::Replaced => {
            // Only pages lead a session to this stage.
            let LoginMethod::Pages(pages) = auth.identity.login_method() else { return Err(SessionError::Stale) };
            let asked = pages.request_code(&session.psu, &session.login, &AuthenticationPurpose::Login);
            let challenge = asked.await.map_err(OAuthError::unavailable)?;
            Ok(SessionView::SecondFactor { form_token, challenge })
        }
        SessionStage::Open => {
            let name = session.psu_name.unwrap_or_default();
            Ok(SessionView::Open(LoggedInPsu { psu: session.psu, name, form_token, login: session.login }))
        }
    }
}

/// The PSU of an open session who submitted this page, which is spent with it.
///
/// # Errors
/// [`SessionError`]
pub async fn spend_form_token(auth: &AuthorisationServer, submission: &SubmittedPage) -> Result<PsuId, SessionError> {
    spend_at(auth, submission, SessionStage::Open).await.map(|session| session.psu)
}

/// Spends the page shown last, at this stage of a live session.
async fn spend_at(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    stage: SessionStage,
) -> Result<Session, SessionError> {
    let (submission, now) = (submission.clone(), auth.context.clocks.wall_now());
    let next_token = lombard_jose::sha256(&auth.context.ids.random_secret());
    let idle_at = now.saturating_add(IDLE).map_err(OAuthError::server_error)?;
    let spent = auth.context.store.write(move |tx| {
        let session = admit(tx, &submission, stage, now)?;
        let turned = Session { form_token: next_token, idle_at, ..session };
        tx.session_update(&turned)?;
        Ok::<_, SessionError>(turned)
    });
    spent.await
}

/// The live session of a browser, locked in a writing transaction.
pub(crate) fn alive<S: SessionStore + ?Sized>(
    store: &mut S,
    browser: &Digest,
    now: Timestamp,
) -> Result<Option<Session>, StoreError> {
    Ok(store.session_for_update(browser)?.filter(|session| session.is_alive(now)))
}

/// The session a page was submitted in: alive, at this stage, with the token of the page shown last.
fn admit<S: SessionStore + ?Sized>(
    store: &mut S,
    submission: &SubmittedPage,
    stage: SessionStage,
    now: Timestamp,
) -> Result<Session, SessionError> {
    let session = alive(store, &submission.browser.digest(), now)?.ok_or(SessionError::Unavailable(LoggedOut))?;
    if session.stage != stage || !submission.holds(&session.form_token) {
        return Err(SessionError::Stale);
    }
    Ok(session)
}
