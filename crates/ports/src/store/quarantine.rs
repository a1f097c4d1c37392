//! Work that cannot be done, kept apart so that everything else goes on. It is known to every node and survives a restart;
//! only an operator's command has it tried again.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::code::StoredCode;
use std::error::Error;

/// The longest cause that is kept, in characters.
const CAUSE_CHARS_MAX: usize = 500;

/// The kinds of work that workers find in storage and that may be quarantined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// An arrangement that is due. Its subject is `LIST/ACCOUNT/ID`.
    Arrangement,
    /// An order at the built-in bank. Its subject is the id the bank knows it by: a file's payments are orders of their own.
    BankOrder,
    /// A job. Its subject is the job's id.
    Job,
    /// An order that not everybody agreed to in time. Its subject is the order's id.
    LapsedOrder,
    /// A pending entry that is to be booked. Its subject is the entry's id.
    PendingEntry,
    /// Status updates that the bank has for an order. Its subject is the order's id, or one that the bank knows a payment of its
    /// file by.
    StatusUpdate,
    /// A payment consent that nobody decided on in time. Its subject is the consent's id.
    UndecidedConsent,
    /// An upload that no consent took. Its subject is the upload's id.
    Upload,
}

impl WorkKind {
    /// All of them, by name.
    pub const ALL: [Self; 8] = [
        Self::Arrangement,
        Self::BankOrder,
        Self::Job,
        Self::LapsedOrder,
        Self::PendingEntry,
        Self::StatusUpdate,
        Self::UndecidedConsent,
        Self::Upload,
    ];

    /// Its name, as it is stored, logged and shown to operators.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrangement => "arrangement",
            Self::BankOrder => "bank-order",
            Self::Job => "job",
            Self::LapsedOrder => "lapsed-order",
            Self::PendingEntry => "pending-entry",
            Self::StatusUpdate => "status-update",
            Self::UndecidedConsent => "undecided-consent",
            Self::Upload => "upload",
        }
    }
}

impl StoredCode for WorkKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }
}

/// A piece of work that cannot be done, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedWork {
    /// Its kind.
    pub kind: WorkKind,
    /// Which one of its kind.
    pub subject: String,
    /// The error with its causes.
    pub cause: String,
}

impl FailedWork {
    /// Work that failed with this error.
    pub fn new(kind: WorkKind, subject: impl Into<String>, error: &dyn Error) -> Self {
        let (mut causes, mut next) = (vec![error.to_string()], error.source());
        while let Some(error) = next {
            causes.push(error.to_string());
            next = error.source();
        }
        // A transparent error says what its source says.
        causes.dedup();
        let cause = causes.join(": ").chars().take(CAUSE_CHARS_MAX).collect();
        Self { kind, subject: subject.into(), cause }
    }
}

/// Work in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantinedWork {
    /// Its id for operators; never reused.
    pub number: i64,
    /// The work, and why it cannot be done.
    pub work: FailedWork,
    /// Since when (wall clock).
    pub since: Timestamp,
}

/// Rows of work that is due, and those among them that cannot be read. Whoever asks for them quarantines the latter and asks
/// again: so unreadable rows never take the places of others for long.
#[derive(Debug)]
pub struct DueRows<T> {
    /// Those that can be read, in their order.
    pub rows: Vec<T>,
    /// Those that cannot.
    pub unreadable: Vec<FailedWork>,
}

impl<T> Default for DueRows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), unreadable: Vec::new() }
    }
}

/// The quarantine. Queries for work that is due leave out what is in it.
pub trait QuarantineStore {
    /// Adds work; what is in quarantine already stays as it is. Returns those that were added.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantine_add(&mut self, work: &[FailedWork], now: Timestamp) -> Result<Vec<FailedWork>, StoreError>;

    /// What is in quarantine, by number, after a number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantined(&mut self, after: i64, limit: u32) -> Result<Vec<QuarantinedWork>, StoreError>;

    /// How much of each kind is in quarantine; kinds without any are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantined_counts(&mut self) -> Result<Vec<(WorkKind, u64)>, StoreError>;

    /// Lets work out, so that it is tried again: that of a number, or all of it. Returns how much that was.
    ///
    /// # Errors
    /// [`StoreError`].
    fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_names_every_error_once_and_is_bounded() {
        let source = "x".repeat(1_000);
        let error = StoreError::Corrupt { table: "jobs", id: "j".to_owned(), source: source.into() };
        let failed = FailedWork::new(WorkKind::Job, "j", &error);
        assert!(failed.cause.starts_with("a row of jobs cannot be read: xxx"), "{}", failed.cause);
        assert_eq!(failed.cause.chars().count(), CAUSE_CHARS_MAX);
    }
}
