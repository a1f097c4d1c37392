//! Waiting for background work of the bank, which gives no notification when it ends.

use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The longest it may take.
const DONE_WITHIN: Duration = Duration::from_secs(120);

/// How long it rests between two looks: what it waits for needs the processor too.
const LOOKS_EVERY: Duration = Duration::from_millis(10);

/// Asks again and again until what is asked about is there.
pub(crate) async fn until<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    timeout(DONE_WITHIN, async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            sleep(LOOKS_EVERY).await;
        }
    })
    .await
    .expect("the bank does what is due")
}
