//! The stored record of a scheduled routine.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, RecordId};

/// A recurring action of the built-in bank on an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledRoutine {
    /// Its id.
    pub id: RecordId,
    /// The account.
    pub account: BankAccountId,
    /// When it is due next (bank clock); `None` once it has ended.
    pub due_at: Option<Timestamp>,
    /// The plan, a JSON document of the bank.
    pub plan: String,
}
