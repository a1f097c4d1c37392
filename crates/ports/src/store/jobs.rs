//! Jobs enqueued by a commit and claimed by lease: any node may run them, and no two run the same job at once.

use super::{DueRows, StoreError};
use jiff::Timestamp;
use lombard_domain::ids::JobId;
use lombard_domain::job::Job;

/// How many jobs of a kind are left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobsLeft {
    /// Those that are due, leased or not.
    pub due: i64,
    /// Those that failed and are due again later.
    pub deferred: i64,
}

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

    /// Claims jobs about backchannel requests, as [`Self::jobs_claim`] does, but of each client at most `of_client`, so that one
    /// client's jobs leave room for those of others. The subject of such a job is the id of its request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_claim_by_client(
        &mut self,
        kind: &str,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
        of_client: u32,
    ) -> Result<DueRows<Job>, StoreError>;

    /// How many jobs of a kind, by the clock that the kind is due on, are left that are not quarantined.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_left(&mut self, kind: &str, now: Timestamp) -> Result<JobsLeft, StoreError>;

    /// Removes a finished job; `false` if another node did after the lease had expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError>;

    /// Removes completed jobs, whoever holds their leases.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_complete(&mut self, ids: &[JobId]) -> Result<(), StoreError>;

    /// Releases a job, due again at an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError>;
}
