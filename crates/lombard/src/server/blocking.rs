//! Work that takes long, done off the reactor.

use super::StartError;

/// Runs what takes long off the reactor.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StartError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StartError::Interrupted)
}
