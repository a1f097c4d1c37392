//! Rows that the steps of a batch have added and that the batch has not written yet.

use crate::storage::{BankTransaction, OrderAtBank, PostResult};
use lombard_domain::account::Transaction;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::ledger::Journal;
use lombard_domain::money::Currency;
use lombard_ports::bank::StatusUpdate;
use lombard_ports::store::StoreError;
use std::collections::{BTreeMap, HashSet};

/// Rows that the batch still has to write.
#[derive(Debug, Default)]
pub(super) struct PendingRows {
    pub(super) opened: Vec<(BankAccountId, Currency)>,
    pub(super) journals: Vec<Journal>,
    pub(super) entries: Vec<Transaction>,
    /// Pending entries that took their final state.
    pub(super) settled: Vec<Transaction>,
    /// The last state of each order.
    pub(super) orders: BTreeMap<OrderId, OrderAtBank>,
    pub(super) updates: Vec<StatusUpdate>,
    /// The accounts that have a posting or an entry among these rows.
    pub(super) touched: HashSet<BankAccountId>,
}

impl PendingRows {
    /// Whether none of these rows concerns the account.
    pub(super) fn is_untouched(&self, account: &BankAccountId) -> bool {
        !self.touched.contains(account)
    }

    /// Writes all rows. A row is written after the rows that it refers to.
    pub(super) fn write(&mut self, tx: &mut dyn BankTransaction) -> Result<(), StoreError> {
        let Self { opened, journals, entries, settled, orders, updates, touched: _ } = std::mem::take(self);
        if !opened.is_empty() {
            tx.ledger_accounts_open(&opened)?;
        }
        if !journals.is_empty() && tx.journals_post(&journals)?.contains(&PostResult::AlreadyPosted) {
            return Err(StoreError::Duplicate("journals"));
        }
        if !entries.is_empty() {
            tx.entries_insert(&entries)?;
        }
        if !settled.is_empty() {
            tx.entries_settle(&settled)?;
        }
        if !orders.is_empty() {
            let orders: Vec<_> = orders.into_values().collect();
            tx.bank_orders_update(&orders)?;
        }
        if !updates.is_empty() {
            tx.bank_updates_append(&updates)?;
        }
        Ok(())
    }
}
