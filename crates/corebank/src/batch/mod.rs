//! A transaction of many steps: rows are read once, many at a time, and what the steps add is written in sets.
//!
//! It stands between the steps and the storage of the bank and changes nothing of what they see: a row is kept in memory only if
//! this transaction has locked it or may take it as it was at the first look, and whatever is not kept is written before a query
//! that could find it. That a journal's cause is new is assumed, and found out when the journals are written; the transaction is
//! given up then ([`StoreError::Duplicate`]), and its steps are to be carried out one by one.
//!
//! Nothing is written after the last step unless [`BatchTransaction::finish`] is called.

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

/// A transaction of many steps.
pub(crate) struct BatchTransaction<'b, 't> {
    tx: &'b mut (dyn BankTransaction + 't),
    known: KnownRows,
    pending: PendingRows,
}

/// Rows that were read.
#[derive(Debug, Default)]
struct KnownRows {
    /// Accounts as they were when they were read first: what is changed of them concurrently comes after this transaction.
    records: HashMap<BankAccountId, Option<BankAccountRecord>>,
    /// The accounts of numbers, by scheme and number.
    numbers: HashMap<(&'static str, String), Option<BankAccountId>>,
    /// The sums of accounts that this transaction has locked, with what it has posted.
    sums: HashMap<BankAccountId, AccountSums>,
    /// When the latest entry of a locked account was booked, with those of this transaction.
    latest: HashMap<BankAccountId, Option<Timestamp>>,
    /// The postings of reservations, which never change.
    reserved: HashMap<TransactionId, Vec<Posting>>,
    /// Ledger accounts that exist.
    opened: HashSet<BankAccountId>,
    /// Causes that this transaction has posted.
    causes: HashSet<String>,
}

impl<'b, 't> BatchTransaction<'b, 't> {
    /// Puts a batch in front of a transaction.
    pub(crate) fn new(tx: &'b mut (dyn BankTransaction + 't)) -> Self {
        Self { tx, known: KnownRows::default(), pending: PendingRows::default() }
    }

    /// Writes what the steps have added.
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
