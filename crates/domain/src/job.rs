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
    /// The earliest time at which it may be claimed, by the clock that its kind is due on.
    pub due_at: Timestamp,
    /// The number of times that the job was claimed.
    pub attempts: i64,
}

impl Job {
    /// A job that has not been claimed yet.
    pub fn new(id: JobId, kind: &str, subject: impl Into<String>, due_at: Timestamp) -> Self {
        Self { id, kind: kind.to_owned(), subject: subject.into(), due_at, attempts: 0 }
    }
}
