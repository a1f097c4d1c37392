//! Jobs enqueued by a commit and claimed by lease: any node may run them, and no two run the same job at once.

use super::{DueRows, StoreError};
use jiff::Timestamp;
use lombard_domain::ids::JobId;
use lombard_domain::job::Job;

/// The number of unfinished jobs of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobsLeft {
    /// The jobs that are due, leased or not.
    pub due: i64,
    /// The jobs that failed and are due again later.
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

    /// Claims jobs about backchannel requests like [`Self::jobs_claim`], but at most `of_client` jobs of each client, so that no
    /// client delays the jobs of others. The subject of such a job is the id of its request.
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

    /// Those of these jobs that are unfinished, quarantined or not.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_existing(&mut self, ids: &[JobId]) -> Result<Vec<JobId>, StoreError>;

    /// The number of unfinished jobs of a kind that are not quarantined. `now` is a time of the clock by which the kind is due.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_left(&mut self, kind: &str, now: Timestamp) -> Result<JobsLeft, StoreError>;

    /// Removes a finished job; `false` if another node removed it after the lease had expired.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError>;

    /// Removes completed jobs, regardless of their leases.
    ///
    /// # Errors
    /// [`StoreError`].
    fn jobs_complete(&mut self, ids: &[JobId]) -> Result<(), StoreError>;

    /// Releases the lease of a job, which is due again at this time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError>;
}
