//! The stored record of a scheduled routine.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, RecordId};

/// A recurring action of the built-in bank on an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledRoutine {
    /// The id of the routine.
    pub id: RecordId,
    /// The account.
    pub account: BankAccountId,
    /// When the routine is due next (bank clock); `None` once it has ended.
    pub due_at: Option<Timestamp>,
    /// The plan, as a JSON document that the bank defines.
    pub plan: String,
}
