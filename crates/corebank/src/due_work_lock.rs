//! The lock that allows one node at a time to run due work.

use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_ports::store::StoreError;

/// The setting whose row is the lock between nodes. Its value is the wall-clock time at which a node last took the lock. The key must
/// not change: nodes of two releases that run at the same time must lock the same row.
const DUE_WORK_LOCK: &str = "bank.diary_turned_at";

/// Locks due work. Other schedulers and clock changes wait until the transaction ends.
///
/// # Errors
/// [`StoreError`].
pub fn lock_due_work(tx: &mut dyn Tables, wall: Timestamp) -> Result<(), StoreError> {
    tx.setting_put(DUE_WORK_LOCK, &wall.to_string())
}
