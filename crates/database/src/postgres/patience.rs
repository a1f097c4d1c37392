//! The time limit of a request for all its calls of the database.

use super::errors::unanswered;
use lombard_ports::storage_wait::StorageWait;
use lombard_ports::store::StoreError;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;
use tokio::time::timeout;

/// Waits for a call up to what the limit leaves to the request, after its earlier calls. Work that is of no request has the limits of
/// each connection and statement alone.
pub(super) async fn within_request<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let Some(wait) = StorageWait::of_request() else { return call.await };
    let left = limit.saturating_sub(wait.so_far());
    let _call = wait.begin_call();
    let mut call = pin!(call);
    match timeout(left, call.as_mut()).await {
        Ok(outcome) => outcome,
        Err(_) if wait.is_unlimited() => call.await,
        Err(_) => Err(unanswered()),
    }
}
