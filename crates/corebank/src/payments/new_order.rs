//! Stores submitted orders for the scheduler.

use super::execution::OrderExecution;
use super::payee_location::{PayeeLocation, locate_payee};
use super::rails::Rails;
use crate::storage::{BankTransaction as Tables, OrderAtBank};
use jiff::Timestamp;
use lombard_domain::ids::ConsentId;
use lombard_domain::money::Currency;
use lombard_ports::bank::PaymentOrder;
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::StoreError;
use std::collections::{BTreeMap, BTreeSet};

/// Stores the orders that the bank does not have yet, with the plans of testers if the bank `has_order_plans`. Returns whether any
/// order was new.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn insert_orders(
    tx: &mut dyn Tables,
    orders: &[PaymentOrder],
    rails: &Rails,
    has_order_plans: bool,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let plans = if has_order_plans { plans_of(tx, orders)? } else { BTreeMap::new() };
    let mut records = Vec::with_capacity(orders.len());
    for order in orders {
        let currency = debit_currency(tx, order)?;
        let mut execution = OrderExecution::new(order, currency, rails, now);
        if let Some(plan) = consent_of(order).and_then(|consent| plans.get(consent)) {
            execution = execution.planned(*plan);
        }
        records.push(record_order(tx, order, execution, now)?);
    }
    Ok(tx.bank_orders_insert(&records)?.contains(&true))
}

/// The bank's record of a new order.
///
/// # Errors
/// [`StoreError`].
fn record_order(
    tx: &mut dyn Tables,
    order: &PaymentOrder,
    mut execution: OrderExecution,
    now: Timestamp,
) -> Result<OrderAtBank, StoreError> {
    // The scheme name that the TPP gave is not stored for accounts of this bank.
    if execution.agent.is_some() && !matches!(locate_payee(tx, &order.debtor, &execution)?, PayeeLocation::OtherBank) {
        execution.agent = None;
    }
    Ok(OrderAtBank {
        id: order.id.clone(),
        debtor: order.debtor.clone(),
        due_at: execution.due_at(),
        last_update: 0,
        execution: execution.write(),
        received_at: Some(now),
    })
}

/// The plans that testers have stored for the orders' consents.
///
/// # Errors
/// [`StoreError`].
fn plans_of(tx: &mut dyn Tables, orders: &[PaymentOrder]) -> Result<BTreeMap<ConsentId, OrderPlan>, StoreError> {
    let consents: BTreeSet<_> = orders.iter().filter_map(consent_of).collect();
    Ok(tx.order_plans(&consents.into_iter().collect::<Vec<_>>())?.into_iter().collect())
}

fn consent_of(order: &PaymentOrder) -> Option<&ConsentId> {
    order.call.consent.as_ref().map(|consent| &consent.id)
}

/// The currency of the debtor account. A domestic payment uses its own currency. For a missing account the currency has no effect,
/// because the bank refuses the order.
fn debit_currency(tx: &mut dyn Tables, order: &PaymentOrder) -> Result<Currency, StoreError> {
    let transfer = &order.transfer;
    if transfer.international_details().is_none() {
        return Ok(transfer.amount.currency());
    }
    let found = tx.bank_accounts(std::slice::from_ref(&order.debtor))?.pop();
    Ok(found.map_or(transfer.amount.currency(), |record| record.account.currency))
}
