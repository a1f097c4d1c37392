//! Authentication by a provider of the bank that contacts the customer on the customer's own device, without a browser.

use super::purpose::AuthenticationPurpose;
use super::redirect_login::{AuthenticatedCustomer, LoginFailure};
use async_trait::async_trait;
use lombard_domain::ids::PsuId;

/// A request to authenticate a customer on their own device.
#[derive(Debug, Clone, Copy)]
pub struct DecoupledRequest<'a> {
    /// The customer who is asked.
    pub customer: &'a PsuId,
    /// The purpose of the authentication.
    pub purpose: &'a AuthenticationPurpose,
    /// The client's text that the customer sees on both devices.
    pub binding_message: Option<&'a str>,
    /// The number of seconds for which the server awaits the answer.
    pub expiry_secs: i64,
}

/// A decoupled login that the customer has not answered.
#[derive(Clone, PartialEq, Eq)]
pub struct PendingDecoupledLogin {
    /// The data with which the provider is polled and its answer is verified. The server stores it.
    pub verification_state: String,
    /// The minimum number of seconds until the next poll.
    pub interval_secs: i64,
}

impl std::fmt::Debug for PendingDecoupledLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingDecoupledLogin").field("interval_secs", &self.interval_secs).finish_non_exhaustive()
    }
}

/// The state of a decoupled login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecoupledProgress {
    /// The customer has not answered. The next poll must pass this new memory.
    Pending(PendingDecoupledLogin),
    /// The customer authenticated for the requested purpose. The provider reports this once.
    Authenticated(AuthenticatedCustomer),
    /// The login ended without an answer, for this reason, which is logged. The customer has not refused.
    Unanswered(&'static str),
}

/// Authenticates customers on their own devices. The answer is verified like that of a redirect: it must come from the provider,
/// and its purpose must be equal byte for byte (AS-142).
#[async_trait]
pub trait DecoupledLogin: Send + Sync {
    /// Begins a login.
    ///
    /// # Errors
    /// [`LoginFailure::Unavailable`] if it is certain that the customer was not asked, so that the call may be repeated.
    /// [`LoginFailure::Refused`] if the provider does not ask this customer, or if the customer may have been asked and the
    /// provider's response cannot be used: a repeated call could ask the customer twice.
    async fn start(&self, request: &DecoupledRequest<'_>) -> Result<PendingDecoupledLogin, LoginFailure>;

    /// Queries the state of a login. After any result other than [`DecoupledProgress::Pending`] the login is over.
    ///
    /// # Errors
    /// [`LoginFailure`]; after [`LoginFailure::Unavailable`] the call may be repeated.
    async fn poll(&self, memory: &str, purpose: &AuthenticationPurpose) -> Result<DecoupledProgress, LoginFailure>;
}
