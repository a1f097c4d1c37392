//! Arrangements and statements.

pub(super) mod lists;
pub(super) mod statements;

use crate::storage::{Arrangement, ArrangementKind, ArrangementStore};
use crate::tables::BankRows;
use jiff::Timestamp;
use lombard_domain::account::Statement;
use lombard_domain::ids::{BankAccountId, RecordId, StatementId};
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::StatementFilter;
use lombard_ports::store::StoreError;

impl ArrangementStore for BankRows<'_, '_> {
    fn arrangements_put(&mut self, arrangements: &[Arrangement]) -> Result<(), StoreError> {
        lists::put(self, arrangements)
    }

    fn arrangement(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<Option<Arrangement>, StoreError> {
        lists::one(self, kind, account, id)
    }

    fn arrangement_remove(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<bool, StoreError> {
        lists::remove(self, kind, account, id)
    }

    fn arrangements(
        &mut self,
        kind: ArrangementKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<Page<Arrangement>, StoreError> {
        lists::page(self, kind, accounts, window)
    }

    fn statement_close(&mut self, statement: &Statement) -> Result<u64, StoreError> {
        statements::close(self, statement)
    }

    fn statements_known(&mut self, ids: &[StatementId]) -> Result<Vec<StatementId>, StoreError> {
        statements::known(self, ids)
    }

    fn statements(&mut self, filter: &StatementFilter, window: &ListWindow) -> Result<Page<Statement>, StoreError> {
        statements::page(self, filter, window)
    }

    fn statement_span(&mut self, filter: &StatementFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
        statements::span(self, filter)
    }

    fn statement(&mut self, account: &BankAccountId, id: &StatementId) -> Result<Option<Statement>, StoreError> {
        statements::by_id(self, account, id)
    }
}
