//! Errors of calls of the module.

use cryptoki::error::Error;
use lombard_jose::KeyError;

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum TokenError {
    /// The library or the token failed.
    Library(Error),
    /// There is no token with the configured label.
    NoToken,
    /// There is not exactly one key with this label.
    UnknownLabel,
    /// The PIN cannot be read, or the token refused it, for this reason. No login with that PIN is attempted again.
    Login(String),
}

impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl std::fmt::Display for TokenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Library(error) => write!(f, "{error}"),
            Self::NoToken => f.write_str("there is no token with the label of signing.pkcs11_token_label"),
            Self::Login(reason) => write!(f, "the login was refused: {reason}"),
            Self::UnknownLabel => f.write_str("there is not exactly one RSA key pair with this label"),
        }
    }
}

impl std::error::Error for TokenError {}

impl From<TokenError> for KeyError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Library(_) | TokenError::NoToken | TokenError::Login(_) => Self::Unavailable,
            TokenError::UnknownLabel => Self::UnknownLabel,
        }
    }
}
