//! How orders stand: the bank's answer when the server asks about orders.

use super::execution::OrderExecution;
use crate::storage::{BankTransaction as Tables, OrderAtBank};
use lombard_domain::ids::OrderId;
use lombard_ports::bank::OrderStanding;
use lombard_ports::store::StoreError;
use std::collections::HashMap;

/// How these orders stand, in the same sequence.
///
/// # Errors
/// [`StoreError::Corrupt`] if the execution of one of them cannot be read; [`StoreError`] otherwise.
pub(crate) fn standings(tx: &mut dyn Tables, orders: Vec<OrderAtBank>) -> Result<Vec<OrderStanding>, StoreError> {
    let ids: Vec<_> = orders.iter().map(|order| order.id.clone()).collect();
    let waiting: HashMap<OrderId, u32> = tx.bank_updates_waiting(&ids)?.into_iter().collect();
    orders.into_iter().map(|order| standing(&waiting, order)).collect()
}

fn standing(waiting: &HashMap<OrderId, u32>, order: OrderAtBank) -> Result<OrderStanding, StoreError> {
    let execution = OrderExecution::read(&order)?;
    let amount = execution.amount(execution.minor);
    let received_at = order.received_at.unwrap_or(execution.received_at.0);
    let acknowledged = waiting.get(&order.id).map_or(order.last_update, |first| first.saturating_sub(1));
    let updates = execution.reported.into_updates(&order.id);
    let OrderAtBank { id, debtor, last_update, .. } = order;
    Ok(OrderStanding { id, debtor, amount, received_at, last_update, acknowledged, updates })
}
