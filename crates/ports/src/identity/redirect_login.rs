//! Authentication at a provider of the bank to which the customer's browser is redirected.

use super::person::IdentityError;
use super::purpose::AuthenticationPurpose;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::ids::PsuId;

/// A request to authenticate a customer.
#[derive(Debug, Clone, Copy)]
pub struct AuthenticationRequest<'a> {
    /// The `state` that the answer has to contain: a secret of the browser's journey.
    pub state: &'a str,
    /// The purpose of the authentication.
    pub purpose: &'a AuthenticationPurpose,
    /// The customer who is expected, if known.
    pub hint: Option<&'a PsuId>,
}

/// A login that begins at the provider.
#[derive(Clone, PartialEq, Eq)]
pub struct StartedLogin {
    /// The address to which the browser is redirected.
    pub location: String,
    /// The data by which the provider's answer is verified. The server stores it and never shows it to a browser.
    pub verification_state: String,
}

impl std::fmt::Debug for StartedLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedLogin").finish_non_exhaustive()
    }
}

/// The parameters, beside the `state`, with which the browser returns from the provider. None of them is trusted.
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

/// A customer who authenticated for the requested purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedCustomer {
    /// The customer.
    pub psu: PsuId,
    /// The name that pages show, if the provider reported one.
    pub name: Option<String>,
    /// When the customer authenticated (wall clock).
    pub at: Timestamp,
    /// The factors, as far as the provider reported them.
    pub factors: Vec<AuthenticationFactor>,
}

/// Why a login at the provider authenticated no customer.
#[derive(Debug, thiserror::Error)]
pub enum LoginFailure {
    /// The customer cancelled the login at the provider.
    #[error("the customer cancelled the login")]
    Cancelled,
    /// The answer is not trustworthy, for this reason, which is logged.
    #[error("the provider's answer is refused: {0}")]
    Refused(&'static str),
    /// The provider does not answer.
    #[error(transparent)]
    Unavailable(#[from] IdentityError),
}

/// Authenticates customers at the provider. The answer is verified: it must come from that provider, belong to the login with
/// that `state`, and be for that purpose. A purpose that differs in one byte is refused (AS-142).
#[async_trait]
pub trait RedirectLogin: Send + Sync {
    /// The origin to which browsers are redirected, for the content security policy of the pages that lead there. Source: AS-140.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider cannot answer.
    async fn origin(&self) -> Result<String, IdentityError>;

    /// Begins a login.
    ///
    /// # Errors
    /// [`IdentityError`] if the provider does not accept the request.
    async fn start(&self, request: &AuthenticationRequest<'_>) -> Result<StartedLogin, IdentityError>;

    /// Ends a login: the customer who authenticated for this purpose. `memory` must be that of the login whose `state` the answer
    /// contains.
    ///
    /// # Errors
    /// [`LoginFailure`].
    async fn finish(
        &self,
        memory: &str,
        purpose: &AuthenticationPurpose,
        answer: &ProviderAnswer,
    ) -> Result<AuthenticatedCustomer, LoginFailure>;

    /// The public keys with which the server signs its requests, as a JWK set.
    fn published_keys(&self) -> String;
}
