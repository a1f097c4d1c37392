//! Login to a session at the bank's identity provider.

use super::attempt::{LoginNotice, LoginStep, after, renew, wrong};
use super::{IDLE, LoggedOut, SessionError, SubmittedPage};
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::provider_login::{self, LoginTarget, NewLogin, PendingProviderLogin};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::JourneyId;
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::identity::{
    AuthenticatedCustomer, AuthenticationPurpose, LoginFailure, LoginMethod, ProviderAnswer, RedirectLogin,
};

/// Sends the browser to the provider.
pub(super) async fn start(
    auth: &AuthorisationServer,
    provider: &dyn RedirectLogin,
    submission: &SubmittedPage,
    to: &str,
) -> Result<LoginStep, SessionError> {
    let browser = &submission.browser;
    let new = NewLogin {
        target: LoginTarget::Session { to: to.to_owned() },
        subject: format!("session/{}", lombard_jose::base64url(&browser.digest().0)),
        browser,
        purpose: &AuthenticationPurpose::Login,
        hint: None,
        expires_at: after(auth.context.clocks.wall_now(), IDLE)?,
    };
    let (login, location) = provider_login::start(auth, provider, new).await?;
    auth.context.store.write(move |tx| Ok::<_, SessionError>(tx.provider_login_insert(&login)?)).await?;
    Ok(LoginStep::RedirectToProvider(location))
}

/// Handles the browser's return from the provider. The provider's answer is accepted once and opens the session.
///
/// # Errors
/// [`SessionError`]
pub async fn finish_session_login(
    auth: &AuthorisationServer,
    browser: &BrowserSecret,
    pending: &PendingProviderLogin,
    answer: &ProviderAnswer,
) -> Result<LoginStep, SessionError> {
    let customer = match finish(auth, browser, pending, &AuthenticationPurpose::Login, answer).await? {
        Ok(customer) => customer,
        Err(notice) => return Ok(LoginStep::SamePage(notice)),
    };
    let length = SignedDuration::from_secs(auth.settings.session_secs);
    let session = |new: &BrowserSecret, now: Timestamp| {
        Ok(Session {
            browser: new.digest(),
            login: JourneyId::new(lombard_jose::base64url(&auth.context.ids.random_secret())),
            psu: customer.psu,
            psu_name: customer.name,
            stage: SessionStage::Open,
            form_token: lombard_jose::sha256(&auth.context.ids.random_secret()),
            idle_at: after(now, IDLE)?,
            ends_at: after(now, length)?,
        })
    };
    renew(auth, browser, None, None, session).await.map(LoginStep::NextPage)
}

/// Accepts the answer of a login and checks it with the provider. Returns the customer who authenticated for this purpose, or the notice
/// for the page.
pub(super) async fn finish(
    auth: &AuthorisationServer,
    browser: &BrowserSecret,
    pending: &PendingProviderLogin,
    purpose: &AuthenticationPurpose,
    answer: &ProviderAnswer,
) -> Result<Result<AuthenticatedCustomer, LoginNotice>, SessionError> {
    let LoginMethod::Redirect(provider) = auth.identity.login_method() else { return Err(SessionError::Stale) };
    let (taken, owner, now) = (pending.clone(), browser.clone(), auth.context.clocks.wall_now());
    let is_taken =
        auth.context.store.write(move |tx| Ok::<_, SessionError>(provider_login::take_in(tx, &taken, &owner, now)?));
    if !is_taken.await? {
        return Err(SessionError::Unavailable(LoggedOut));
    }
    match provider.finish(pending.memory(), purpose, answer).await {
        Ok(customer) => Ok(Ok(customer)),
        Err(LoginFailure::Cancelled) => Ok(Err(LoginNotice::Cancelled)),
        Err(LoginFailure::Refused(reason)) => {
            provider_login::note_refusal(reason);
            Ok(Err(wrong(LoginNotice::ProviderRefused)))
        }
        Err(LoginFailure::Unavailable(error)) => Err(SessionError::Failed(OAuthError::unavailable(error))),
    }
}
