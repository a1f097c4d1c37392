//! Transactions on the tables of the server and the built-in bank together. Only the sandbox uses them, because it owns both.

use async_trait::async_trait;
use lombard_corebank::BankRows;
#[cfg(test)]
use lombard_corebank::storage::BankStore;
use lombard_corebank::storage::BankTransaction;
use lombard_database::{Database, SqlTransaction};
use lombard_ports::store::{Engine, ServerTransaction, Store, StoreError, Tables, TransactionWork};
use lombard_store::Rows;
use std::sync::Arc;

/// A transaction on the tables of server and bank.
pub trait JointTransaction {
    /// The server's tables.
    fn server(&mut self) -> Box<dyn ServerTransaction + '_>;

    /// The bank's tables.
    fn bank(&mut self) -> Box<dyn BankTransaction + '_>;
}

/// The tables of server and bank.
#[derive(Debug)]
pub struct JointTables;

impl Tables for JointTables {
    type Transaction<'t> = dyn JointTransaction + 't;
}

/// A store with the tables of server and bank.
pub type JointStore = Store<JointTables>;

/// Creates the joint store on a database.
pub fn on_database(database: Database) -> JointStore {
    JointStore::new(Arc::new(OnDatabase(database)))
}

#[derive(Debug)]
struct OnDatabase(Database);

struct Both<'t, 'c>(&'t mut SqlTransaction<'c>);

impl JointTransaction for Both<'_, '_> {
    fn server(&mut self) -> Box<dyn ServerTransaction + '_> {
        Box::new(Rows::new(self.0))
    }

    fn bank(&mut self) -> Box<dyn BankTransaction + '_> {
        Box::new(BankRows::new(self.0))
    }
}

#[async_trait]
impl Engine<JointTables> for OnDatabase {
    async fn write(&self, work: TransactionWork<JointTables>) -> Result<(), StoreError> {
        self.0.write(on_both(work)).await
    }

    async fn read(&self, work: TransactionWork<JointTables>) -> Result<(), StoreError> {
        self.0.read(on_both(work)).await
    }
}

fn on_both(mut work: TransactionWork<JointTables>) -> lombard_database::Work {
    Box::new(move |session| work(&mut Both(session)))
}

/// Opens a temporary, migrated joint store on SQLite, together with the separate stores of server and bank, for tests.
///
/// # Errors
/// [`StoreError::Unavailable`] if no temporary folder can be created.
#[cfg(test)]
pub(crate) async fn open_temporary_store() -> Result<(Store, BankStore, JointStore), StoreError> {
    let schemas = [&lombard_store::SCHEMA, &lombard_corebank::SCHEMA];
    let database = Database::open(&lombard_database::StoreOptions::new("sqlite::memory:"), &schemas).await?;
    let bank = lombard_corebank::open_bank_store(database.clone());
    Ok((lombard_store::on_database(database.clone()), bank, on_database(database)))
}
