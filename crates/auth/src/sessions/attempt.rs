//! Shared code of the logins to a session: counted attempts, and the result of a step.

use super::SessionError;
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::devices::DeviceCookie;
use crate::error::OAuthError;
use crate::submission::answer_repeated_until;
use crate::throttle::LoginAttempt;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::identity::IdentityError;

/// The result of a login step.
#[derive(Debug)]
pub enum LoginStep {
    /// The next page is shown; the browser gets a new secret. Source: AS-143.
    NextPage(BrowserSecret),
    /// As `NextPage`, after both factors were correct; the browser also gets a cookie that marks it as known.
    Authenticated(BrowserSecret, DeviceCookie),
    /// The browser is sent to the bank's identity provider, at this address.
    RedirectToProvider(String),
    /// The page is shown again with this notice.
    SamePage(LoginNotice),
}

/// Why a page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginNotice {
    /// The password is wrong or the name is unknown; both give the same notice. Source: AS-143.
    WrongPassword,
    /// The one-time code is wrong.
    WrongCode,
    /// The customer cancelled the login at the identity provider.
    Cancelled,
    /// The answer of the identity provider cannot be accepted.
    ProviderRefused,
    /// The customer who authenticated is not the one who is logged in.
    OtherCustomer,
}

/// A login attempt that has been counted.
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

pub(super) async fn uncount(auth: &AuthorisationServer, counted: CountedLoginAttempt) -> Result<(), SessionError> {
    let CountedLoginAttempt { guess, at } = counted;
    auth.context.store.write(move |tx| Ok(guess.uncount_in(tx, at)?)).await
}

/// Replaces the browser's session by one with a new secret, and removes the successful attempt from the count. The session of the submitted
/// page, if there is one, can show that page again for some seconds, because the response may have been lost.
pub(super) async fn renew(
    auth: &AuthorisationServer,
    browser: &BrowserSecret,
    counted: Option<CountedLoginAttempt>,
    submitted: Option<Session>,
    session: impl FnOnce(&BrowserSecret, Timestamp) -> Result<Session, OAuthError>,
) -> Result<BrowserSecret, SessionError> {
    let renewed = BrowserSecret::fresh(&auth.context.ids);
    let now = auth.context.clocks.wall_now();
    let session = session(&renewed, now)?;
    let ends_at = answer_repeated_until(now);
    let replaced = submitted.map(|it| Session { stage: SessionStage::Replaced, idle_at: ends_at, ends_at, ..it });
    let old = browser.digest();
    let stored = auth.context.store.write(move |tx| {
        tx.session_remove(&old)?;
        tx.session_insert(&session)?;
        if let Some(replaced) = &replaced {
            tx.session_insert(replaced)?;
        }
        if let Some(CountedLoginAttempt { guess, at }) = &counted {
            guess.uncount_in(tx, *at)?;
        }
        Ok::<_, SessionError>(())
    });
    stored.await?;
    Ok(renewed)
}

pub(super) fn wrong(notice: LoginNotice) -> LoginNotice {
    tracing::info!(security.refusal = "customer-authentication", ?notice, "failed authentication");
    metrics::counter!("lombard_authentication_failures_total").increment(1);
    notice
}

pub(super) async fn not_checked(
    auth: &AuthorisationServer,
    counted: CountedLoginAttempt,
    cause: IdentityError,
) -> SessionError {
    match uncount(auth, counted).await {
        Ok(()) => SessionError::Failed(OAuthError::unavailable(cause)),
        Err(error) => error,
    }
}

pub(super) fn after(now: Timestamp, length: SignedDuration) -> Result<Timestamp, OAuthError> {
    now.saturating_add(length).map_err(OAuthError::server_error)
}
