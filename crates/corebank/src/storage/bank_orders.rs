//! The built-in bank's tables of orders and their status updates. Only the built-in bank uses this part.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_ports::bank::StatusUpdate;
use lombard_ports::store::{DueRows, StoreError};

/// An order as the built-in bank keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderAtBank {
    /// The order.
    pub id: OrderId,
    /// The account that is debited.
    pub debtor: BankAccountId,
    /// When the bank has to do something about it next (bank clock); `None` once nothing is left to do, or while it is
    /// held up.
    pub due_at: Option<Timestamp>,
    /// The number of its last status update.
    pub last_update: u32,
    /// What was ordered and how far it has come, in the bank's own words.
    pub execution: String,
}

/// The built-in bank's orders and their status updates. Times are on the bank's clock.
pub trait BankOrderStore {
    /// Adds orders; one that the bank has already does not change. Says of each, in their order, whether it is new. A second
    /// caller waits for the first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_insert(&mut self, orders: &[OrderAtBank]) -> Result<Vec<bool>, StoreError>;

    /// An order, locked until the transaction ends (plainly read in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_order_for_update(&mut self, id: &OrderId) -> Result<Option<OrderAtBank>, StoreError>;

    /// Stores an order's present state; its account never changes.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_order_update(&mut self, order: &OrderAtBank) -> Result<(), StoreError>;

    /// Orders that are due at or before a time and not in quarantine, earliest first, then by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<OrderAtBank>, StoreError>;

    /// Appends status updates. Their numbers must be new and their orders locked by this transaction, so that numbers are
    /// consecutive.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an order has news of that number.
    fn bank_updates_append(&mut self, updates: &[StatusUpdate]) -> Result<(), StoreError>;

    /// The oldest news of orders whose status updates are not in quarantine: those of one order always in their numbers' order,
    /// without gaps, wherever the limit cuts. A piece that cannot be read is left out with those behind it of its order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_updates(&mut self, limit: u32) -> Result<DueRows<StatusUpdate>, StoreError>;

    /// Drops the status updates of each order up to this number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_updates_drop(&mut self, heard: &[(OrderId, u32)]) -> Result<(), StoreError>;
}
