//! Jobs: work that a commit promises, claimed by lease so that any node may do it and none does it twice at once.

use super::{DueRows, StoreError};
use jiff::Timestamp;
use lombard_domain::ids::JobId;
use lombard_domain::job::Job;

/// Jobs in storage.
pub trait JobQueue {
    /// Adds a job.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn job_enqueue(&mut self, job: &Job) -> Result<(), StoreError>;

    /// Claims up to `limit` jobs of a kind that are due, not leased and not in quarantine, until `lease_until`; counts the
    /// attempt. Two claimants never get the same job.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_claim(
        &mut self,
        kind: &str,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> Result<DueRows<Job>, StoreError>;

    /// Removes a finished job; `false` if somebody else did, after the lease had run out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError>;

    /// Gives a job back, due again at a time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError>;
}
