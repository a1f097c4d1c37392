//! Logins at the bank's identity provider: what journeys, sessions and approvals have in common.
//!
//! A browser is sent to the provider with a `state` that only it knows. The answer belongs to the login with that state, is taken
//! once, and only from the browser that was sent.

use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use jiff::Timestamp;
use lombard_domain::ids::{JourneyId, OrderId, PsuId};
use lombard_domain::provider_login::ProviderLogin;
use lombard_ports::identity::{AuthenticationPurpose, AuthenticationRequest, RedirectLogin};
use lombard_ports::store::{ProviderLoginStore, StoreError};
use serde::{Deserialize, Serialize};

/// What a login at the provider is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginTarget {
    /// An authorisation journey.
    Journey(JourneyId),
    /// A session outside journeys, and the page to show first.
    Session {
        /// The path of the page.
        to: String,
    },
    /// The approval of an order by a further authoriser, who is logged in.
    Approval(OrderId),
}

/// The part of a login that is stored as a document.
#[derive(Serialize, Deserialize)]
struct StoredLogin {
    target: LoginTarget,
    memory: String,
}

/// A login whose answer has come back. It must not be believed before it is taken.
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
    /// What it is for.
    pub const fn target(&self) -> &LoginTarget {
        &self.target
    }

    pub(crate) fn memory(&self) -> &str {
        &self.memory
    }
}

/// The login that an answer with this `state` belongs to; `None` if there is none, or no more.
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

/// A login that is to begin.
pub(crate) struct NewLogin<'a> {
    pub target: LoginTarget,
    /// Names what is logged in to; it has one login under way.
    pub subject: String,
    pub browser: &'a BrowserSecret,
    pub purpose: &'a AuthenticationPurpose,
    pub hint: Option<&'a PsuId>,
    pub expires_at: Timestamp,
}

/// Begins a login at the provider: the row to store, and where to send the browser.
pub(crate) async fn start(
    auth: &AuthorisationServer,
    provider: &dyn RedirectLogin,
    new: NewLogin<'_>,
) -> Result<(ProviderLogin, String), OAuthError> {
    let state = lombard_jose::base64url(&auth.context.ids.random_secret());
    let request = AuthenticationRequest { state: &state, purpose: new.purpose, hint: new.hint };
    let started = provider.start(&request).await.map_err(OAuthError::unavailable)?;
    let stored = StoredLogin { target: new.target, memory: started.memory };
    let login = ProviderLogin {
        state: lombard_jose::sha256(state.as_bytes()),
        subject: new.subject,
        browser: new.browser.digest(),
        request: serde_json::to_string(&stored).map_err(OAuthError::server_error)?,
        expires_at: new.expires_at,
    };
    Ok((login, started.location))
}

/// Takes the answer of a login: `false` if it was sent from another browser, comes too late, or was taken before.
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

/// Logs and counts an answer that is refused.
pub(crate) fn note_refusal(reason: &'static str) {
    tracing::warn!(security.refusal = "identity-provider", reason, "an answer of the identity provider is refused");
    metrics::counter!("lombard_identity_refusals_total").increment(1);
}
