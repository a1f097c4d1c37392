//! Work of the server that cannot be done.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_ports::store::{FailedWork, QuarantineStore, QuarantinedWork, StoreError, WorkKind};

lombard_database::quarantine! { "quarantined_work" }

impl QuarantineStore for Rows<'_, '_> {
    fn quarantine_add(&mut self, work: &[FailedWork], now: Timestamp) -> Result<Vec<FailedWork>, StoreError> {
        QUARANTINE.add(self, work, now)
    }

    fn quarantined(&mut self, after: i64, limit: u32) -> Result<Vec<QuarantinedWork>, StoreError> {
        QUARANTINE.after(self, after, limit)
    }

    fn quarantined_counts(&mut self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        QUARANTINE.counts(self)
    }

    fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, StoreError> {
        QUARANTINE.release(self, number)
    }
}
