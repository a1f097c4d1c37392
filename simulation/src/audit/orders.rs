//! What an order, its payments and the news of them say together.

use crate::model::{Broken, holds};
use crate::world::Held;
use lombard_domain::ledger::Sums;
use lombard_domain::order::{ApprovalStatus, Execution, Order, PaymentStatus, Stage, Timing};
use lombard_ports::bank::{Happened, News, PaymentNews};
use std::collections::BTreeMap;

/// How the payments stand at the bank. News that were heard may still be there: the last of each payment tells.
pub(super) fn payments(executions: &[Execution], news: &[&News]) -> BTreeMap<u32, (PaymentStatus, u64)> {
    let heard = executions.iter().map(|it| (it.number, (it.status, it.amount.minor())));
    let told = news.iter().filter_map(|one| payment(one)).map(|it| (it.number, (it.status, it.amount.minor())));
    heard.chain(told).collect()
}

fn payment(news: &News) -> Option<&PaymentNews> {
    match &news.what {
        Happened::Payment(payment) => Some(payment),
        Happened::Kept | Happened::Refused(_) | Happened::Cancelled(_) | Happened::Expected { .. } => None,
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

/// What a payment makes of the sums of an account.
pub(super) fn add(due: &mut Sums, account: &Held, order: &Order, status: PaymentStatus, minor: u64) {
    let signed = |minor: u64| i64::try_from(minor).unwrap_or(i64::MAX);
    if order.debtor.as_str() == account.id {
        let charges = order.conditions.charges.iter().map(|charge| charge.amount.minor());
        let whole = signed(charges.fold(minor, u64::saturating_add));
        if status.is_debited() {
            due.booked = due.booked.saturating_sub(whole);
        } else if !status.is_preparing() && !status.is_final() {
            due.pending = due.pending.saturating_sub(whole);
        }
    }
    if status == PaymentStatus::Credited
        && order.instruction.creditor().is_some_and(|creditor| creditor.number == account.number)
    {
        due.booked = due.booked.saturating_add(signed(minor));
    }
}

/// Whether nothing more happens to an order that the bank has, when long enough has gone by: it has ended, is set up, or
/// waits for somebody outside.
pub(super) fn has_come_to_rest(order: &Order) -> bool {
    let held = order.instruction.transfer().is_some_and(|it| it.amount.minor() % 10_000 == 1_393);
    match order.stage() {
        Stage::SetUp | Stage::SetUpFailed => true,
        Stage::Payment(status) => status.is_final() || status == PaymentStatus::WithoutPosting || held,
    }
}
