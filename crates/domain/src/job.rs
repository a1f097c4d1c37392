//! Jobs: work to be done after a commit, claimed by lease.

use crate::ids::JobId;
use jiff::Timestamp;

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The kind of job, which determines its worker.
    pub kind: String,
    /// The subject of the job, usually an id.
    pub subject: String,
    /// The earliest time (bank clock) at which it may be claimed.
    pub due_at: Timestamp,
    /// How often it has been claimed.
    pub attempts: i64,
}
