//! What the bank tells of the payments of a file, and what it makes of their order. Source: FILE-023.

use super::unpaid;
use crate::Failure;
use crate::payments::execution::log_misfit;
use jiff::Timestamp;
use lombard_domain::order::{Barred, Execution, Order, PaymentStatus, Reason, Transition};
use lombard_ports::bank::{News, OrderUpdate};
use lombard_ports::store::Transaction;
use std::collections::{BTreeMap, BTreeSet};

/// Moves payments of an order on by what the bank tells of each, by their number and in the order of its news, and the order
/// itself with the last that is decided.
///
/// # Errors
/// Storage's failure.
pub(in crate::payments) fn hear(
    tx: &mut dyn Transaction,
    order: &mut Order,
    news: &[(u32, &News)],
) -> Result<Option<Transition>, Failure> {
    if news.is_empty() {
        return Ok(None);
    }
    let mut payments = known(tx, order, news)?;
    let mut last = None;
    for (number, one) in news {
        let Some(payment) = payments.get_mut(number) else {
            log_misfit(one, &Barred::OutOfOrder);
            continue;
        };
        // What was heard before comes again after a crash.
        if payment.heard >= one.number {
            continue;
        }
        let decided = is_decided(payment);
        payment.heard = one.number;
        if let Err(barred) = happen(payment, one) {
            log_misfit(one, &barred);
        }
        if !decided
            && is_decided(payment)
            && let Some(progress) = &mut order.progress
        {
            progress.decide(!matches!(payment.status, PaymentStatus::Rejected | PaymentStatus::Cancelled));
        }
        last = last.max(Some(one.at));
    }
    let payments: Vec<_> = payments.into_values().collect();
    tx.executions_put(&payments)?;
    Ok(match last {
        Some(at) => end(order, at)?,
        None => None,
    })
}

/// Ends the order if it is known of each of its payments whether it is made: completed if any is, failed if none.
///
/// # Errors
/// [`Failure::Broken`] if such an order cannot end.
pub(super) fn end(order: &mut Order, at: Timestamp) -> Result<Option<Transition>, Failure> {
    let ended = order.progress.and_then(|progress| progress.ended());
    let Some(any_made) = ended.filter(|_| order.is_ready()) else { return Ok(None) };
    let moved = if any_made { order.warehouse(at) } else { order.reject(Reason::Unstated, at) };
    moved.map(Some).map_err(|barred| Failure::Broken(barred.into()))
}

/// Whether it is known of a payment if it is made.
fn is_decided(payment: &Execution) -> bool {
    payment.status != PaymentStatus::Received
}

/// The payments that are told of, as they stand.
fn known(tx: &mut dyn Transaction, order: &Order, news: &[(u32, &News)]) -> Result<BTreeMap<u32, Execution>, Failure> {
    let numbers: BTreeSet<u32> = news.iter().map(|(number, _)| *number).collect();
    let numbers: Vec<_> = numbers.into_iter().collect();
    let found = tx.executions_numbered(&order.id, &numbers)?;
    Ok(found.into_iter().map(|it| (it.number, it)).collect())
}

fn happen(payment: &mut Execution, news: &News) -> Result<(), Barred> {
    match &news.what {
        OrderUpdate::Kept => payment.advance(PaymentStatus::Pending, payment.detail.clone(), news.at),
        OrderUpdate::Refused(why) => {
            payment.advance(PaymentStatus::Rejected, Some(unpaid::ended(*why, "Refused")), news.at)
        }
        OrderUpdate::Cancelled(why) => {
            payment.advance(PaymentStatus::Cancelled, Some(unpaid::ended(*why, "Cancelled")), news.at)
        }
        OrderUpdate::Expected { .. } => Ok(()),
        OrderUpdate::Payment(told) => {
            payment.advance(told.status, told.detail.clone(), news.at)?;
            (payment.due_on, payment.paid_on) = (told.due_on, told.paid_on);
            Ok(())
        }
    }
}
