//! Claims jobs that are due.

use super::quarantine::quarantine_work;
use crate::Context;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::job::Job;
use lombard_ports::store::{DueRows, ServerTransaction, StoreError};

/// A batch of claimed jobs.
#[derive(Debug)]
pub struct ClaimedJobs {
    /// The readable jobs.
    pub jobs: Vec<Job>,
    /// The number of jobs that were found, including unreadable ones; zero means that none is due.
    pub found: usize,
}

/// Claims jobs of a kind that are due at `now`, by the clock that the kind is due on, at most `batch`. No other node claims them
/// until the lease ends. Jobs that cannot be read are quarantined.
///
/// # Errors
/// [`StoreError`]; the jobs are claimed again when the lease has ended.
pub async fn claim_jobs(
    context: &Context,
    kind: &'static str,
    now: Timestamp,
    lease: SignedDuration,
    batch: u32,
) -> Result<ClaimedJobs, StoreError> {
    let until = now.saturating_add(lease).unwrap_or(Timestamp::MAX);
    let claim = move |tx: &mut dyn ServerTransaction| tx.jobs_claim(kind, now, until, batch);
    let DueRows { rows: jobs, unreadable } = context.store.write(claim).await?;
    let found = jobs.len().saturating_add(unreadable.len());
    quarantine_work(&context.store, &context.clocks, unreadable).await?;
    Ok(ClaimedJobs { jobs, found })
}
