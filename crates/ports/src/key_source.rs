//! The key source port: fetches a TPP's public keys from the `jwks_uri` of its software statement. Source: AS-009.

use async_trait::async_trait;

/// Why a key set could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum KeySourceError {
    /// The address is not allowed.
    #[error("the address of the key set is not one that may be asked")]
    NotAllowed,
    /// The server answers that there is nothing at the address.
    #[error("there is nothing at the address of the key set")]
    Absent,
    /// The server did not answer in time, or answered with an unacceptable status or size.
    #[error("the key set cannot be fetched")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A source of key sets.
#[async_trait]
pub trait KeySource: Send + Sync + std::fmt::Debug {
    /// Fetches the document at this address and returns it unparsed. An implementation limits size and time, follows no
    /// redirect, and connects only to hosts that are configured as trusted.
    ///
    /// # Errors
    /// [`KeySourceError`].
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError>;
}

/// A source that fetches nothing, for installations that store all clients' keys.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoKeySource;

#[async_trait]
impl KeySource for NoKeySource {
    async fn fetch_key_set(&self, _: &str) -> Result<String, KeySourceError> {
        Err(KeySourceError::NotAllowed)
    }
}
