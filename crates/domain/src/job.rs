//! Work that must happen after a commit, claimed by lease.

use crate::ids::JobId;
use jiff::Timestamp;

/// A unit of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Which worker it is for.
    pub kind: String,
    /// What it is about, usually an id.
    pub subject: String,
    /// Not before this time (bank clock).
    pub due_at: Timestamp,
    /// How often it was claimed.
    pub attempts: i64,
}
