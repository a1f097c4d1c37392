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

/// A decoupled login that the customer has not answered.
#[derive(Clone, PartialEq, Eq)]
pub struct PendingDecoupledLogin {
    /// What the provider is polled with, and its answer checked. The server stores it.
    pub memory: String,
    /// The least seconds until the next poll.
    pub interval_secs: i64,
}

impl std::fmt::Debug for PendingDecoupledLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingDecoupledLogin").field("interval_secs", &self.interval_secs).finish_non_exhaustive()
    }
}

/// How a decoupled login stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecoupledProgress {
    /// The customer has not answered. The next poll takes this memory, which may differ from that of the last one.
    Pending(PendingDecoupledLogin),
    /// The customer authenticated for the purpose that was asked for. The provider says so once.
    Authenticated(AuthenticatedCustomer),
    /// The login is over and nobody knows of an answer: the reason, for the log. The customer has not refused.
    Unanswered(&'static str),
}

/// Authenticates customers on their own devices. What comes back is checked as that of a redirect: it is the provider's, and of that
/// purpose to the byte (AS-142).
#[async_trait]
pub trait DecoupledLogin: Send + Sync {
    /// Begins a login.
    ///
    /// # Errors
    /// [`LoginFailure::Unavailable`] if the customer has not been asked for certain, so that it may be repeated.
    /// [`LoginFailure::Refused`] if the provider does not ask this customer, or may have and its answer cannot be used: repeating it
    /// could reach the customer twice.
    async fn start(&self, request: &DecoupledRequest<'_>) -> Result<PendingDecoupledLogin, LoginFailure>;

    /// Asks how a login stands. After anything but [`DecoupledProgress::Pending`] it is over.
    ///
    /// # Errors
    /// [`LoginFailure`]; after [`LoginFailure::Unavailable`] it may be asked again.
    async fn poll(&self, memory: &str, purpose: &AuthenticationPurpose) -> Result<DecoupledProgress, LoginFailure>;
}
