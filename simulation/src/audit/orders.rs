//! What an order, its payments and the news of them say together.

use crate::model::{Broken, holds};
use crate::world::ACCOUNTS;
use jiff::Timestamp;
use lombard_corebank::market::Market;
use lombard_domain::ledger::Sums;
use lombard_domain::money::Amount;
use lombard_domain::order::{ApprovalStatus, Conditions, Execution, Order, PaymentStatus, Stage, Timing, Transfer};
use lombard_ports::bank::{News, OrderUpdate, PaymentUpdate};
use std::collections::BTreeMap;

/// A payment as the bank has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paid {
    pub(super) status: PaymentStatus,
    pub(super) amount: Amount,
    /// When the price was that of the day: when it was reserved, or then debited.
    pub(super) priced_at: Option<Timestamp>,
}

/// How the payments stand at the bank. News that were heard may still be there: the last of each payment tells.
pub(super) fn payments(order: &Order, executions: &[Execution], news: &[&News]) -> BTreeMap<u32, Paid> {
    let heard = executions.iter().map(|it| (it.number, Paid { status: it.status, amount: it.amount, priced_at: None }));
    let mut payments: BTreeMap<_, _> = heard.collect();
    let heard: BTreeMap<_, _> = executions.iter().map(|it| (it.number, it.heard)).collect();
    for one in news {
        match one.order.parts().1 {
            None => {
                if let OrderUpdate::Payment(PaymentUpdate { number, status, amount, .. }) = &one.what {
                    payments.insert(*number, Paid { status: *status, amount: *amount, priced_at: None });
                }
            }
            Some(line) => {
                let new = heard.get(&line).is_some_and(|heard| *heard < one.number);
                if let Some(paid) = payments.get_mut(&line).filter(|_| new && order.product.requires_file()) {
                    paid.status = of_line(&one.what).unwrap_or(paid.status);
                }
            }
        }
    }
    payments
}

/// What news of an order at the bank make of the line of a file that it is.
const fn of_line(what: &OrderUpdate) -> Option<PaymentStatus> {
    match what {
        OrderUpdate::Kept => Some(PaymentStatus::Pending),
        OrderUpdate::Refused(_) => Some(PaymentStatus::Rejected),
        OrderUpdate::Cancelled(_) => Some(PaymentStatus::Cancelled),
        OrderUpdate::Expected { .. } => None,
        OrderUpdate::Payment(told) => Some(told.status),
    }
}

fn payment(news: &News) -> Option<&PaymentUpdate> {
    match &news.what {
        OrderUpdate::Payment(payment) => Some(payment),
        OrderUpdate::Kept | OrderUpdate::Refused(_) | OrderUpdate::Cancelled(_) | OrderUpdate::Expected { .. } => None,
    }
}

/// Every payment is one that was ordered: its day and its amount.
pub(super) fn is_as_instructed(order: &Order, executions: &[Execution], news: &[&News]) -> Result<(), Broken> {
    let heard = executions.iter().map(|it| (it.number, it.due_on, it.amount));
    let told = news.iter().filter_map(|one| payment(one)).map(|it| (it.number, it.due_on, it.amount));
    let Some(transfer) = order.instruction.transfer() else { return Ok(()) };
    let first = transfer.amount;
    for (number, due_on, amount) in heard.chain(told) {
        let before = usize::try_from(number).unwrap_or(0).saturating_sub(1);
        let ordered = match &transfer.timing {
            Timing::Immediate => number == 1 && amount == first,
            Timing::On(day) => number == 1 && amount == first && due_on == *day,
            Timing::Recurring(schedule) => {
                let due = schedule.occurrences(first).nth(before);
                due.is_some_and(|due| (due.due_on, due.amount) == (due_on, amount))
            }
        };
        holds(ordered, || format!("payment {number} of {}, {amount:?} on {due_on}, was not ordered", order.id))?;
    }
    Ok(())
}

/// How many moves of an order its version shows.
pub(super) fn visible(order: &Order) -> usize {
    let family = order.product.family();
    let phases: Vec<_> = order.course.steps().map(|step| step.phase(family)).collect();
    let moved = phases.iter().zip(phases.iter().skip(1)).filter(|(from, to)| from != to).count();
    let agreed = order.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Authorised);
    moved.saturating_add(usize::from(agreed))
}

/// What a payment makes of the sums of accounts: the payer is debited what leaves at the rate that held, charges included, and
/// the payee has what is sent. Source: INT-020 to INT-023, PIS-083.
///
/// # Errors
/// No rate held, though it was paid.
pub(super) fn add(
    due: &mut [Sums],
    market: &Market,
    order: &Order,
    transfer: &Transfer,
    paid: &Paid,
) -> Result<(), Broken> {
    if paid.status.is_preparing() || matches!(paid.status, PaymentStatus::Rejected | PaymentStatus::Cancelled) {
        return Ok(());
    }
    let signed = |amount: Amount| i64::try_from(amount.minor()).unwrap_or(i64::MAX);
    let Some((payer, debited)) = ACCOUNTS.iter().zip(&mut *due).find(|(it, _)| it.id == order.debtor.as_str()) else {
        return Err(Broken(format!("order {} pays from {}", order.id, order.debtor)));
    };
    let price = paid.priced_at.and_then(|at| market.price(transfer.pair(payer.currency), at));
    let rate = transfer.rate(payer.currency, order.conditions.quote.as_ref(), price);
    // A file has no conditions of its own, and its customer was told of no charges.
    let conditions = if order.product.requires_file() { Conditions::default() } else { order.conditions.clone() };
    let outlay = rate.map(|rate| transfer.outlay(payer.currency, &conditions, rate));
    let Some(Ok(outlay)) = outlay else {
        return Err(Broken(format!("order {} is paid {paid:?} at {rate:?}: {outlay:?}", order.id)));
    };
    if paid.status.is_debited() {
        debited.booked = debited.booked.saturating_sub(signed(outlay.total_debit()));
    } else {
        debited.pending = debited.pending.saturating_sub(signed(outlay.total_debit()));
    }
    let payee = &transfer.credit().creditor.number;
    let credited = ACCOUNTS.iter().zip(due).find(|(it, _)| it.number == *payee);
    if let Some((payee, credited)) = credited.filter(|_| paid.status == PaymentStatus::Credited) {
        holds(payee.currency == outlay.sent().currency(), || format!("order {} pays to {}", order.id, payee.id))?;
        credited.booked = credited.booked.saturating_add(signed(outlay.sent()));
    }
    Ok(())
}

/// Whether nothing more happens to an order that the bank has, when long enough has gone by: it has ended, is set up, or
/// waits for somebody outside.
pub(super) fn has_come_to_rest(order: &Order, payments: &BTreeMap<u32, Paid>) -> bool {
    let is_held = |amount: Amount| amount.minor() % 10_000 == 1_393;
    let held = order.instruction.transfer().is_some_and(|it| is_held(it.amount));
    let rests = |it: &Paid| it.status.is_final() || it.status == PaymentStatus::WithoutPosting || is_held(it.amount);
    match order.stage() {
        _ if order.product.requires_file() => payments.values().all(rests),
        Stage::SetUp | Stage::SetUpFailed => true,
        Stage::Payment(status) => status.is_final() || status == PaymentStatus::WithoutPosting || held,
    }
}
