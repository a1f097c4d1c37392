//! Errors of provider calls.

use lombard_ports::identity::{IdentityError, LoginFailure};

/// Why a client of a provider cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A trust anchor, certificate or key cannot be used.
    #[error("TLS cannot be set up with these files: {0}")]
    Tls(String),
}

/// Why a call of the provider returned no customer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider does not respond, or responds that it is unavailable.
    #[error("the provider does not answer")]
    Unreachable(#[source] reqwest::Error),
    /// The response of the provider violates the protocol.
    #[error("the provider's answer cannot be used: {0}")]
    Unusable(&'static str),
    /// No signature could be made.
    #[error(transparent)]
    Signing(#[from] lombard_jose::PoolError),
    /// The provider's statement about the customer is refused.
    #[error("refused: {0}")]
    Refused(&'static str),
    /// The customer cancelled.
    #[error("the customer cancelled")]
    Cancelled,
    /// A recent call failed, and the provider was not called again.
    #[error("the provider did not answer a moment ago")]
    Recently,
}

impl ProviderError {
    /// Turns this failure into a refusal, unless the request was never sent. For requests that must not be repeated once the provider may
    /// have received them.
    pub(crate) fn unless_unsent(self) -> Self {
        match self {
            Self::Unreachable(error) if !error.is_connect() => Self::Refused("the provider did not answer"),
            Self::Unusable(reason) => Self::Refused(reason),
            other => other,
        }
    }
}

impl From<ProviderError> for IdentityError {
    fn from(error: ProviderError) -> Self {
        Self(Box::new(error))
    }
}

impl From<ProviderError> for LoginFailure {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Refused(reason) => Self::Refused(reason),
            ProviderError::Cancelled => Self::Cancelled,
            other => Self::Unavailable(other.into()),
        }
    }
}
