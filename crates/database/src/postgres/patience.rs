//! The time limit of a request for the answers of the database.

use super::errors::unanswered;
use lombard_ports::storage_wait::StorageWait;
use lombard_ports::store::StoreError;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;
use tokio::time::timeout;

/// Waits for a call until the request has waited for the limit without an answer of the database. Work that belongs to no request has
/// the limits of each connection and statement alone.
pub(super) async fn within_request<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let Some(wait) = StorageWait::of_request() else { return call.await };
    let _call = wait.begin_call();
    let mut call = pin!(call);
    loop {
        let left = limit.saturating_sub(wait.since_answer());
        let outcome = timeout(left, call.as_mut()).await;
        match outcome {
            Ok(outcome) => {
                if outcome.is_ok() {
                    wait.record_answer();
                }
                return outcome;
            }
            Err(_) if wait.is_unlimited() => return call.await,
            // A statement of the transaction was answered meanwhile.
            Err(_) if wait.since_answer() < limit => {}
            Err(_) => return Err(unanswered()),
        }
    }
}
