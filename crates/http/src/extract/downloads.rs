//! How many answers that are read from storage while they are sent may be on their way at once. What a file's payments
//! came to is held for each of them until its caller has read it. Source: RW-112, TLS-016.

use crate::error::ApiError;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Most downloads of one client from one node; further ones wait.
const OF_A_CLIENT: usize = 4;

/// Most downloads of all clients together.
const ALTOGETHER: usize = 32;

/// How long a download waits for a place.
const WAIT: Duration = Duration::from_secs(5);

/// After how many seconds a client may try again that waited in vain.
const RETRY_AFTER_SECS: i64 = 5;

/// The places for downloads. Cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct Downloads {
    all: Arc<Semaphore>,
    by_client: Arc<Mutex<HashMap<ClientId, Weak<Semaphore>>>>,
}

/// A place for one download, free again when it is dropped: with the body of its answer.
#[derive(Debug)]
pub(crate) struct DownloadPermit {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Default for Downloads {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(ALTOGETHER)), by_client: Arc::default() }
    }
}

impl Downloads {
    /// Waits for a place for a download of this client.
    ///
    /// # Errors
    /// [`ApiError::TooManyRequests`] if there is none in time.
    pub(crate) async fn begin(&self, client: &ClientId) -> Result<DownloadPermit, ApiError> {
        let own = self.of(client);
        let (own, all) = (wait(own).await?, wait(Arc::clone(&self.all)).await?);
        Ok(DownloadPermit { _own: own, _all: all })
    }

    fn of(&self, client: &ClientId) -> Arc<Semaphore> {
        let mut known = self.by_client.lock();
        if let Some(own) = known.get(client).and_then(Weak::upgrade) {
            return own;
        }
        // Whoever has a place, or waits for one, keeps what is counted for its client.
        known.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(OF_A_CLIENT));
        known.insert(client.clone(), Arc::downgrade(&own));
        own
    }
}

async fn wait(places: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let place = timeout(WAIT, places.acquire_owned()).await.ok().and_then(Result::ok);
    place.ok_or(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn rw_112_a_client_downloads_a_few_at_a_time_and_keeps_nobody_waiting() {
        let downloads = Downloads::default();
        let begin = async |client: &str| downloads.begin(&ClientId::from(client)).await;
        let mut held = Vec::new();
        for _ in 0..OF_A_CLIENT {
            held.push(begin("a").await.unwrap());
        }
        assert!(matches!(begin("a").await, Err(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS })));
        drop(begin("b").await.unwrap());
        held.pop();
        held.push(begin("a").await.unwrap());
        for client in 1..ALTOGETHER / OF_A_CLIENT {
            for _ in 0..OF_A_CLIENT {
                held.push(begin(&format!("c{client}")).await.unwrap());
            }
        }
        assert!(begin("last").await.is_err(), "nobody fills the node alone, and together they do not either");
        held.clear();
        drop(begin("last").await.unwrap());
        drop(begin("other").await.unwrap());
        assert_eq!(downloads.by_client.lock().len(), 1, "those who left are forgotten");
    }
}
