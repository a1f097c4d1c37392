//! The built-in bank: answers the `Bank` port from the ledger in storage.
//!
//! It keeps nothing in memory, so any number of nodes may answer for the same ledger. It decides which accounts are
//! open to third parties; what of them a TPP may see is decided above the port.

mod balances;

use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{Account, AccountStatus, Balance, Transaction};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::page::{Page, Window};
use lombard_ports::bank::{Bank, BankError, EntryFilter};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{AccountSums, BankAccountRecord, Store, StoreError};

/// The built-in bank. Cloning shares the store.
#[derive(Debug, Clone)]
pub struct BuiltInBank {
    store: Store,
    clocks: Clocks,
}

impl BuiltInBank {
    /// A bank that keeps its ledger in this store and lives by the bank's clock.
    pub const fn new(store: Store, clocks: Clocks) -> Self {
        Self { store, clocks }
    }
}

/// Whether third parties may see an account. Source: AIS-082.
pub(crate) const fn is_open(status: AccountStatus, eligible: bool) -> bool {
    eligible && matches!(status, AccountStatus::Enabled)
}

fn open_accounts(records: Vec<BankAccountRecord>) -> Vec<Account> {
    let open = |record: &BankAccountRecord| is_open(record.account.status, record.eligible);
    records.into_iter().filter(open).map(|record| record.account).collect()
}

fn bank_error(error: StoreError) -> BankError {
    match error {
        StoreError::Contended | StoreError::Unavailable(_) => BankError::Unavailable(Box::new(error)),
        StoreError::Duplicate(_) | StoreError::Corrupt { .. } => BankError::Broken(error.to_string()),
    }
}

#[async_trait]
impl Bank for BuiltInBank {
    async fn accounts(&self, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        let ids = ids.to_vec();
        self.store.read(move |tx| tx.bank_accounts(&ids)).await.map(open_accounts).map_err(bank_error)
    }

    async fn eligible_accounts(&self, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        let psu = psu.clone();
        self.store.read(move |tx| tx.bank_accounts_of(&psu)).await.map(open_accounts).map_err(bank_error)
    }

    async fn balances(&self, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let ids = ids.to_vec();
        let rows = self.store.read(move |tx| tx.account_sums(&ids)).await.map_err(bank_error)?;
        let now = self.clocks.bank();
        let mut list = Vec::with_capacity(rows.len().saturating_mul(2));
        for row in rows.iter().filter(|row: &&AccountSums| is_open(row.status, row.eligible)) {
            list.extend(balances::of(row, now)?);
        }
        Ok(list)
    }

    async fn transactions(&self, filter: &EntryFilter, window: &Window) -> Result<Page<Transaction>, BankError> {
        let (filter, window) = (filter.clone(), window.clone());
        self.store.read(move |tx| tx.entries(&filter, &window)).await.map_err(bank_error)
    }

    async fn transaction_span(&self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, BankError> {
        let filter = filter.clone();
        self.store.read(move |tx| tx.entry_span(&filter)).await.map_err(bank_error)
    }
}
