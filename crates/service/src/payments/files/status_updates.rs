//! Applies the bank's status updates of a file's payments, and derives the status of their order. Source: FILE-023.

use super::rejection;
use crate::Failure;
use crate::payments::rejected_update::RejectedUpdate;
use jiff::Timestamp;
use lombard_domain::payment::order::{
    Order, PaymentExecution, PaymentStatus, RejectionReason, Transition, TransitionError,
};
use lombard_ports::bank::{OrderUpdate, StatusUpdate};
use lombard_ports::store::ServerTransaction;
use std::collections::{BTreeMap, BTreeSet};

/// Applies the bank's status updates to the payments of a file order, by payment number and in the sequence of the updates. The
/// order itself changes when its last payment is decided. Returns the number of new updates, and the order's transition. Updates
/// that are not allowed are added to `rejected`.
///
/// # Errors
/// Storage's failure.
pub(in crate::payments) fn apply_file_updates(
    tx: &mut dyn ServerTransaction,
    order: &mut Order,
    updates: &[(u32, &StatusUpdate)],
    rejected: &mut Vec<RejectedUpdate>,
) -> Result<(usize, Option<Transition>), Failure> {
    if updates.is_empty() {
        return Ok((0, None));
    }
    let mut payments = known(tx, order, updates)?;
    let (mut new, mut last) = (0_usize, None);
    for (number, one) in updates {
        let Some(payment) = payments.get_mut(number) else {
            rejected.push(RejectedUpdate::new(one, TransitionError::NotAllowed));
            continue;
        };
        // After a crash, updates that were applied are delivered again.
        if payment.last_update >= one.number {
            continue;
        }
        let decided = is_decided(payment);
        payment.last_update = one.number;
        if let Err(error) = apply_line_update(payment, one) {
            rejected.push(RejectedUpdate::new(one, error));
        }
        if !decided
            && is_decided(payment)
            && let Some(progress) = &mut order.progress
        {
            progress.record_decision(!matches!(payment.status, PaymentStatus::Rejected | PaymentStatus::Cancelled));
        }
        new = new.saturating_add(1);
        last = last.max(Some(one.at));
    }
    let Some(at) = last else { return Ok((0, None)) };
    let payments: Vec<_> = payments.into_values().collect();
    tx.executions_put(&payments)?;
    Ok((new, end(order, at)?))
}

/// Ends the order once all its payments are decided: completed if at least one was executed, failed otherwise.
///
/// # Errors
/// [`Failure::Broken`] if such an order cannot end.
pub(super) fn end(order: &mut Order, at: Timestamp) -> Result<Option<Transition>, Failure> {
    let ended = order.progress.and_then(|progress| progress.ended());
    let Some(any_made) = ended.filter(|_| order.is_ready()) else { return Ok(None) };
    let moved = if any_made { order.warehouse(at) } else { order.reject(RejectionReason::NotGiven, at) };
    moved.map(Some).map_err(|error| Failure::Broken(error.into()))
}

/// Whether the payment is decided: executed or not.
fn is_decided(payment: &PaymentExecution) -> bool {
    payment.status != PaymentStatus::Received
}

/// The stored payments that the updates name.
fn known(
    tx: &mut dyn ServerTransaction,
    order: &Order,
    updates: &[(u32, &StatusUpdate)],
) -> Result<BTreeMap<u32, PaymentExecution>, Failure> {
    let numbers: BTreeSet<u32> = updates.iter().map(|(number, _)| *number).collect();
    let numbers: Vec<_> = numbers.into_iter().collect();
    let found = tx.executions_numbered(&order.id, &numbers)?;
    Ok(found.into_iter().map(|it| (it.number, it)).collect())
}

fn apply_line_update(payment: &mut PaymentExecution, update: &StatusUpdate) -> Result<(), TransitionError> {
    match &update.change {
        OrderUpdate::Warehoused => payment.advance(PaymentStatus::Pending, payment.detail.clone(), update.at),
        OrderUpdate::Refused(why) => {
            payment.advance(PaymentStatus::Rejected, Some(rejection::ended(*why, "Refused")), update.at)
        }
        OrderUpdate::Cancelled(why) => {
            payment.advance(PaymentStatus::Cancelled, Some(rejection::ended(*why, "Cancelled")), update.at)
        }
        OrderUpdate::TimesChanged { .. } => Ok(()),
        OrderUpdate::PaymentChanged(told) => {
            payment.advance(told.status, told.detail.clone(), update.at)?;
            (payment.due_on, payment.paid_on) = (told.due_on, told.paid_on);
            Ok(())
        }
    }
}
