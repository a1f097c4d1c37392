//! Payment orders and their payments.

use super::{Owned, StoreError};
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId};
use lombard_domain::order::{Order, PaymentExecution};

/// Payment orders in storage.
pub trait OrderStore {
    /// Adds an order.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, or its consent, used up by one order, has one (PIS-041).
    fn order_insert(&mut self, order: &Order) -> Result<(), StoreError>;

    /// The order, seen from this client.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order(&mut self, owner: &ClientId, id: &OrderId) -> Result<Owned<Order>, StoreError>;

    /// The order, whoever owns it, locked until the transaction ends (plainly read in a read-only one). For the server's
    /// own work, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_for_update(&mut self, id: &OrderId) -> Result<Option<Order>, StoreError>;

    /// Stores where an order stands: its course, approvals, conditions, reason and progress. Everything else never changes.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_update(&mut self, order: &Order) -> Result<(), StoreError>;

    /// Records that the status updates of an order up to this number are applied; `false` if they already were, or if there is
    /// no such order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_update_applied(&mut self, id: &OrderId, number: u32) -> Result<bool, StoreError>;

    /// The order a consent was used up by.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_of_consent(&mut self, consent: &ConsentId) -> Result<Option<OrderId>, StoreError>;

    /// Orders from these accounts that wait for further customers to agree, the oldest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_awaiting(&mut self, debtors: &[BankAccountId], limit: u32) -> Result<Vec<Order>, StoreError>;

    /// Orders whose time to agree has run out at or before this time, that still wait and are not in quarantine, the earliest
    /// first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_lapsed(&mut self, now: Timestamp, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Stores a payment of an order; one of the same number is replaced.
    ///
    /// # Errors
    /// [`StoreError`].
    fn execution_put(&mut self, execution: &PaymentExecution) -> Result<(), StoreError>;

    /// Stores payments of an order; those of the same number are replaced.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_put(&mut self, executions: &[PaymentExecution]) -> Result<(), StoreError>;

    /// Stores payments of an order where it has none of their number; those it has stay as they are. Says of each, in
    /// their order, whether it is new.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_insert(&mut self, executions: &[PaymentExecution]) -> Result<Vec<bool>, StoreError>;

    /// A payment of an order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn execution(&mut self, order: &OrderId, number: u32) -> Result<Option<PaymentExecution>, StoreError>;

    /// Those payments of an order that have one of these numbers, in the order they are asked for.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_numbered(&mut self, order: &OrderId, numbers: &[u32]) -> Result<Vec<PaymentExecution>, StoreError>;

    /// The payments of an order after a number, by number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions(&mut self, order: &OrderId, after: u32, limit: u32) -> Result<Vec<PaymentExecution>, StoreError>;

    /// Payment consents made at or before a time that nobody has decided on, also for want of their file, of all
    /// clients, the oldest first and none that is in quarantine; at most `limit`. Source: PIS-027.
    ///
    /// # Errors
    /// [`StoreError`].
    fn payment_consents_undecided(&mut self, made_before: Timestamp, limit: u32) -> Result<Vec<ConsentId>, StoreError>;
}
