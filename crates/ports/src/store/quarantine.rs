//! Quarantine: failed work that is set apart so that other work continues. It is shared by all nodes and survives a
//! restart; only an operator's command retries it.

use super::StoreError;
use crate::failed_work::{FailedWork, WorkKind};
use jiff::Timestamp;

/// Work in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantinedWork {
    /// Its id for operators; never reused.
    pub number: i64,
    /// The failed work.
    pub work: FailedWork,
    /// When it was quarantined (wall clock).
    pub since: Timestamp,
}

/// Rows of due work, and those among them that cannot be read. The caller quarantines the latter and queries again, so
/// that unreadable rows do not displace readable ones.
#[derive(Debug)]
pub struct DueRows<T> {
    /// The readable rows, in order.
    pub rows: Vec<T>,
    /// The unreadable rows.
    pub unreadable: Vec<FailedWork>,
}

impl<T> Default for DueRows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), unreadable: Vec::new() }
    }
}

/// The quarantine. Queries for due work omit quarantined work.
pub trait QuarantineStore {
    /// Adds work; work that is already quarantined is unchanged. Returns the added work.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantine_add(&mut self, work: &[FailedWork], now: Timestamp) -> Result<Vec<FailedWork>, StoreError>;

    /// The quarantined work after a number, sorted by number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantined(&mut self, after: i64, limit: u32) -> Result<Vec<QuarantinedWork>, StoreError>;

    /// The amount of quarantined work by kind, without kinds that have none.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantined_counts(&mut self) -> Result<Vec<(WorkKind, u64)>, StoreError>;

    /// Releases the work with this number, or all work, so that it is retried. Returns the amount released.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, StoreError>;
}
