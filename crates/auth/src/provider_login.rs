//! Logins at the bank's identity provider: shared code of journeys, sessions and approvals.
//!
//! A browser is sent to the provider with a `state` that only this browser knows. The answer belongs to the login with that state. It is
//! accepted once, and only from the browser that was sent.

use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use jiff::Timestamp;
use lombard_domain::ids::{JourneyId, OrderId, PsuId};
use lombard_domain::provider_login::ProviderLogin;
use lombard_ports::identity::{AuthenticationPurpose, AuthenticationRequest, RedirectLogin};
use lombard_ports::store::{ProviderLoginStore, StoreError};
use serde::{Deserialize, Serialize};

/// The journey, session or approval that a login at the provider is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginTarget {
    /// An authorisation journey.
    Journey(JourneyId),
    /// A session outside journeys, with the page to show first.
    Session {
        /// The path of the page.
        to: String,
    },
    /// The approval of an order by a further authoriser, who has a session.
    Approval(OrderId),
}

/// The part of a login that is stored as a document.
#[derive(Serialize, Deserialize)]
struct StoredLogin {
    target: LoginTarget,
    memory: String,
}

/// A login whose answer has arrived. The answer must not be used before `take_in` accepts it.
#[derive(Clone)]
pub struct PendingProviderLogin {
    login: ProviderLogin,
    target: LoginTarget,
    memory: String,
}

impl std::fmt::Debug for PendingProviderLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingProviderLogin").field("target", &self.target).finish_non_exhaustive()
    }
}

impl PendingProviderLogin {
    /// The target of the login.
    pub const fn target(&self) -> &LoginTarget {
        &self.target
    }

    pub(crate) fn memory(&self) -> &str {
        &self.memory
    }
}

/// Finds the login of an answer with this `state`; `None` if there is none, or it has ended.
///
/// # Errors
/// Storage's failure.
pub async fn find_provider_login(
    auth: &AuthorisationServer,
    state: &str,
) -> Result<Option<PendingProviderLogin>, OAuthError> {
    let digest = lombard_jose::sha256(state.as_bytes());
    let found = auth.context.store.read(move |tx| Ok::<_, OAuthError>(tx.provider_login(&digest)?)).await?;
    let Some(login) = found else { return Ok(None) };
    let StoredLogin { target, memory } = serde_json::from_str(&login.request).map_err(OAuthError::server_error)?;
    Ok(Some(PendingProviderLogin { login, target, memory }))
}

/// The parameters of a new login.
pub(crate) struct NewLogin<'a> {
    pub target: LoginTarget,
    /// The identifier of the target, which has at most one login in progress.
    pub subject: String,
    pub browser: &'a BrowserSecret,
    pub purpose: &'a AuthenticationPurpose,
    pub hint: Option<&'a PsuId>,
    pub expires_at: Timestamp,
}

/// Begins a login at the provider: returns the row to store and the address to send the browser to.
pub(crate) async fn start(
    auth: &AuthorisationServer,
    provider: &dyn RedirectLogin,
    new: NewLogin<'_>,
) -> Result<(ProviderLogin, String), OAuthError> {
    let state = lombard_jose::base64url(&auth.context.ids.random_secret());
    let request = AuthenticationRequest { state: &state, purpose: new.purpose, hint: new.hint };
    let started = provider.start(&request).await.map_err(OAuthError::unavailable)?;
    let stored = StoredLogin { target: new.target, memory: started.verification_state };
    let login = ProviderLogin {
        state: lombard_jose::sha256(state.as_bytes()),
        subject: new.subject,
        browser: new.browser.digest(),
        request: serde_json::to_string(&stored).map_err(OAuthError::server_error)?,
        expires_at: new.expires_at,
    };
    Ok((login, started.location))
}

/// Accepts the answer of a login: `false` if it came from another browser, came too late, or was accepted before.
pub(crate) fn take_in<S: ProviderLoginStore + ?Sized>(
    tx: &mut S,
    pending: &PendingProviderLogin,
    browser: &BrowserSecret,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let login = &pending.login;
    let is_same_browser = lombard_jose::secrets_are_equal(&browser.digest().0, &login.browser.0);
    Ok(is_same_browser && now < login.expires_at && tx.provider_login_remove(&login.state)?)
}

/// Logs and counts a refused answer.
pub(crate) fn note_refusal(reason: &'static str) {
    tracing::warn!(security.refusal = "identity-provider", reason, "an answer of the identity provider is refused");
    metrics::counter!("lombard_identity_refusals_total").increment(1);
}
