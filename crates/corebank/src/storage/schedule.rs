//! What the built-in bank needs to carry out what is due on its clock.

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

    /// Stores what became of a pending entry: its status, when it was booked, and what it says. Its account and sum stay;
    /// once it is not pending, nothing changes any more (AIS-122, AIS-123).
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no such entry or it is not pending.
    fn entry_settle(&mut self, entry: &Transaction) -> Result<(), StoreError>;

    /// The postings of the journal that keeps a pending entry's money aside, in their order; none of an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError>;

    /// The cause of the journal that keeps a pending entry's money aside; none of an unknown entry.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reservation_cause(&mut self, entry: &TransactionId) -> Result<Option<String>, StoreError>;

    /// As `account_sums`, of one account, and nobody else moves its sums until this transaction ends.
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
