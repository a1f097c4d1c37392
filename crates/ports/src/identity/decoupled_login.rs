//! Authentication by a provider of the bank that reaches the customer on a device of theirs, without a browser.

use super::purpose::AuthenticationPurpose;
use super::redirect_login::{AuthenticatedCustomer, LoginFailure};
use async_trait::async_trait;
use lombard_domain::ids::PsuId;

/// A request to authenticate a customer on their own device.
#[derive(Debug, Clone, Copy)]
pub struct DecoupledRequest<'a> {
    /// Who is asked.
    pub customer: &'a PsuId,
    /// What the customer authenticates for.
    pub purpose: &'a AuthenticationPurpose,
    /// What the customer sees on both devices, in the words of a client.
    pub binding_message: Option<&'a str>,
    /// For how many seconds the answer is awaited.
    pub expiry_secs: i64,
}

/// A decoupled login that is under way.
#[derive(Clone, PartialEq, Eq)]
pub struct StartedDecoupledLogin {
    /// What the provider is polled with, and its answer checked. The server stores it.
    pub memory: String,
    /// The least seconds between two polls.
    pub interval_secs: i64,
}

impl std::fmt::Debug for StartedDecoupledLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedDecoupledLogin").field("interval_secs", &self.interval_secs).finish_non_exhaustive()
    }
}

/// How a decoupled login stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecoupledProgress {
    /// The customer has not answered; the provider is to be asked again after so many seconds.
    Pending {
        /// As the provider wants it.
        after_secs: i64,
    },
    /// The customer authenticated for the purpose that was asked for.
    Authenticated(AuthenticatedCustomer),
}

/// Authenticates customers on their own devices. What comes back is checked as that of a redirect: it is the provider's, and of that
/// purpose to the byte (AS-142).
#[async_trait]
pub trait DecoupledLogin: Send + Sync {
    /// Begins a login.
    ///
    /// # Errors
    /// [`LoginFailure::Refused`] if the provider does not ask this customer; [`LoginFailure::Unavailable`] when it cannot say.
    async fn start(&self, request: &DecoupledRequest<'_>) -> Result<StartedDecoupledLogin, LoginFailure>;

    /// Asks how a login stands. After anything but [`DecoupledProgress::Pending`] it is over.
    ///
    /// # Errors
    /// [`LoginFailure`]; after [`LoginFailure::Unavailable`] it may be asked again.
    async fn poll(&self, memory: &str, purpose: &AuthenticationPurpose) -> Result<DecoupledProgress, LoginFailure>;
}
