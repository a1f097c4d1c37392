//! A poll that waits. Between two looks it holds its place in the lobby and nothing else (EVT-079).

use super::polling::{EventPolling, PollingClient, QueueSnapshot};
use super::waiters::{Waiter, WakeReason};
use crate::Failure;
use lombard_domain::event::Poll;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Waits for the first event, the deadline, or to be sent away; an empty look at the end is the answer then. Source:
/// EVT-071, EVT-073, EVT-074.
pub(super) async fn wait_for_events(
    polling: &EventPolling,
    asker: &PollingClient,
    poll: &Arc<Poll>,
    seat: &Waiter,
    seen: QueueSnapshot,
) -> Result<QueueSnapshot, Failure> {
    let deadline = Instant::now() + polling.settings().hold_duration.min(token_time_left(polling, asker));
    let mut seen = seen;
    while Instant::now() < deadline {
        if seat.wait(deadline).await == WakeReason::Released {
            break;
        }
        seen = polling.query_after_wake(asker, poll).await?;
        if !seen.offers.is_empty() {
            break;
        }
    }
    Ok(seen)
}

/// A hold never outlasts its token. Source: EVT-077.
fn token_time_left(polling: &EventPolling, asker: &PollingClient) -> Duration {
    let left = asker.expires_at.duration_since(polling.context().clocks.wall_now());
    Duration::try_from(left).unwrap_or(Duration::ZERO)
}
