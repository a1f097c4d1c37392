//! Jobs enqueued by a commit and claimed by lease: any node may run them, and no two run the same job at once.

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

    /// Claims up to `limit` jobs of a kind that are due, not leased and not quarantined, until `lease_until`, and
    /// increments their attempts. Two claimants never get the same job.
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

    /// Removes a finished job; `false` if another node did after the lease had expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError>;

    /// Releases a job, due again at an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError>;
}
