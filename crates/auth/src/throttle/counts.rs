//! Counts events by subject over one period; each subject has its own limit.

use super::limits::Throttled;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_ports::store::{AttemptStore, StoreError};

/// The period over which events count.
pub(super) const WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// The subjects of an event with all events of the window, this one included.
pub(super) type CountedSubjects = Vec<(Digest, Vec<Timestamp>)>;

/// Locks these subjects, in this order, and adds an event at the current time, unless one of them has reached its limit. Nothing is stored
/// yet.
pub(super) fn add_event<S: AttemptStore + ?Sized>(
    store: &mut S,
    subjects: &[(Digest, usize)],
    now: Timestamp,
) -> Result<Result<CountedSubjects, Throttled>, StoreError> {
    let mut counted = Vec::new();
    for (subject, most) in subjects {
        let mut made = recent(store.attempts_for_update(subject)?, now);
        if let Some(until) = blocked_until(&made, *most) {
            return Ok(Err(Throttled { until }));
        }
        made.push(now);
        counted.push((*subject, made));
    }
    Ok(Ok(counted))
}

/// Stores what [`add_event`] counted.
pub(super) fn store_counts<S: AttemptStore + ?Sized>(
    store: &mut S,
    counted: &CountedSubjects,
    now: Timestamp,
) -> Result<(), StoreError> {
    counted.iter().try_for_each(|(subject, made)| store.attempts_update(subject, made, end_of(now)))
}

/// When an event stops counting.
pub(super) fn end_of(event: Timestamp) -> Timestamp {
    event.checked_add(WINDOW).unwrap_or(Timestamp::MAX)
}

fn recent(mut made: Vec<Timestamp>, now: Timestamp) -> Vec<Timestamp> {
    made.retain(|at| now < end_of(*at));
    made.sort_unstable();
    made
}

/// When enough of these events will have expired, if there are too many.
fn blocked_until(made: &[Timestamp], most: usize) -> Option<Timestamp> {
    let deciding = made.len().checked_sub(most)?;
    made.get(deciding).map(|at| end_of(*at))
}
