//! The source of applications' logos: fetches the image that a software statement names, so that customers' browsers never
//! contact its host.

use async_trait::async_trait;

/// Why a logo could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum LogoSourceError {
    /// The address is not allowed.
    #[error("the address of the logo is not one that may be asked")]
    NotAllowed,
    /// The server did not answer in time, or answered with an unacceptable status or size.
    #[error("the logo cannot be fetched")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A source of logos.
#[async_trait]
pub trait LogoSource: Send + Sync + std::fmt::Debug {
    /// Fetches the bytes at this address, at most `bytes_max`. An implementation limits time, follows no redirect, and connects only to
    /// hosts that are configured as trusted.
    ///
    /// # Errors
    /// [`LogoSourceError`].
    async fn fetch_logo(&self, url: &str, bytes_max: usize) -> Result<Vec<u8>, LogoSourceError>;
}

/// A source that fetches nothing, for installations that configure no hosts of logos.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLogoSource;

#[async_trait]
impl LogoSource for NoLogoSource {
    async fn fetch_logo(&self, _: &str, _: usize) -> Result<Vec<u8>, LogoSourceError> {
        Err(LogoSourceError::NotAllowed)
    }
}
