//! A routine of the bank as it is kept.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, RecordId};

/// Something the built-in bank does by itself on an account when its time comes, and then again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledRoutine {
    /// Its id.
    pub id: RecordId,
    /// The account it is done on.
    pub account: BankAccountId,
    /// When it is due next (bank clock); `None` once it is over.
    pub due_at: Option<Timestamp>,
    /// What is done, in the bank's own words.
    pub plan: String,
}
