//! The built-in bank's tables: customers, accounts, journals, and the entries that customers see.

pub(super) mod accounts;
pub(super) mod customers;
pub(super) mod entries;
pub(super) mod journals;

use crate::storage::{
    AccountAvailability, AccountSums, BankAccountRecord, BankSize, Customer, EntryList, LedgerStore, PostResult,
};
use crate::tables::BankRows;
use jiff::Timestamp;
use lombard_domain::account::Transaction;
use lombard_domain::ids::{BankAccountId, PsuId, TransactionId};
use lombard_domain::ledger::{Journal, LedgerSums};
use lombard_domain::money::Currency;
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::StoreError;

impl LedgerStore for BankRows<'_, '_> {
    fn customers_insert(&mut self, customers: &[Customer]) -> Result<(), StoreError> {
        customers::insert(self, customers)
    }

    fn customers(&mut self) -> Result<Vec<Customer>, StoreError> {
        customers::all(self)
    }

    fn customer(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
        customers::by_id(self, psu)
    }

    fn customer_for_update(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
        customers::for_update(self, psu)
    }

    fn customer_update(&mut self, customer: &Customer) -> Result<(), StoreError> {
        customers::update(self, customer)
    }

    fn ledger_accounts_open(&mut self, accounts: &[(BankAccountId, Currency)]) -> Result<(), StoreError> {
        journals::open_accounts(self, accounts)
    }

    fn bank_account_insert(&mut self, account: &BankAccountRecord) -> Result<(), StoreError> {
        accounts::insert(self, account)
    }

    fn bank_account_for_update(&mut self, id: &BankAccountId) -> Result<Option<BankAccountRecord>, StoreError> {
        accounts::for_update(self, id)
    }

    fn bank_account_update(&mut self, account: &BankAccountRecord) -> Result<(), StoreError> {
        accounts::update(self, account)
    }

    fn bank_accounts(&mut self, ids: &[BankAccountId]) -> Result<Vec<BankAccountRecord>, StoreError> {
        accounts::by_ids(self, ids)
    }

    fn bank_accounts_of(&mut self, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError> {
        accounts::of_customer(self, psu)
    }

    fn bank_accounts_of_any(&mut self, psus: &[PsuId]) -> Result<Vec<BankAccountRecord>, StoreError> {
        accounts::of_customers(self, psus)
    }

    fn bank_size(&mut self) -> Result<BankSize, StoreError> {
        accounts::bank_size(self)
    }

    fn has_entries(&mut self, account: &BankAccountId, count: u32) -> Result<bool, StoreError> {
        entries::has_so_many(self, account, count)
    }

    fn account_availability(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountAvailability>, StoreError> {
        accounts::availability(self, ids)
    }

    fn entry_versions(&mut self, ids: &[BankAccountId]) -> Result<Vec<(AccountAvailability, i64)>, StoreError> {
        accounts::entry_versions(self, ids)
    }

    fn account_sums(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountSums>, StoreError> {
        accounts::sums(self, ids)
    }

    fn journals_post(&mut self, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError> {
        journals::post(self, journals)
    }

    fn ledger_sums(&mut self, accounts: &[BankAccountId]) -> Result<Vec<LedgerSums>, StoreError> {
        journals::sums(self, accounts)
    }

    fn ledger_totals(&mut self) -> Result<Vec<(Currency, LedgerSums)>, StoreError> {
        journals::totals(self)
    }

    fn entries_insert(&mut self, entries: &[Transaction]) -> Result<(), StoreError> {
        entries::insert(self, entries)
    }

    fn entries_known(&mut self, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError> {
        entries::known(self, ids)
    }

    fn entries(&mut self, filter: &EntryFilter, window: &ListWindow) -> Result<Page<Transaction>, StoreError> {
        entries::page(self, filter, window)
    }

    fn entry_list(
        &mut self,
        covered: &EntryFilter,
        asked: Option<&EntryFilter>,
        window: &ListWindow,
    ) -> Result<EntryList, StoreError> {
        entries::list(self, covered, asked, window)
    }

    fn entry_span(&mut self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
        entries::span(self, filter)
    }
}
