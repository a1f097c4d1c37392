//! The built-in bank's tables of orders and their status updates. Only the built-in bank uses this part.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, ConsentId, OrderId};
use lombard_ports::bank::StatusUpdate;
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::{DueRows, StoreError};

/// The built-in bank's record of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderAtBank {
    /// The order.
    pub id: OrderId,
    /// The account that is debited.
    pub debtor: BankAccountId,
    /// When the order's next step is due (bank clock); `None` if the order is finished or held.
    pub due_at: Option<Timestamp>,
    /// The number of the order's last status update.
    pub last_update: u32,
    /// The execution state, a JSON document of the bank.
    pub execution: String,
    /// When the bank received the order (bank clock); `None` for orders of earlier releases. It never changes.
    pub received_at: Option<Timestamp>,
}

/// The built-in bank's orders and their status updates. Times are on the bank's clock.
pub trait BankOrderStore {
    /// Adds orders; an existing order is not changed. Returns for each order, in the given sequence, whether it is new. A concurrent caller
    /// waits for the first transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_insert(&mut self, orders: &[OrderAtBank]) -> Result<Vec<bool>, StoreError>;

    /// The order with this id, locked until the transaction ends. A read-only transaction takes no lock.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_order_for_update(&mut self, id: &OrderId) -> Result<Option<OrderAtBank>, StoreError>;

    /// The orders with these ids, in the sequence of the ids. Absent orders are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders(&mut self, ids: &[OrderId]) -> Result<Vec<OrderAtBank>, StoreError>;

    /// The orders received at or after a time, by that time, then by id; those received exactly then only if their id is greater than
    /// `after`. At most `limit`. Orders of releases that stored no such time are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_received(
        &mut self,
        from: Timestamp,
        after: &str,
        limit: u32,
    ) -> Result<Vec<OrderAtBank>, StoreError>;

    /// Of these orders, those with updates that are not acknowledged, with the number of the first of these updates.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_updates_waiting(&mut self, ids: &[OrderId]) -> Result<Vec<(OrderId, u32)>, StoreError>;

    /// Stores an order's present state; its account and its time of receipt never change.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_order_update(&mut self, order: &OrderAtBank) -> Result<(), StoreError> {
        self.bank_orders_update(std::slice::from_ref(order))
    }

    /// Does the same as [`bank_order_update`](Self::bank_order_update) for several different orders.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_update(&mut self, orders: &[OrderAtBank]) -> Result<(), StoreError>;

    /// Orders that are due at or before a time and not in quarantine, earliest first, then by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_orders_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<OrderAtBank>, StoreError>;

    /// Appends status updates. Their numbers must be new and their orders locked by this transaction, so that numbers are
    /// consecutive.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an order already has an update of that number.
    fn bank_updates_append(&mut self, updates: &[StatusUpdate]) -> Result<(), StoreError>;

    /// The oldest status updates, except those of quarantined orders. The updates of an order are in numerical order without gaps, even if
    /// the limit cuts them. If an update cannot be read, it and the later updates of its order are left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_updates(&mut self, limit: u32) -> Result<DueRows<StatusUpdate>, StoreError>;

    /// Stores the planned outcome for the orders of a consent, in place of an earlier plan; [`OrderPlan::USUAL`] removes the plan.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_plan_put(&mut self, consent: &ConsentId, plan: OrderPlan) -> Result<(), StoreError>;

    /// The stored plans of these consents. A consent without a plan is left out.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_plans(&mut self, consents: &[&ConsentId]) -> Result<Vec<(ConsentId, OrderPlan)>, StoreError>;

    /// Removes the status updates of each order up to and including this number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_updates_drop(&mut self, acknowledged: &[(OrderId, u32)]) -> Result<(), StoreError>;
}
