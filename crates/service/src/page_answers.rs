//! What a page shows if the bank says it in time: nobody is kept from deciding by what the bank does not say.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

/// The bank's answer about something, unless the bank fails or takes longer, which is logged.
pub async fn answer_within<T, E: Error + 'static>(
    limit: Duration,
    about: &'static str,
    asking: impl Future<Output = Result<T, E>>,
) -> Option<T> {
    match tokio::time::timeout(limit, asking).await {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(error)) => {
            tracing::warn!(about, error = &error as &dyn Error, "the bank could not say what a page shows");
            None
        }
        Err(_) => {
            tracing::warn!(about, "the bank took too long to say what a page shows");
            None
        }
    }
}
