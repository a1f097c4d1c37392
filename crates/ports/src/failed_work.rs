//! Failed work, by its kind and its cause. Failed work is quarantined, so that other work continues: the server's work in the
//! server's store, and a core's work in the core's store.

use lombard_domain::code::StoredCode;
use std::error::Error;

/// The maximum length of a stored cause, in characters.
const CAUSE_CHARS_MAX: usize = 500;

/// The kinds of work that can be quarantined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// A due arrangement. Its subject is `LIST/ACCOUNT/ID`.
    Arrangement,
    /// An order at the built-in bank. Its subject is the order's id there; the payments of a file are orders of their
    /// own.
    BankOrder,
    /// A job. Its subject is the job's id.
    Job,
    /// An order whose deadline for approvals passed. Its subject is the order's id.
    LapsedOrder,
    /// A pending entry due for booking. Its subject is the entry's id.
    PendingEntry,
    /// The status updates of an order at the bank. Its subject is the id of the order, or of a payment of its file.
    StatusUpdate,
    /// A payment consent that was not decided in time. Its subject is the consent's id.
    UndecidedConsent,
    /// An upload that is not attached to a consent. Its subject is the upload's id.
    Upload,
}

impl WorkKind {
    /// All kinds, by name.
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

    /// The name, as stored, logged and shown to operators.
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

/// A piece of failed work, with its cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedWork {
    /// Its kind.
    pub kind: WorkKind,
    /// The subject, as the kind defines it.
    pub subject: String,
    /// The error with its causes.
    pub cause: String,
}

impl FailedWork {
    /// The work that failed with this error.
    pub fn new(kind: WorkKind, subject: impl Into<String>, error: &dyn Error) -> Self {
        let (mut causes, mut next) = (vec![error.to_string()], error.source());
        while let Some(error) = next {
            causes.push(error.to_string());
            next = error.source();
        }
        // A transparent error repeats the text of its source.
        causes.dedup();
        let cause = causes.join(": ").chars().take(CAUSE_CHARS_MAX).collect();
        Self { kind, subject: subject.into(), cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    #[test]
    fn a_cause_names_every_error_once_and_is_bounded() {
        let source = "x".repeat(1_000);
        let error = StoreError::Corrupt { table: "jobs", id: "j".to_owned(), source: source.into() };
        let failed = FailedWork::new(WorkKind::Job, "j", &error);
        assert!(failed.cause.starts_with("a row of jobs cannot be read: xxx"), "{}", failed.cause);
        assert_eq!(failed.cause.chars().count(), CAUSE_CHARS_MAX);
    }
}
