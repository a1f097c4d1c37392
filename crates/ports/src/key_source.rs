//! Public keys of TPPs, fetched from the address their software statement names. Source: AS-009.

use async_trait::async_trait;

/// Why a key set could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum KeySourceError {
    /// The address is not an allowed one.
    #[error("the address of the key set is not one that may be asked")]
    NotAllowed,
    /// It did not answer, not in time, or not with a key set's size and status.
    #[error("the key set cannot be fetched")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Where key sets come from.
#[async_trait]
pub trait KeySource: Send + Sync + std::fmt::Debug {
    /// The document at this address, fetched now and unread. An implementation bounds size and time, follows no
    /// redirect and asks only hosts it was told to trust.
    ///
    /// # Errors
    /// [`KeySourceError`].
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError>;
}

/// Fetches nothing: for installations that store all clients' keys.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoKeySource;

#[async_trait]
impl KeySource for NoKeySource {
    async fn fetch_key_set(&self, _: &str) -> Result<String, KeySourceError> {
        Err(KeySourceError::NotAllowed)
    }
}
