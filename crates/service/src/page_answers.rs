//! Waits a limited time for information of the bank that a page shows. If the bank does not answer in time, the page is
//! shown without it.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

/// Why the bank did not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// The bank failed.
    Failed,
    /// The bank did not answer in time.
    TimedOut,
}

/// Waits for an answer of the bank, at most for a given time.
///
/// # Errors
/// [`NoAnswer`] if the bank fails or takes longer; the error is logged.
pub async fn answer_within<T, E: Error + 'static>(
    limit: Duration,
    about: &'static str,
    asking: impl Future<Output = Result<T, E>>,
) -> Result<T, NoAnswer> {
    match tokio::time::timeout(limit, asking).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => {
            tracing::warn!(about, error = &error as &dyn Error, "the bank could not say what a page shows");
            Err(NoAnswer::Failed)
        }
        Err(_) => {
            tracing::warn!(about, "the bank took too long to say what a page shows");
            Err(NoAnswer::TimedOut)
        }
    }
}
