//! How orders stand at the bank. The server asks when the two sides may know different things: after the restore of a database,
//! and about orders that do not move.

use super::StatusUpdate;
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::Amount;

/// The largest number of orders in one request or answer about how orders stand.
pub const STANDINGS_MAX: u32 = 500;

/// An order that the bank holds, and how it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderStanding {
    /// The order. Each payment of a file is an order of its own ([`OrderId::for_line`]).
    pub id: OrderId,
    /// The debtor account.
    pub debtor: BankAccountId,
    /// The instructed amount; of a standing order, that of its first payment.
    pub amount: Amount,
    /// When the bank received the order (bank clock).
    pub received_at: Timestamp,
    /// The number of the order's last status update; 0 if it has none yet.
    pub last_update: u32,
    /// The number up to which the server has acknowledged the order's status updates; 0 if it has acknowledged none.
    pub acknowledged: u32,
    /// The status updates of the order that the bank still knows, by number, acknowledged or not. A bank knows all of a single
    /// payment, and may forget old payments of a standing order.
    pub updates: Vec<StatusUpdate>,
}

/// A part of the list of orders that the bank holds, by the time at which it received them, then by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrdersReceived {
    /// The first instant of the part (bank clock), included.
    pub from: Timestamp,
    /// Of the orders received exactly at `from`, only those after this id belong to the part; all of them if it is absent.
    pub after: Option<OrderId>,
    /// The largest number of orders in the answer, at most [`STANDINGS_MAX`].
    pub limit: u32,
}

impl OrdersReceived {
    /// The part that follows these orders; `None` if the answer ended the list.
    pub fn following(&self, answer: &[OrderStanding]) -> Option<Self> {
        let is_full = u32::try_from(answer.len()).is_ok_and(|count| count >= self.limit);
        let last = answer.last().filter(|_| is_full)?;
        Some(Self { from: last.received_at, after: Some(last.id.clone()), limit: self.limit })
    }
}
