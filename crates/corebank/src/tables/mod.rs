//! The bank's tables, implemented on `lombard-database`.

mod account_changes;
pub(crate) mod arrangements;
pub(crate) mod bank_orders;
#[cfg(test)]
mod contract;
pub(crate) mod ledger;
mod order_plans;
mod paging;
mod personal_data;
mod records;
mod reset;
mod schedule;
pub(crate) mod status_updates;
mod stored_data;
#[cfg(test)]
mod tests;

pub use stored_data::STORED_DATA;

use crate::storage::{BankStore, BankTables, BankTransaction};
use async_trait::async_trait;
use lombard_database::{Database, EarlierHistory, Schema, SqlTransaction};
use lombard_ports::store::{Engine, StoreError, TransactionWork};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The quarantine of the bank's work.
mod quarantine {
    lombard_database::quarantine! { "bank_quarantine", super::BankRows<'_, '_> }
}

/// The bank's settings, which all nodes share.
mod settings {
    lombard_database::settings_table! { "bank_settings", super::BankRows<'_, '_> }
}

/// The schema of the bank's tables. They are in the same database as the server's.
pub static SCHEMA: Schema = Schema {
    history: "bank_migrations",
    migrations: lombard_database::migrations! {
        1 "0001_ledger",
        2 "0002_arrangements_and_statements",
        3 "0003_bank_diary",
        4 "0004_bank_orders",
        5 "0005_account_authorisers",
        6 "0006_entries_booked_by_time",
        7 "0007_settings_and_quarantine",
        8 "0008_entries_version",
        9 "0009_account_changes",
        10 "0010_order_plans",
        11 "0011_orders_received",
        12 "0012_orders_received_index",
        13 "0013_bank_orders_by_debtor",
    },
    expands_after: 10,
    before: Some(EarlierHistory {
        history: "schema_migrations",
        numbers: &[(4, 1), (9, 2), (10, 3), (12, 4), (13, 5), (16, 6)],
        statements: include_str!("../../migrations/from_the_server.sql"),
    }),
};

/// Access to the bank's tables in a transaction.
#[derive(Debug)]
pub struct BankRows<'t, 'c> {
    session: &'t mut SqlTransaction<'c>,
}

impl<'t, 'c> BankRows<'t, 'c> {
    /// Wraps a transaction as access to the bank's tables.
    pub const fn new(session: &'t mut SqlTransaction<'c>) -> Self {
        Self { session }
    }
}

impl<'c> Deref for BankRows<'_, 'c> {
    type Target = SqlTransaction<'c>;

    fn deref(&self) -> &SqlTransaction<'c> {
        self.session
    }
}

impl<'c> DerefMut for BankRows<'_, 'c> {
    fn deref_mut(&mut self) -> &mut SqlTransaction<'c> {
        self.session
    }
}

impl BankTransaction for BankRows<'_, '_> {}

/// Creates the store of the bank's tables on a database.
pub fn open_bank_store(database: Database) -> BankStore {
    BankStore::new(Arc::new(OnDatabase(database)))
}

#[derive(Debug)]
struct OnDatabase(Database);

#[async_trait]
impl Engine<BankTables> for OnDatabase {
    async fn write(&self, work: TransactionWork<BankTables>) -> Result<(), StoreError> {
        self.0.write(on_rows(work)).await
    }

    async fn read(&self, work: TransactionWork<BankTables>) -> Result<(), StoreError> {
        self.0.read(on_rows(work)).await
    }

    async fn read_by_one_query(&self, work: TransactionWork<BankTables>) -> Result<(), StoreError> {
        self.0.read_by_one_query(on_rows(work)).await
    }

    fn waits_for_server(&self) -> bool {
        self.0.waits_for_server()
    }
}

fn on_rows(mut work: TransactionWork<BankTables>) -> lombard_database::Work {
    Box::new(move |session| work(&mut BankRows::new(session)))
}

/// Opens a temporary, migrated store on SQLite for the tests of other crates. It is removed with its last handle.
///
/// # Errors
/// [`StoreError::Unavailable`] if no temporary folder can be created.
#[cfg(any(test, feature = "testing"))]
pub async fn open_temporary_store() -> Result<BankStore, StoreError> {
    let options = lombard_database::StoreOptions::new("sqlite::memory:");
    Ok(open_bank_store(Database::open(&options, &[&SCHEMA]).await?))
}
