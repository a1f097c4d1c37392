//! Payment orders and their payments.

use super::{Owned, StoreError};
use crate::bank::CallingClient;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::payment::order::{Order, PaymentExecution, UnsettledStage};

/// An order with its consent and its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderWithConsent {
    /// The order.
    pub order: Order,
    /// Its consent, also if it was deleted. Source: VRP-083.
    pub consent: Consent,
    /// The TPP that placed it, unless it was removed.
    pub client: Option<CallingClient>,
}

/// An order with the number of the last status update that was applied to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderWithUpdates {
    /// The order.
    pub order: Order,
    /// The number; 0 if none was applied. A file order has none of its own.
    pub updates_applied: u32,
}

/// A position in a list of orders that is sorted by a time, then by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPosition {
    /// The time of the last order before the position.
    pub at: Timestamp,
    /// Its id; empty if every order at that time is after the position.
    pub id: OrderId,
}

/// A page of orders. A row that cannot be read is left out, logged once and counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderPage {
    /// The readable orders.
    pub orders: Vec<OrderWithUpdates>,
    /// The position after the page; `None` if no order follows.
    pub next: Option<OrderPosition>,
}

/// The number of orders that have waited for the bank since before a time, by how far they have come.
pub type UnsettledCounts = Vec<(UnsettledStage, u64)>;

/// Payment orders in storage.
pub trait OrderStore {
    /// Adds an order.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, or if its single-use consent has an order already (PIS-041).
    fn order_insert(&mut self, order: &Order) -> Result<(), StoreError>;

    /// The order, with its ownership for this client.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order(&mut self, owner: &ClientId, id: &OrderId) -> Result<Owned<Order>, StoreError>;

    /// The order, of any owner, locked until the transaction ends (without a lock in a read-only one). For internal
    /// work only, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_for_update(&mut self, id: &OrderId) -> Result<Option<Order>, StoreError>;

    /// Reads these orders, of any owners, and locks them in the sequence of their ids until the transaction ends. Absent orders
    /// are omitted. For internal work only, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`], also if one of them cannot be read.
    fn orders_for_update(&mut self, ids: &[OrderId]) -> Result<Vec<Order>, StoreError>;

    /// Reads these orders, of any owners, with their consents, by one query and in no defined order. Absent orders are omitted.
    /// For internal work only, never for a TPP's request.
    ///
    /// # Errors
    /// [`StoreError`], also if one of them cannot be read.
    fn orders_with_consents(&mut self, ids: &[OrderId]) -> Result<Vec<OrderWithConsent>, StoreError>;

    /// Stores an order's status history, approvals, conditions, reason and progress. The rest never changes.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_update(&mut self, order: &Order) -> Result<(), StoreError>;

    /// Stores the state that the core sets on an order.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such order.
    fn order_set_core_state(&mut self, id: &OrderId, state: &CoreState) -> Result<(), StoreError>;

    /// The number of the last applied status update of an order; `None` if there is no such order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_updates_applied(&mut self, id: &OrderId) -> Result<Option<u32>, StoreError>;

    /// Records that the status updates of an order up to this number are applied; `false` if they already were, or if
    /// the order does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_update_mark_applied(&mut self, id: &OrderId, number: u32) -> Result<bool, StoreError>;

    /// Replaces the number of the last applied status update of an order, upwards or downwards: for an order whose bank counts from
    /// another number, because one of the two databases was restored.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no such order.
    fn order_updates_restart(&mut self, id: &OrderId, number: u32) -> Result<(), StoreError>;

    /// The orders of all clients created after a position, by that time, then by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_created(&mut self, after: &OrderPosition, limit: u32) -> Result<OrderPage, StoreError>;

    /// The number of orders of all clients created at or after a time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_created_count(&mut self, from: Timestamp) -> Result<u64, StoreError>;

    /// The orders of all clients that wait for the bank ([`Order::unsettled`]) and were due after a position and at or before `until`,
    /// by that time, then by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_unsettled(
        &mut self,
        after: &OrderPosition,
        until: Timestamp,
        limit: u32,
    ) -> Result<OrderPage, StoreError>;

    /// For each of these times, which descend, how many orders wait for the bank that were due at or before it and after the next time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_unsettled_counts(&mut self, times: &[Timestamp]) -> Result<Vec<UnsettledCounts>, StoreError>;

    /// Those of these orders, of any owners, that exist.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_existing(&mut self, ids: &[OrderId]) -> Result<Vec<OrderId>, StoreError>;

    /// The order that consumed a consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn order_of_consent(&mut self, consent: &ConsentId) -> Result<Option<OrderId>, StoreError>;

    /// The orders of a consent that allows several, newest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_of_reused_consent(&mut self, consent: &ConsentId, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// The orders whose consent a PSU authorised, newest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_of_psu(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// The orders from these accounts that await further approvals, oldest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_awaiting(&mut self, debtors: &[BankAccountId], limit: u32) -> Result<Vec<Order>, StoreError>;

    /// The orders whose deadline for approvals passed at or before this time, that still await approval and are not
    /// quarantined, earliest deadline first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn orders_lapsed(&mut self, now: Timestamp, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Stores a payment of an order; replaces one with the same number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn execution_put(&mut self, execution: &PaymentExecution) -> Result<(), StoreError>;

    /// Stores payments of an order; replaces those with the same numbers.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_put(&mut self, executions: &[PaymentExecution]) -> Result<(), StoreError>;

    /// Stores those payments of an order whose numbers are new; existing ones are unchanged. Returns for each, in
    /// order, whether it was new.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_insert(&mut self, executions: &[PaymentExecution]) -> Result<Vec<bool>, StoreError>;

    /// A payment of an order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn execution(&mut self, order: &OrderId, number: u32) -> Result<Option<PaymentExecution>, StoreError>;

    /// The payments of an order with these numbers, in the order of the numbers given.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions_numbered(&mut self, order: &OrderId, numbers: &[u32]) -> Result<Vec<PaymentExecution>, StoreError>;

    /// The payments of an order after a number, sorted by number; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn executions(&mut self, order: &OrderId, after: u32, limit: u32) -> Result<Vec<PaymentExecution>, StoreError>;

    /// The payment consents of all clients created at or before a time that are undecided or await their file, oldest
    /// first, without quarantined ones; at most `limit`. Source: PIS-027.
    ///
    /// # Errors
    /// [`StoreError`].
    fn payment_consents_undecided(&mut self, made_before: Timestamp, limit: u32) -> Result<Vec<ConsentId>, StoreError>;
}
