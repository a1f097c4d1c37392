//! Errors of provider calls.

use lombard_ports::identity::{IdentityError, LoginFailure};

/// Why a client of a provider cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A trust anchor, certificate or key cannot be used.
    #[error("TLS cannot be set up with these files: {0}")]
    Tls(String),
}

/// Why the provider gave no customer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// It does not answer, or says that it cannot now.
    #[error("the provider does not answer")]
    Unreachable(#[source] reqwest::Error),
    /// Its answer is not what the protocol allows.
    #[error("the provider's answer cannot be used: {0}")]
    Unusable(&'static str),
    /// No signature could be made.
    #[error(transparent)]
    Signing(#[from] lombard_jose::PoolError),
    /// What it says of the customer is not to be believed.
    #[error("refused: {0}")]
    Refused(&'static str),
    /// The customer cancelled.
    #[error("the customer cancelled")]
    Cancelled,
    /// An earlier failure, a moment ago.
    #[error("the provider did not answer a moment ago")]
    Recently,
}

impl ProviderError {
    /// This failure of a request that must not be repeated once the provider may have it: a refusal, unless it was never sent.
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
