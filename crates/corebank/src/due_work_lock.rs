//! The lock of due work between nodes.

use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_ports::store::StoreError;

/// The setting whose row is the lock between nodes. Its value is the time it was last taken (wall clock). Its name is that of
/// the first release: nodes of two releases that run at once must lock the same row.
const DUE_WORK_LOCK: &str = "bank.diary_turned_at";

/// Locks due work: other schedulers and clock changes wait until the transaction ends.
///
/// # Errors
/// [`StoreError`].
pub fn lock_due_work(tx: &mut dyn Tables, wall: Timestamp) -> Result<(), StoreError> {
    tx.setting_put(DUE_WORK_LOCK, &wall.to_string())
}
