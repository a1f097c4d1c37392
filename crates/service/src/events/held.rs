//! A poll that waits. Between two looks it holds its place in the lobby and nothing else (EVT-079).

use super::desk::{Asker, Desk, Looked};
use super::lobby::{Ring, Seat};
use crate::Failure;
use lombard_domain::event::Poll;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Waits for the first event, the deadline, or to be sent away; an empty look at the end is the answer then. Source:
/// EVT-071, EVT-073, EVT-074.
pub(super) async fn until_events(
    desk: &Desk,
    asker: &Asker,
    poll: &Arc<Poll>,
    seat: &Seat,
    seen: Looked,
) -> Result<Looked, Failure> {
    let deadline = Instant::now() + desk.settings().hold.min(token_left(desk, asker));
    let mut seen = seen;
    while Instant::now() < deadline {
        if seat.wait(deadline).await == Ring::Dismissed {
            break;
        }
        seen = desk.look_again(asker, poll).await?;
        if !seen.offers.is_empty() {
            break;
        }
    }
    Ok(seen)
}

/// A hold never outlasts its token. Source: EVT-077.
fn token_left(desk: &Desk, asker: &Asker) -> Duration {
    let left = asker.expires_at.duration_since(desk.context().clocks.wall());
    Duration::try_from(left).unwrap_or(Duration::ZERO)
}
