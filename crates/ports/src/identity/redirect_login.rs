//! Authentication at a provider of the bank that the customer's browser is sent to.

use super::{AuthenticationFactor, AuthenticationPurpose, IdentityError};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::ids::PsuId;

/// A request to authenticate a customer.
#[derive(Debug, Clone, Copy)]
pub struct AuthenticationRequest<'a> {
    /// The `state` that the answer has to bring back: a secret of the browser's journey.
    pub state: &'a str,
    /// What the customer authenticates for.
    pub purpose: &'a AuthenticationPurpose,
    /// The customer who is expected, if one is.
    pub hint: Option<&'a PsuId>,
}

/// A login that begins at the provider.
#[derive(Clone, PartialEq, Eq)]
pub struct StartedLogin {
    /// Where the browser is sent.
    pub location: String,
    /// What the provider's answer is checked with. The server stores it and never shows it to a browser.
    pub memory: String,
}

impl std::fmt::Debug for StartedLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedLogin").finish_non_exhaustive()
    }
}

/// What the browser brings back beside the `state`. Nothing of it is trusted.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProviderAnswer {
    /// The authorisation code.
    pub code: Option<String>,
    /// The error code, if the provider did not authenticate the customer.
    pub error: Option<String>,
    /// The issuer that answered. Source: RFC 9207.
    pub issuer: Option<String>,
}

impl std::fmt::Debug for ProviderAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderAnswer").field("error", &self.error).finish_non_exhaustive()
    }
}

/// A customer who authenticated for the purpose that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedCustomer {
    /// The customer.
    pub psu: PsuId,
    /// The name that pages show, if the provider told one.
    pub name: Option<String>,
    /// When the customer authenticated (wall clock).
    pub at: Timestamp,
    /// The factors, as far as the provider told them.
    pub factors: Vec<AuthenticationFactor>,
}

/// Why a login at the provider came to no customer.
#[derive(Debug, thiserror::Error)]
pub enum LoginFailure {
    /// The customer cancelled it there.
    #[error("the customer cancelled the login")]
    Cancelled,
    /// The answer is not one that may be trusted: the reason, for the log.
    #[error("the provider's answer is refused: {0}")]
    Refused(&'static str),
    /// The provider does not answer.
    #[error(transparent)]
    Unavailable(#[from] IdentityError),
}

/// Authenticates customers at the provider. What comes back is checked to be from that provider, for that `state`'s login and for
/// that purpose; one changed byte of the purpose is refused (AS-142).
#[async_trait]
pub trait RedirectLogin: Send + Sync {
    /// The origin that browsers are sent to, for the policy of the pages that lead there. Source: AS-140.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot say.
    async fn origin(&self) -> Result<String, IdentityError>;

    /// Begins a login.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider does not take the request.
    async fn start(&self, request: &AuthenticationRequest<'_>) -> Result<StartedLogin, IdentityError>;

    /// Ends a login: the customer who authenticated for this purpose. The memory is that of the login whose `state` the answer
    /// brought back.
    ///
    /// # Errors
    /// [`LoginFailure`].
    async fn finish(
        &self,
        memory: &str,
        purpose: &AuthenticationPurpose,
        answer: &ProviderAnswer,
    ) -> Result<AuthenticatedCustomer, LoginFailure>;

    /// The public keys that the server signs its requests with, as a JWK set.
    fn published_keys(&self) -> String;
}
