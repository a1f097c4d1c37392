//! Work that cannot be done is put in quarantine: the rest goes on, operators see it with its cause, and have it tried again.

use crate::Failure;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{FailedWork, QuarantinedWork, Store, StoreError, Transaction, WorkKind};

/// Most work shown at once.
const SHOWN_MAX: u32 = 1_000;

/// Whether a failure is of the work itself: trying again brings the same. Storage or a bank that is out says nothing about it.
pub(crate) const fn is_lasting(failure: &Failure) -> bool {
    match failure {
        Failure::Refused(_) | Failure::Broken(_) => true,
        Failure::Unavailable(_) => false,
    }
}

/// Puts work in quarantine, and tells the operator once. Returns how much was not in it before.
///
/// # Errors
/// [`StoreError`]; nothing was put in quarantine then.
pub async fn quarantine(store: &Store, clocks: &Clocks, work: Vec<FailedWork>) -> Result<usize, StoreError> {
    if work.is_empty() {
        return Ok(0);
    }
    let now = clocks.wall();
    let added = store.write(move |tx| tx.quarantine_add(&work, now)).await?;
    for FailedWork { kind, subject, cause } in &added {
        tracing::error!(
            work.kind = kind.name(),
            work.subject = subject,
            cause,
            "work cannot be done and is in quarantine"
        );
        metrics::counter!("lombard_work_quarantined_total", "kind" => kind.name()).increment(1);
    }
    Ok(added.len())
}

/// What is in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantineContents {
    /// The work, the oldest first; the first thousand of it.
    pub work: Vec<QuarantinedWork>,
    /// How much of each kind there is.
    pub counts: Vec<(WorkKind, u64)>,
}

/// What is in quarantine.
///
/// # Errors
/// [`StoreError`].
pub async fn quarantined(store: &Store) -> Result<QuarantineContents, StoreError> {
    let look = |tx: &mut dyn Transaction| {
        Ok(QuarantineContents { work: tx.quarantined(0, SHOWN_MAX)?, counts: tx.quarantined_counts()? })
    };
    store.read(look).await
}

/// Lets work out of quarantine, so that it is tried again: that of a number, or all of it. Returns how much that was.
///
/// # Errors
/// [`StoreError`].
pub async fn release_quarantined(store: &Store, number: Option<i64>) -> Result<u64, StoreError> {
    let released = store.write(move |tx| tx.quarantine_release(number)).await?;
    tracing::info!(work.number = number, released, "work in quarantine is to be tried again");
    Ok(released)
}

/// Sets the gauge of what is in quarantine. To be called on a period.
///
/// # Errors
/// [`StoreError`].
pub async fn measure_quarantine(store: &Store) -> Result<(), StoreError> {
    let counts = store.read(|tx| tx.quarantined_counts()).await?;
    let count = counts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
    metrics::gauge!("lombard_work_quarantined").set(u32::try_from(count).unwrap_or(u32::MAX));
    Ok(())
}
