//! The purge of records after their time, and what an operator does with the records of one customer.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::ids::{ConsentId, OrderId, PsuId};
use lombard_domain::retention::CustomerHold;
use serde::{Deserialize, Serialize};

/// The rows of one table that belong to a customer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomerRecords {
    /// The name of the table.
    pub table: String,
    /// Each row as a JSON object by the names of its columns. Instants are RFC 3339 texts, and stored documents are objects.
    pub rows: Vec<serde_json::Value>,
    /// Whether these are all rows.
    #[serde(rename = "complete")]
    pub is_complete: bool,
}

/// The purge of records after their time. Records of a customer on hold stay. Every method removes at most about `limit` records in one
/// transaction, with the rows that belong to them, and returns how many rows it removed or changed; zero means that none is left.
pub trait RetentionStore {
    /// Removes consents that were never authorised and got their state before `before`, except those whose journey is stored.
    /// Source: PIS-026.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_purge_unauthorised(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes consents that were authorised and ended before `before`, except those whose orders are stored.
    ///
    /// # Errors
    /// [`StoreError`].
    fn consents_purge_ended(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes orders that were created before `before` and have ended.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes evidence of decisions before `before`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn decision_evidence_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Marks files that were uploaded before `before` and whose orders have ended as abandoned, so that they are removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn files_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

/// What an operator does with the records of one customer.
pub trait CustomerRecordStore {
    /// The hold of a customer, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_hold(&mut self, psu: &PsuId) -> Result<Option<CustomerHold>, StoreError>;

    /// Places a hold. Returns `false` if there was one, which stays as it is.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_hold_place(&mut self, hold: &CustomerHold) -> Result<bool, StoreError>;

    /// Removes a hold. Returns `false` if there was none.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_hold_release(&mut self, psu: &PsuId) -> Result<bool, StoreError>;

    /// The rows of a customer, at most `limit` of each table. Secrets and digests are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_records(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<CustomerRecords>, StoreError>;

    /// Orders of a customer that have not ended, or that await further approvals; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_orders_open(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Authorised consents of a customer that are not deleted; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_consents_authorised(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<ConsentId>, StoreError>;

    /// Erases the personal data of about `limit` consents and of as many orders of a customer, and of the customer's sessions and
    /// journeys. What stays of them carries the pseudonym. Returns how many rows were changed or removed; zero means that none is left.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_erase(&mut self, psu: &PsuId, pseudonym: &PsuId, now: Timestamp, limit: u32)
    -> Result<u64, StoreError>;
}
