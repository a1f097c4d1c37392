//! Due work of the bank's scheduler, and the rows needed to carry it out.

use super::arrangements::lists;
use super::ledger::{accounts, entries, journals};
use crate::storage::{AccountSums, Arrangement, ScheduleStore};
use crate::tables::BankRows;
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, Transaction};
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::Posting;
use lombard_ports::store::{DueRows, StoreError};

impl ScheduleStore for BankRows<'_, '_> {
    fn arrangements_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Arrangement>, StoreError> {
        lists::due(self, until, limit)
    }

    fn entries_pending(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Transaction>, StoreError> {
        entries::pending(self, until, limit)
    }

    fn entries_on_no_statement(
        &mut self,
        account: &BankAccountId,
        until: Timestamp,
    ) -> Result<Vec<Transaction>, StoreError> {
        entries::on_no_statement(self, account, until)
    }

    fn entry_latest_booking(&mut self, account: &BankAccountId) -> Result<Option<Timestamp>, StoreError> {
        entries::latest_booking(self, account)
    }

    fn entry_settle(&mut self, entry: &Transaction) -> Result<(), StoreError> {
        entries::settle(self, entry)
    }

    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError> {
        journals::aside(self, entry)
    }

    fn reservation_cause(&mut self, entry: &TransactionId) -> Result<Option<String>, StoreError> {
        journals::reservation_cause(self, entry)
    }

    fn account_sums_for_update(&mut self, id: &BankAccountId) -> Result<Option<AccountSums>, StoreError> {
        accounts::sums_for_update(self, id)
    }

    fn bank_account_by_number(&mut self, number: &AccountIdentification) -> Result<Option<BankAccountId>, StoreError> {
        accounts::by_number(self, number)
    }
}
