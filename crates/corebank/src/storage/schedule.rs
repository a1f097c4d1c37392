//! Storage for the built-in bank's due work.

use super::{AccountSums, Arrangement};
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

    /// The booked entries a statement closed at this time would take (see `statement_close`), oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_on_no_statement(
        &mut self,
        account: &BankAccountId,
        until: Timestamp,
    ) -> Result<Vec<Transaction>, StoreError>;

    /// When the latest booked entry of an account was booked.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_latest_booking(&mut self, account: &BankAccountId) -> Result<Option<Timestamp>, StoreError>;

    /// Stores the final state of a pending entry: its status, booking time and texts. Its account and amount are unchanged. An
    /// entry that is not pending is never changed (AIS-122, AIS-123).
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no such entry or it is not pending.
    fn entry_settle(&mut self, entry: &Transaction) -> Result<(), StoreError>;

    /// The postings of the reservation journal of a pending entry, in their order; none for an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError>;

    /// The cause of the reservation journal of a pending entry; `None` for an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reservation_cause(&mut self, entry: &TransactionId) -> Result<Option<String>, StoreError>;

    /// As `account_sums` for one account, which is locked until this transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_sums_for_update(&mut self, id: &BankAccountId) -> Result<Option<AccountSums>, StoreError>;

    /// The account of this bank with a number, by scheme and number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_by_number(&mut self, number: &AccountIdentification) -> Result<Option<BankAccountId>, StoreError>;
}
