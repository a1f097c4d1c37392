//! Limits the responses that are read from storage while they are sent. For each of them the statuses of a file's payments are in memory
//! until the caller has read it. Source: RW-112, TLS-016.

use super::permits::{ClientPermitLimits, KeyedPermit, KeyedPermits};
use super::throttle::RateExceeded;
use lombard_domain::ids::ClientId;
use std::time::Duration;

/// How long a download waits for a permit.
const WAIT: Duration = Duration::from_secs(5);

/// Seconds after which a client that got no permit may try again.
const RETRY_AFTER_SECS: i64 = 5;

/// The permits for downloads. Clones share them.
#[derive(Debug, Clone)]
pub struct DownloadPermits(KeyedPermits<ClientId>);

/// The permit of one download. The body of the response holds it, and dropping it frees it.
pub type DownloadPermit = KeyedPermit;

impl DownloadPermits {
    /// Makes the permits with these limits.
    pub(crate) fn new(places: ClientPermitLimits) -> Self {
        Self(KeyedPermits::new(places.all_max, places.client_max))
    }

    /// Waits for a permit for a download of this client.
    ///
    /// # Errors
    /// [`RateExceeded`] if no permit is free in time.
    pub async fn begin(&self, client: &ClientId) -> Result<DownloadPermit, RateExceeded> {
        let permit = self.0.take_within(client, WAIT).await;
        permit.ok_or(RateExceeded { retry_after_secs: RETRY_AFTER_SECS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_A_CLIENT: usize = 4;
    const ALTOGETHER: usize = 32;

    #[tokio::test(start_paused = true)]
    async fn rw_112_a_client_downloads_a_few_at_a_time_and_keeps_nobody_waiting() {
        let downloads = DownloadPermits::new(ClientPermitLimits { all_max: ALTOGETHER, client_max: OF_A_CLIENT });
        let begin = async |client: &str| downloads.begin(&ClientId::from(client)).await;
        let mut held = Vec::new();
        for _ in 0..OF_A_CLIENT {
            held.push(begin("a").await.unwrap());
        }
        assert!(matches!(begin("a").await, Err(RateExceeded { retry_after_secs: RETRY_AFTER_SECS })));
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
    }
}
