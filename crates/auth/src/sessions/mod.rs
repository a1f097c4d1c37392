//! The session of a PSU at the bank, outside any authorisation journey: it begins with two factors and ends by timeout
//! or logout.
//!
//! A session is found by the secret in its browser's cookie. The secret changes with every step of the login, which prevents session
//! fixation. Forms hold a token that is valid once. The pages of a session are in [`apps`] and [`payments`].

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

/// The lifetime of a session without activity. Source: AS-144.
const IDLE: SignedDuration = SignedDuration::from_mins(10);

/// The server's half of the form token of a browser without a session; the browser's secret alone makes that token unique.
pub(crate) const NO_SESSION: Digest = Digest([0; 32]);

/// There is no live session in this browser: the PSU must log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedOut;

/// Why a submitted page of a session was rejected.
pub type SessionError = submission::SubmissionError<LoggedOut>;

/// The state of a browser's session, with the data of its page.
#[derive(Debug)]
pub enum SessionView {
    /// Nobody is logged in.
    Login {
        /// The form token for the page's form.
        form_token: String,
        /// The form that begins the login.
        form: LoginForm,
    },
    /// The one-time code is asked for.
    SecondFactor {
        /// The form token for the page's form.
        form_token: String,
        /// The challenge: which code was sent to which device.
        challenge: Challenge,
    },
    /// The PSU is logged in.
    Open(LoggedInPsu),
}

/// A PSU who is logged in.
#[derive(Debug)]
pub struct LoggedInPsu {
    /// The customer.
    pub psu: PsuId,
    /// The name to show.
    pub name: String,
    /// The form token for the page's forms.
    pub form_token: String,
    /// The identifier of this login for the identity provider.
    login: JourneyId,
}

/// Makes a secret for a browser that has none.
pub fn new_browser_secret(auth: &AuthorisationServer) -> BrowserSecret {
    BrowserSecret::fresh(&auth.context.ids)
}

/// Reads the state of this browser's session. Viewing a page postpones the end of an open session for idleness.
///
/// # Errors
/// [`SessionError::Failed`]
pub async fn view_session(auth: &AuthorisationServer, browser: &BrowserSecret) -> Result<SessionView, SessionError> {
    let (digest, now) = (browser.digest(), auth.context.clocks.wall_now());
    let idle_at = now.saturating_add(IDLE).map_err(OAuthError::server_error)?;
    let found = auth.context.store.write(move |tx| {
        let Some(mut session) = find_live_session(tx, &digest, now)? else { return Ok::<_, SessionError>(None) };
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
        // A browser that sent the code and did not receive the response is shown the page of the code again.
        SessionStage::SecondFactor | SessionStage::Replaced => {
            // A session reaches this stage only through the server's own pages.
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

/// Marks the form token of a page as used and returns the PSU of its open session.
///
/// # Errors
/// [`SessionError`]
pub async fn spend_form_token(auth: &AuthorisationServer, submission: &SubmittedPage) -> Result<PsuId, SessionError> {
    spend_at(auth, submission, SessionStage::Open).await.map(|session| session.psu)
}

/// Marks the form token of the page shown last as used, if the session is alive and at this stage.
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

/// Finds the live session of a browser. A writing transaction locks it.
pub(crate) fn find_live_session<S: SessionStore + ?Sized>(
    store: &mut S,
    browser: &Digest,
    now: Timestamp,
) -> Result<Option<Session>, StoreError> {
    Ok(store.session_for_update(browser)?.filter(|session| session.is_alive(now)))
}

/// Finds the session of a submitted page, if it is alive and at this stage, and the page has the form token shown last.
fn admit<S: SessionStore + ?Sized>(
    store: &mut S,
    submission: &SubmittedPage,
    stage: SessionStage,
    now: Timestamp,
) -> Result<Session, SessionError> {
    let session =
        find_live_session(store, &submission.browser.digest(), now)?.ok_or(SessionError::Unavailable(LoggedOut))?;
    if session.stage != stage || !submission.holds(&session.form_token) {
        return Err(SessionError::Stale);
    }
    Ok(session)
}
