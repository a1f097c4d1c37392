//! Queries for the scheduler's due work, and for the rows that its steps need.

use super::arrangements::lists;
use super::ledger::{accounts, entries, journals};
use crate::storage::{AccountSums, Arrangement, ScheduleStore, StepRows, StepRowsRead};
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

    fn entries_settle(&mut self, entries: &[Transaction]) -> Result<(), StoreError> {
        entries::settle(self, entries)
    }

    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError> {
        journals::reserved_postings(self, entry)
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

    fn bank_accounts_by_numbers(
        &mut self,
        numbers: &[AccountIdentification],
    ) -> Result<Vec<Option<BankAccountId>>, StoreError> {
        accounts::by_numbers(self, numbers)
    }

    fn step_rows(&mut self, wanted: &StepRows) -> Result<StepRowsRead, StoreError> {
        let StepRows { records, moved, reserved } = wanted;
        let mut queries = vec![accounts::records_query(records)];
        // All locks are obtained before the first latest booking is read.
        queries.extend(moved.iter().map(accounts::locking_query));
        queries.extend(moved.iter().map(entries::latest_booking_query));
        queries.extend(reserved.iter().map(journals::aside_query));
        let (count, mut read) = (moved.len(), StepRowsRead::default());
        let (mut sums, mut latest) = (Vec::with_capacity(count), vec![None; count]);
        read.reserved = reserved.iter().map(|_| Vec::new()).collect();
        self.query_together(&queries, |number, row| {
            let Some(number) = number.checked_sub(1) else {
                read.records.push(accounts::read(row)?);
                return Ok(());
            };
            if number < count {
                sums.push((number, accounts::read_sums(row)?));
            } else if let Some(latest) = latest.get_mut(number.saturating_sub(count)) {
                *latest = Some(row.instant()?);
            } else if let Some(postings) = read.reserved.get_mut(number.saturating_sub(count.saturating_mul(2))) {
                postings.push(journals::read_aside(row)?);
            }
            Ok(())
        })?;
        let with_latest = |(number, sums): (usize, AccountSums)| (sums, latest.get(number).copied().flatten());
        read.moved = sums.into_iter().map(with_latest).collect();
        Ok(read)
    }

    fn confirm_writes(&mut self) -> Result<(), StoreError> {
        self.confirm()
    }
}
