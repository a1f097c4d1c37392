//! The arrangements that represent warehoused orders: a scheduled payment or a standing order with the order's id, always in the
//! state of the order. Source: AIS-171, AIS-173.
//!
//! The scheduler never executes such an arrangement itself. The order is due at the same instant, is processed first, and updates the
//! arrangement.

use super::super::names;
use super::execution::OrderExecution;
use super::payee_location::{PayeeLocation, locate_payee};
use super::timing::OrderTiming;
use crate::storage::{Arrangement, ArrangementKind, ArrangementVariant, BankTransaction as Tables, OrderAtBank};
use jiff::Timestamp;
use lombard_domain::account::{
    ArrangementStatus, BankIdentification, Instalment, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::ids::RecordId;
use lombard_domain::payment::transfer::{Occurrence, ScheduleEnd};
use lombard_ports::store::StoreError;

/// Stores the arrangement of an order that the bank warehouses.
///
/// # Errors
/// [`StoreError`].
pub(super) fn put(tx: &mut dyn Tables, order: &OrderAtBank, execution: &OrderExecution) -> Result<(), StoreError> {
    let (Some(upcoming), Some(at)) = (execution.next_payment(), execution.begins_at()) else { return Ok(()) };
    let agent = agent(tx, order, execution)?;
    let (account, payee) = (order.debtor.clone(), execution.payee.account());
    let reference = execution.reference.clone();
    let arrangement: Arrangement = match &execution.timing {
        OrderTiming::Now => return Ok(()),
        OrderTiming::On(_) => ScheduledPayment {
            id: id(order),
            account,
            at,
            kind: ScheduledType::Execution,
            reference,
            debtor_reference: None,
            amount: upcoming.amount,
            agent,
            payee,
        }
        .into(),
        OrderTiming::StandingOrder(timing) => {
            let schedule = timing.schedule(execution.currency);
            let first = Instalment { at, amount: upcoming.amount };
            let last_amount = schedule.last.or(schedule.regular).unwrap_or(upcoming.amount);
            let (end, payments) = match schedule.end {
                ScheduleEnd::Open => (None, None),
                ScheduleEnd::After(count) => (None, Some(u32::from(count.get()))),
                ScheduleEnd::On(day) => {
                    let at = execution.days().morning_of(day);
                    (Some(Instalment { at, amount: last_amount }), None)
                }
            };
            StandingOrder {
                id: id(order),
                account,
                frequency: schedule.frequency,
                reference,
                first: Some(first),
                next: Some(first),
                last: None,
                end,
                payments,
                status: ArrangementStatus::Active,
                agent,
                payee,
                terms: execution.mandate.clone(),
            }
            .into()
        }
    };
    tx.arrangements_put(&[arrangement])
}

/// Updates the arrangement after a payment has begun or failed.
///
/// # Errors
/// [`StoreError`].
pub(super) fn update_after_payment(
    tx: &mut dyn Tables,
    order: &OrderAtBank,
    execution: &OrderExecution,
    made: &Occurrence,
    paid: bool,
    at: Timestamp,
) -> Result<(), StoreError> {
    let Some(mut shown) = standing_order(tx, order, execution)? else { return remove(tx, order) };
    if paid {
        shown.last = Some(Instalment { at, amount: made.amount });
    }
    let next = execution.next_payment().zip(execution.begins_at());
    shown.next = next.map(|(it, at)| Instalment { at, amount: it.amount });
    shown.status = match next {
        Some(_) => ArrangementStatus::Active,
        None if made.is_last => ArrangementStatus::Expired,
        None => ArrangementStatus::Inactive,
    };
    tx.arrangements_put(&[shown.into()])
}

/// Ends the arrangement of a cancelled order.
///
/// # Errors
/// [`StoreError`].
pub(super) fn end(tx: &mut dyn Tables, order: &OrderAtBank, execution: &OrderExecution) -> Result<(), StoreError> {
    match standing_order(tx, order, execution)? {
        Some(shown) => {
            let ended = StandingOrder { status: ArrangementStatus::Inactive, next: None, ..shown };
            tx.arrangements_put(&[ended.into()])
        }
        None => remove(tx, order),
    }
}

fn standing_order(
    tx: &mut dyn Tables,
    order: &OrderAtBank,
    execution: &OrderExecution,
) -> Result<Option<StandingOrder>, StoreError> {
    if !matches!(execution.timing, OrderTiming::StandingOrder(_)) {
        return Ok(None);
    }
    let found = tx.arrangement(ArrangementKind::StandingOrder, &order.debtor, &id(order))?;
    Ok(found.and_then(StandingOrder::from_arrangement))
}

fn remove(tx: &mut dyn Tables, order: &OrderAtBank) -> Result<(), StoreError> {
    tx.arrangement_remove(ArrangementKind::ScheduledPayment, &order.debtor, &id(order)).map(drop)
}

fn agent(
    tx: &mut dyn Tables,
    order: &OrderAtBank,
    execution: &OrderExecution,
) -> Result<Option<BankIdentification>, StoreError> {
    Ok(match locate_payee(tx, &order.debtor, execution)? {
        PayeeLocation::ThisBank(_) | PayeeLocation::Unusable => Some(names::own_agent()),
        PayeeLocation::OtherBank => execution.payee_agent(),
    })
}

fn id(order: &OrderAtBank) -> RecordId {
    RecordId::new(order.id.as_str())
}
