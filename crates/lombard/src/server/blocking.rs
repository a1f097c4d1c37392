//! Blocking work outside of the async runtime.

use super::StartError;

/// Runs blocking work outside of the async runtime.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StartError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StartError::Interrupted)
}
