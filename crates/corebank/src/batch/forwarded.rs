//! The calls that a batch forwards to storage unchanged. Either the rows that the batch keeps in memory do not concern these tables, or
//! the batch writes the rows first.

use super::BatchTransaction;
use crate::storage::{
    AccountChangeStore, Arrangement, ArrangementKind, ArrangementStore, BankResetStore, BankTransaction,
    PersonalDataStore,
};
use jiff::Timestamp;
use lombard_domain::account::Statement;
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, FapiInteractionId, OrderId, PsuId, RecordId, StatementId};
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::{AccountChange, StatementFilter};
use lombard_ports::store::{
    CustomerRecords, FailedWork, QuarantineStore, QuarantinedWork, SettingStore, Source, StoreError, WorkKind,
};

impl BankTransaction for BatchTransaction<'_, '_> {}

impl AccountChangeStore for BatchTransaction<'_, '_> {
    fn account_change_append(
        &mut self,
        account: &BankAccountId,
        at: Timestamp,
        reason: Option<AccountReason>,
        cause: Option<&FapiInteractionId>,
    ) -> Result<u64, StoreError> {
        self.tx.account_change_append(account, at, reason, cause)
    }

    fn account_changes(&mut self, limit: u32) -> Result<Vec<AccountChange>, StoreError> {
        self.tx.account_changes(limit)
    }

    fn account_changes_drop(&mut self, upto: u64) -> Result<(), StoreError> {
        self.tx.account_changes_drop(upto)
    }
}

impl ArrangementStore for BatchTransaction<'_, '_> {
    fn arrangements_put(&mut self, arrangements: &[Arrangement]) -> Result<(), StoreError> {
        self.tx.arrangements_put(arrangements)
    }

    fn arrangement(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<Option<Arrangement>, StoreError> {
        self.tx.arrangement(kind, account, id)
    }

    fn arrangement_remove(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<bool, StoreError> {
        self.tx.arrangement_remove(kind, account, id)
    }

    fn arrangements(
        &mut self,
        kind: ArrangementKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<Page<Arrangement>, StoreError> {
        self.tx.arrangements(kind, accounts, window)
    }

    fn statement_close(&mut self, statement: &Statement) -> Result<u64, StoreError> {
        // Closing a statement assigns booked entries to it.
        self.write_pending()?;
        self.tx.statement_close(statement)
    }

    fn statements_known(&mut self, ids: &[StatementId]) -> Result<Vec<StatementId>, StoreError> {
        self.tx.statements_known(ids)
    }

    fn statements(&mut self, filter: &StatementFilter, window: &ListWindow) -> Result<Page<Statement>, StoreError> {
        self.tx.statements(filter, window)
    }

    fn statement_span(&mut self, filter: &StatementFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
        self.tx.statement_span(filter)
    }

    fn statement(&mut self, account: &BankAccountId, id: &StatementId) -> Result<Option<Statement>, StoreError> {
        self.tx.statement(account, id)
    }
}

impl BankResetStore for BatchTransaction<'_, '_> {
    fn bank_reset(&mut self) -> Result<(), StoreError> {
        (self.known, self.pending) = Default::default();
        self.tx.bank_reset()
    }

    fn copy_bank(&mut self, number: u32) -> Result<(), StoreError> {
        self.tx.copy_bank(number)
    }

    fn restore_bank(&mut self, number: u32) -> Result<(), StoreError> {
        (self.known, self.pending) = Default::default();
        self.tx.restore_bank(number)
    }

    fn remove_bank_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.tx.remove_bank_copy(number)
    }
}

impl PersonalDataStore for BatchTransaction<'_, '_> {
    fn customer_records(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<CustomerRecords>, StoreError> {
        self.write_pending()?;
        self.tx.customer_records(psu, limit)
    }

    fn account_order_open(&mut self, account: &BankAccountId) -> Result<Option<OrderId>, StoreError> {
        self.write_pending()?;
        self.tx.account_order_open(account)
    }

    fn account_records_remove(&mut self, account: &BankAccountId, limit: u32) -> Result<u64, StoreError> {
        self.write_pending()?;
        self.tx.account_records_remove(account, limit)
    }

    fn customer_remove(&mut self, psu: &PsuId) -> Result<(), StoreError> {
        self.write_pending()?;
        self.tx.customer_remove(psu)
    }
}

impl QuarantineStore for BatchTransaction<'_, '_> {
    fn quarantine_add(&mut self, work: &[FailedWork], now: Timestamp) -> Result<Vec<FailedWork>, StoreError> {
        self.tx.quarantine_add(work, now)
    }

    fn quarantined(&mut self, after: i64, limit: u32) -> Result<Vec<QuarantinedWork>, StoreError> {
        self.tx.quarantined(after, limit)
    }

    fn quarantined_counts(&mut self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        self.tx.quarantined_counts()
    }

    fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, StoreError> {
        self.tx.quarantine_release(number)
    }
}

impl SettingStore for BatchTransaction<'_, '_> {
    fn setting(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        self.tx.setting(name)
    }

    fn setting_put(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        self.tx.setting_put(name, value)
    }

    fn setting_corrupt(&self, name: &str, source: Source) -> StoreError {
        self.tx.setting_corrupt(name, source)
    }
}
