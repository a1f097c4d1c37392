//! Storage of the built-in bank's due work.

use super::{AccountSums, Arrangement, BankAccountRecord};
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, Transaction};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::Posting;
use lombard_ports::store::{DueRows, StoreError};

/// Storage of the scheduler's work. Times are on the bank's clock.
pub trait ScheduleStore {
    /// Arrangements of every kind that are due at or before a time and not in quarantine, earliest first, then by list, account
    /// and id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn arrangements_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Arrangement>, StoreError>;

    /// Pending entries whose booking is expected at or before a time and that are not in quarantine, earliest first, then by
    /// id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_pending(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Transaction>, StoreError>;

    /// The booked entries that a statement closed at this time would contain (see `statement_close`), oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_on_no_statement(
        &mut self,
        account: &BankAccountId,
        until: Timestamp,
    ) -> Result<Vec<Transaction>, StoreError>;

    /// The booking time of an account's latest booked entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_latest_booking(&mut self, account: &BankAccountId) -> Result<Option<Timestamp>, StoreError>;

    /// Stores the final state of a pending entry: its status, booking time and texts. Its account and amount are unchanged. An
    /// entry that is not pending is never changed (AIS-122, AIS-123).
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no such entry or it is not pending.
    fn entry_settle(&mut self, entry: &Transaction) -> Result<(), StoreError> {
        self.entries_settle(std::slice::from_ref(entry))
    }

    /// Does the same as [`entry_settle`](Self::entry_settle) for several different entries.
    ///
    /// # Errors
    /// The errors of [`entry_settle`](Self::entry_settle).
    fn entries_settle(&mut self, entries: &[Transaction]) -> Result<(), StoreError>;

    /// The postings of the journal that reserved a pending entry, in their stored order; empty for an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError>;

    /// The cause of the journal that reserved a pending entry; `None` for an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reservation_cause(&mut self, entry: &TransactionId) -> Result<Option<String>, StoreError>;

    /// The sums of one account (see `account_sums`), which stays locked until this transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_sums_for_update(&mut self, id: &BankAccountId) -> Result<Option<AccountSums>, StoreError>;

    /// The account of this bank that has the given account number, by scheme and number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_by_number(&mut self, number: &AccountIdentification) -> Result<Option<BankAccountId>, StoreError>;

    /// Does the same as [`bank_account_by_number`](Self::bank_account_by_number) for several numbers; results are in the given order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_by_numbers(
        &mut self,
        numbers: &[AccountIdentification],
    ) -> Result<Vec<Option<BankAccountId>>, StoreError>;

    /// Reads rows for several steps, in one round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    fn step_rows(&mut self, wanted: &StepRows) -> Result<StepRowsRead, StoreError>;

    /// Waits until the database has executed all earlier writes, so that a failure of any of them is reported now.
    ///
    /// # Errors
    /// The failure of an earlier write.
    fn confirm_writes(&mut self) -> Result<(), StoreError>;
}

/// The rows that several steps need.
#[derive(Debug, Default)]
pub struct StepRows {
    /// The accounts to read, each once.
    pub records: Vec<BankAccountId>,
    /// The accounts to lock, each once and in this order. Their sums and latest booking time are read after that.
    pub moved: Vec<BankAccountId>,
    /// The pending entries whose reservation is read.
    pub reserved: Vec<TransactionId>,
}

impl StepRows {
    /// Whether there are no rows to read.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.moved.is_empty() && self.reserved.is_empty()
    }
}

/// The rows that were read for [`StepRows`].
#[derive(Debug, Default)]
pub struct StepRowsRead {
    /// The existing ones of the requested accounts.
    pub records: Vec<BankAccountRecord>,
    /// The results of [`account_sums_for_update`](ScheduleStore::account_sums_for_update) and
    /// [`entry_latest_booking`](ScheduleStore::entry_latest_booking) for the existing ones of the accounts to lock.
    pub moved: Vec<(AccountSums, Option<Timestamp>)>,
    /// The results of [`reserved_postings`](ScheduleStore::reserved_postings), in the order of the entries.
    pub reserved: Vec<Vec<Posting>>,
}
