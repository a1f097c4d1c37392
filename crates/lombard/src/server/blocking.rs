//! Runs blocking work outside the async runtime.

use super::StartError;

/// Runs a blocking closure on a separate thread and waits for its result.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StartError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StartError::Interrupted)
}
