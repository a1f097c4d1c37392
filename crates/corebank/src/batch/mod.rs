//! A transaction that runs many steps: rows are read once, many at a time, and the rows that the steps add are written in sets.
//!
//! The batch lies between the steps and the bank's storage. A step reads the same values as without a batch. The batch keeps a row in
//! memory only if this transaction has locked it, or if the value of the first read may be used. It writes all other rows before a
//! query that could return them.
//!
//! The batch assumes that the cause of each journal is new. If that is wrong, writing the journals fails with
//! [`StoreError::Duplicate`]; the transaction is rolled back, and its steps must be run one by one.
//!
//! The rows of the last steps are written only by [`BatchTransaction::finish`].

mod forwarded;
mod ledger;
mod pending;
mod steps;

pub(crate) use steps::StepNeeds;

use crate::storage::{AccountSums, BankAccountRecord, BankTransaction};
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::Posting;
use lombard_ports::store::StoreError;
use pending::PendingRows;
use std::collections::{HashMap, HashSet};

/// A transaction that runs many steps.
pub(crate) struct BatchTransaction<'b, 't> {
    tx: &'b mut (dyn BankTransaction + 't),
    known: KnownRows,
    pending: PendingRows,
}

/// Rows that were read.
#[derive(Debug, Default)]
struct KnownRows {
    /// Accounts as they were at the first read. Concurrent changes of them take effect after this transaction.
    records: HashMap<BankAccountId, Option<BankAccountRecord>>,
    /// The account of each account number, by scheme and number.
    numbers: HashMap<(&'static str, String), Option<BankAccountId>>,
    /// The sums of the accounts that this transaction has locked, including its own postings.
    sums: HashMap<BankAccountId, AccountSums>,
    /// The booking time of the latest entry of each locked account, including entries of this transaction.
    latest: HashMap<BankAccountId, Option<Timestamp>>,
    /// The postings of reservations, which never change.
    reserved: HashMap<TransactionId, Vec<Posting>>,
    /// Ledger accounts that are known to exist.
    opened: HashSet<BankAccountId>,
    /// Causes that this transaction has posted.
    causes: HashSet<String>,
}

impl<'b, 't> BatchTransaction<'b, 't> {
    /// Wraps a transaction in a batch.
    pub(crate) fn new(tx: &'b mut (dyn BankTransaction + 't)) -> Self {
        Self { tx, known: KnownRows::default(), pending: PendingRows::default() }
    }

    /// Writes the rows that the steps have added.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if a cause had been posted before; [`StoreError`] otherwise.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        self.write_pending()
    }

    fn write_pending(&mut self) -> Result<(), StoreError> {
        self.pending.write(self.tx)
    }
}
