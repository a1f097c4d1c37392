//! Checks that an order, its payments and their status updates are consistent.

use crate::promise::{InvariantViolation, ensure};
use crate::world::ACCOUNTS;
use jiff::Timestamp;
use lombard_corebank::market::ExchangeMarket;
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{ApprovalStatus, DetailedStatus, Order, PaymentExecution, PaymentStatus};
use lombard_domain::payment::transfer::{PaymentConditions, Timing, Transfer};
use lombard_domain::version::Version;
use lombard_ports::bank::{OrderUpdate, PaymentUpdate, StatusUpdate};
use std::collections::BTreeMap;

/// The state of a payment at the bank.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaymentAtBank {
    pub(super) status: PaymentStatus,
    pub(super) amount: Amount,
    /// The time at which the payment was priced: when it was reserved, or later when it was debited.
    pub(super) priced_at: Option<Timestamp>,
}

/// The states of the payments at the bank. Applied status updates may still be stored, so the last update of each payment counts.
pub(super) fn payments(
    order: &Order,
    executions: &[PaymentExecution],
    updates: &[&StatusUpdate],
) -> BTreeMap<u32, PaymentAtBank> {
    let acknowledged = executions
        .iter()
        .map(|it| (it.number, PaymentAtBank { status: it.status, amount: it.amount, priced_at: None }));
    let mut payments: BTreeMap<_, _> = acknowledged.collect();
    let acknowledged: BTreeMap<_, _> = executions.iter().map(|it| (it.number, it.last_update)).collect();
    for one in updates {
        match one.order.order_and_line().1 {
            None => {
                if let OrderUpdate::PaymentChanged(PaymentUpdate { number, status, amount, .. }) = &one.change {
                    payments.insert(*number, PaymentAtBank { status: *status, amount: *amount, priced_at: None });
                }
            }
            Some(line) => {
                let new = acknowledged.get(&line).is_some_and(|acknowledged| *acknowledged < one.number);
                if let Some(paid) = payments.get_mut(&line).filter(|_| new && order.product.requires_file()) {
                    paid.status = of_line(&one.change).unwrap_or(paid.status);
                }
            }
        }
    }
    payments
}

/// The status that an update at the bank gives to a line of a file.
const fn of_line(what: &OrderUpdate) -> Option<PaymentStatus> {
    match what {
        OrderUpdate::Warehoused => Some(PaymentStatus::Pending),
        OrderUpdate::Refused(_) => Some(PaymentStatus::Rejected),
        OrderUpdate::Cancelled(_) => Some(PaymentStatus::Cancelled),
        OrderUpdate::TimesChanged { .. } => None,
        OrderUpdate::PaymentChanged(told) => Some(told.status),
    }
}

fn payment(update: &StatusUpdate) -> Option<&PaymentUpdate> {
    match &update.change {
        OrderUpdate::PaymentChanged(payment) => Some(payment),
        OrderUpdate::Warehoused
        | OrderUpdate::Refused(_)
        | OrderUpdate::Cancelled(_)
        | OrderUpdate::TimesChanged { .. } => None,
    }
}

/// Checks that every payment was ordered, with its day and its amount.
pub(super) fn is_as_instructed(
    order: &Order,
    executions: &[PaymentExecution],
    updates: &[&StatusUpdate],
) -> Result<(), InvariantViolation> {
    let acknowledged = executions.iter().map(|it| (it.number, it.due_on, it.amount));
    let told = updates.iter().filter_map(|one| payment(one)).map(|it| (it.number, it.due_on, it.amount));
    let Some(transfer) = order.instruction.transfer() else { return Ok(()) };
    let first = transfer.amount;
    for (number, due_on, amount) in acknowledged.chain(told) {
        let before = usize::try_from(number).unwrap_or(0).saturating_sub(1);
        let ordered = match &transfer.timing {
            Timing::Immediate => number == 1 && amount == first,
            Timing::Scheduled(day) => number == 1 && amount == first && due_on == *day,
            Timing::StandingOrder(schedule) => {
                let due = schedule.occurrences(first).nth(before);
                due.is_some_and(|due| (due.due_on, due.amount) == (due_on, amount))
            }
        };
        ensure(ordered, || format!("payment {number} of {}, {amount:?} on {due_on}, was not ordered", order.id))?;
    }
    Ok(())
}

/// The number of transitions of an order that its version shows. In v4.0, the last approval is a separate transition (PIS-112).
pub(super) fn visible(order: &Order) -> usize {
    let family = order.product.family();
    let changes: Vec<_> = order.status_history.changes().collect();
    let pairs = changes.iter().zip(changes.iter().skip(1));
    match order.version {
        Version::V3_1 => {
            let moved = pairs.filter(|(from, to)| from.summary(family) != to.summary(family)).count();
            let agreed = order.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Authorised);
            moved.saturating_add(usize::from(agreed))
        }
        Version::V4_0 => pairs.filter(|(from, to)| from.status != to.status).count(),
    }
}

/// Adds a payment to the expected sums of accounts. The payer is debited the total debit at the applicable rate, including charges; the
/// payee is credited the amount sent. Source: INT-020 to INT-023, PIS-083.
///
/// # Errors
/// A payment was made although no rate applied.
pub(super) fn add(
    due: &mut [LedgerSums],
    market: &ExchangeMarket,
    order: &Order,
    transfer: &Transfer,
    paid: &PaymentAtBank,
) -> Result<(), InvariantViolation> {
    if paid.status.is_preparing() || matches!(paid.status, PaymentStatus::Rejected | PaymentStatus::Cancelled) {
        return Ok(());
    }
    let signed = |amount: Amount| i64::try_from(amount.minor()).unwrap_or(i64::MAX);
    let Some((payer, debited)) = ACCOUNTS.iter().zip(&mut *due).find(|(it, _)| it.id == order.debtor.as_str()) else {
        return Err(InvariantViolation(format!("order {} pays from {}", order.id, order.debtor)));
    };
    let price = paid.priced_at.and_then(|at| market.customer_rate(transfer.pair(payer.currency), at));
    let rate = transfer.rate(payer.currency, order.conditions.quote.as_ref(), price);
    // A file has no conditions, and its customer was not told of any charges.
    let conditions =
        if order.product.requires_file() { PaymentConditions::default() } else { order.conditions.clone() };
    let total_debit = rate.map(|rate| transfer.total_debit(payer.currency, &conditions, rate));
    let Some(Ok(total_debit)) = total_debit else {
        return Err(InvariantViolation(format!("order {} is paid {paid:?} at {rate:?}: {total_debit:?}", order.id)));
    };
    if paid.status.is_debited() {
        debited.booked = debited.booked.saturating_sub(signed(total_debit.amount()));
    } else {
        debited.pending = debited.pending.saturating_sub(signed(total_debit.amount()));
    }
    let payee = &transfer.credit().creditor.number;
    let credited = ACCOUNTS.iter().zip(due).find(|(it, _)| it.number == *payee);
    if let Some((payee, credited)) = credited.filter(|_| paid.status == PaymentStatus::Credited) {
        ensure(payee.currency == total_debit.sent().currency(), || format!("order {} pays to {}", order.id, payee.id))?;
        credited.booked = credited.booked.saturating_add(signed(total_debit.sent()));
    }
    Ok(())
}

/// Whether an order at the bank has reached its final state after enough time: it has ended, is set up, or awaits an outcome from outside.
pub(super) fn has_come_to_rest(order: &Order, payments: &BTreeMap<u32, PaymentAtBank>) -> bool {
    let is_held = |amount: Amount| amount.minor() % 10_000 == 1_393;
    let held = order.instruction.transfer().is_some_and(|it| is_held(it.amount));
    let rests =
        |it: &PaymentAtBank| it.status.is_final() || it.status == PaymentStatus::WithoutPosting || is_held(it.amount);
    match order.detailed_status() {
        _ if order.product.requires_file() => payments.values().all(rests),
        DetailedStatus::SetUp | DetailedStatus::SetUpFailed => true,
        DetailedStatus::Payment(status) => status.is_final() || status == PaymentStatus::WithoutPosting || held,
    }
}
