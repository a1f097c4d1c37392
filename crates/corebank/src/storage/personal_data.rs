//! The data of one customer in storage: read for an export, and removed.

use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_ports::store::{CustomerRecords, StoreError};

/// The data of one customer.
pub trait PersonalDataStore {
    /// The rows of a customer and of the customer's accounts, at most `limit` of each table.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_records(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<CustomerRecords>, StoreError>;

    /// An order from an account that is still being executed or has updates that the server has not taken.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_order_open(&mut self, account: &BankAccountId) -> Result<Option<OrderId>, StoreError>;

    /// Removes about `limit` entries, statements, arrangements and orders of an account each. Journals and postings stay. Returns the number
    /// of removed rows; zero means that none is left.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_records_remove(&mut self, account: &BankAccountId, limit: u32) -> Result<u64, StoreError>;

    /// Removes a customer who holds no account any more.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_remove(&mut self, psu: &PsuId) -> Result<(), StoreError>;
}
