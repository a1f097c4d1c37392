//! Applies each of the bank's status updates once.

use super::files;
use super::rejected_update::RejectedUpdate;
use super::vrp;
use crate::context::Outbox;
use crate::workers::{call_bank_within_limit, is_permanent};
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::{
    Order, PaymentExecution, PaymentStatus, RejectionReason, Transition, TransitionError,
};
use lombard_ports::bank::{OrderUpdate, PaymentUpdate, StatusUpdate};
use lombard_ports::store::{FailedWork, ServerTransaction, WorkKind};
use std::collections::{BTreeMap, HashMap};

/// The largest number of status updates fetched from the bank at a time.
const STATUS_UPDATE_BATCH: u32 = 256;
/// The number of orders that are updated in one transaction, so that no other writer waits longer than some milliseconds.
const ORDERS_TOGETHER: usize = 32;

/// Applies a batch of the bank's status updates. Returns the number of new updates that were applied or quarantined; zero means
/// that none is left, or that the bank repeats applied updates. The function is idempotent and may run on several nodes at once,
/// because the order stores the number of its last applied update. An order whose updates cannot be applied now does not delay
/// others. Updates that can never be applied are quarantined.
///
/// # Errors
/// The bank's failure, or storage's if no update could be applied; updates that were not applied are delivered again.
pub async fn apply_status_updates(context: &Context) -> Result<usize, Failure> {
    let updates = call_bank_within_limit(context.bank.fetch_status_updates(&context.call, STATUS_UPDATE_BATCH)).await?;
    let mut acknowledged: Vec<(OrderId, u32)> = Vec::new();
    let (mut count, mut failed, mut lasting) = (0_usize, None, Vec::new());
    let mut applied = |upto: HashMap<OrderId, u32>, one: AppliedOrderUpdates| {
        count = count.saturating_add(one.new);
        one.rejected.iter().for_each(RejectedUpdate::record);
        acknowledged.extend(upto);
        if one.has_more {
            context.payments.submission_notify.notify_one();
        }
    };
    for together in group_updates_by_order(updates).chunks(ORDERS_TOGETHER) {
        if let Ok(all) = write_order_updates(context, together.to_vec()).await {
            for ((_, of_one), one) in together.iter().zip(all) {
                applied(highest_update_numbers(of_one), one);
            }
            continue;
        }
        // One of the orders may be the cause of the failure; it must not delay the others.
        for (order, of_one) in together {
            match write_order_updates(context, vec![(order.clone(), of_one.clone())]).await {
                Ok(all) => all.into_iter().for_each(|one| applied(highest_update_numbers(of_one), one)),
                Err(failure) => {
                    let (order, error) = (order.as_str(), &failure as &dyn std::error::Error);
                    if is_permanent(&failure) {
                        lasting.push(FailedWork::new(WorkKind::StatusUpdate, order, error));
                    } else {
                        tracing::warn!(order.id = order, error, "status updates of an order were not applied");
                        failed = Some(failure);
                    }
                }
            }
        }
    }
    let quarantined = if lasting.is_empty() {
        0
    } else {
        call_bank_within_limit(context.bank.quarantine_updates(&context.call, lasting)).await?
    };
    if !acknowledged.is_empty() {
        call_bank_within_limit(context.bank.acknowledge_updates(&context.call, &acknowledged)).await?;
    }
    match failed {
        Some(failure) if acknowledged.is_empty() => Err(failure),
        Some(_) | None => Ok(count.saturating_add(quarantined)),
    }
}

/// For each order, the number of its last applied status update.
pub type AppliedNumbers = Vec<(OrderId, u32)>;

/// Applies the status updates of these orders in one transaction; returns the result for each order, in the same sequence.
///
/// The orders are locked in one sequence on every node, and before anything else, so that two nodes that apply the same updates
/// wait for each other without a deadlock.
async fn write_order_updates(
    context: &Context,
    orders: Vec<(OrderId, Vec<StatusUpdate>)>,
) -> Result<Vec<AppliedOrderUpdates>, Failure> {
    // The request during which the updates are applied is not the cause of their events.
    let outbox = context.outbox.caused_by(None);
    let write = move |tx: &mut dyn ServerTransaction| {
        let mut applied = vec![AppliedOrderUpdates::default(); orders.len()];
        for (index, order) in lock_orders(tx, &orders)? {
            if let (Some((_, updates)), Some(applied)) = (orders.get(index), applied.get_mut(index)) {
                *applied = apply_order_updates(tx, &outbox, order, updates)?;
            }
        }
        Ok::<_, Failure>(applied)
    };
    context.store.write(write).await
}

/// Locks orders by their ids. Returns each existing order with its index, sorted by client and consent. The orders are updated in
/// this sequence, so that the rows of consents are locked in one sequence as well.
fn lock_orders(
    tx: &mut dyn ServerTransaction,
    orders: &[(OrderId, Vec<StatusUpdate>)],
) -> Result<Vec<(usize, Order)>, Failure> {
    let ids: Vec<_> = orders.iter().map(|(id, _)| id.clone()).collect();
    let mut found: HashMap<OrderId, Order> =
        tx.orders_for_update(&ids)?.into_iter().map(|order| (order.id.clone(), order)).collect();
    let mut locked = Vec::with_capacity(found.len());
    for (place, id) in ids.iter().enumerate() {
        match found.remove(id) {
            Some(order) => locked.push((place, order)),
            None => tracing::warn!(order.id = id.as_str(), "a status update names an unknown order"),
        }
    }
    locked.sort_by(|(_, one), (_, other)| (&one.client, &one.consent).cmp(&(&other.client, &other.consent)));
    Ok(locked)
}

/// Applies status updates that a bank pushes. An update whose number is not the next of its order (or of its payment of a file)
/// is not applied; it is fetched later, together with those before it. Returns the number of the last applied update of each
/// order. The caller must not acknowledge later updates.
///
/// # Errors
/// Storage's failure, or an update that can never be applied; updates of other orders may have been applied.
pub async fn apply_pushed_updates(context: &Context, updates: Vec<StatusUpdate>) -> Result<AppliedNumbers, Failure> {
    let mut acknowledged = Vec::new();
    for (order, of_one) in group_updates_by_order(updates) {
        let outbox = context.outbox.caused_by(None);
        let applied = context.store.write(move |tx| {
            // The lock prevents other nodes from changing the numbers before the updates are applied.
            let Some(order) = tx.order_for_update(&order)? else {
                return Ok((AppliedOrderUpdates::default(), Vec::new()));
            };
            let (next, upto) = take_next_updates(tx, &of_one)?;
            Ok::<_, Failure>((apply_order_updates(tx, &outbox, order, &next)?, upto))
        });
        let (applied, upto) = applied.await?;
        applied.rejected.iter().for_each(RejectedUpdate::record);
        if applied.has_more {
            context.payments.submission_notify.notify_one();
        }
        acknowledged.extend(upto);
    }
    Ok(acknowledged)
}

/// Selects the updates that continue each order's sequence without a gap, sorted by order and number. The input may be in any
/// order and contain duplicates. Also returns the number of the last selected or applied update of each order.
fn take_next_updates(
    tx: &mut dyn ServerTransaction,
    updates: &[StatusUpdate],
) -> Result<(Vec<StatusUpdate>, AppliedNumbers), Failure> {
    let mut by_order: BTreeMap<&OrderId, BTreeMap<u32, &StatusUpdate>> = BTreeMap::new();
    for one in updates {
        by_order.entry(&one.order).or_default().insert(one.number, one);
    }
    let (mut next, mut upto) = (Vec::new(), Vec::new());
    for (id, numbered) in by_order {
        let last = match id.order_and_line() {
            (_, None) => tx.order_updates_applied(id)?,
            (order, Some(line)) => tx.execution(&order, line)?.map(|payment| payment.last_update),
        };
        let Some(mut last) = last else { continue };
        let is_known = numbered.keys().any(|number| *number <= last);
        let before = last;
        for (number, one) in numbered {
            if number == last.saturating_add(1) {
                last = number;
                next.push(one.clone());
            }
        }
        if is_known || last > before {
            upto.push((id.clone(), last));
        }
    }
    Ok((next, upto))
}

/// Groups the status updates by order, in the sequence received. Updates of a file's payments belong to the file's order.
fn group_updates_by_order(updates: Vec<StatusUpdate>) -> Vec<(OrderId, Vec<StatusUpdate>)> {
    let mut orders: Vec<(OrderId, Vec<StatusUpdate>)> = Vec::new();
    let mut known: HashMap<OrderId, usize> = HashMap::new();
    for one in updates {
        let (order, _) = one.order.order_and_line();
        let index = *known.entry(order.clone()).or_insert(orders.len());
        match orders.get_mut(index) {
            Some((_, those)) => those.push(one),
            None => orders.push((order, vec![one])),
        }
    }
    orders
}

/// The highest update number of each order in the batch.
fn highest_update_numbers(updates: &[StatusUpdate]) -> HashMap<OrderId, u32> {
    let mut last: HashMap<OrderId, u32> = HashMap::new();
    for one in updates {
        let number = last.entry(one.order.clone()).or_default();
        *number = one.number.max(*number);
    }
    last
}

/// The result of applying the status updates of an order.
#[derive(Debug, Clone, Default)]
pub(super) struct AppliedOrderUpdates {
    /// The number of updates that were not applied before.
    pub(super) new: usize,
    /// Whether further payments of the order have to be submitted.
    pub(super) has_more: bool,
    /// The updates that the state of the order, or of its payment, does not allow.
    pub(super) rejected: Vec<RejectedUpdate>,
}

/// Applies the status updates of one order and raises an event for each transition that its TPP can see.
pub(super) fn apply_order_updates(
    tx: &mut dyn ServerTransaction,
    outbox: &Outbox,
    mut order: Order,
    updates: &[StatusUpdate],
) -> Result<AppliedOrderUpdates, Failure> {
    let (counted, mut moves, mut new) = (order.uses_limits(), Vec::new(), 0_usize);
    let (mut of_lines, mut rejected) = (Vec::new(), Vec::new());
    for one in updates {
        if let (_, Some(line)) = one.order.order_and_line() {
            of_lines.push((line, one));
        } else if tx.order_update_mark_applied(&one.order, one.number)? {
            new = new.saturating_add(1);
            match apply_update(tx, &mut order, one)? {
                Ok(moved) => moves.extend(moved),
                Err(error) => rejected.push(RejectedUpdate::new(one, error)),
            }
        }
    }
    let (new_of_lines, moved) = files::apply_file_updates(tx, &mut order, &of_lines, &mut rejected)?;
    let new = new.saturating_add(new_of_lines);
    if new == 0 {
        return Ok(AppliedOrderUpdates { rejected, ..AppliedOrderUpdates::default() });
    }
    moves.extend(moved);
    tx.order_update(&order)?;
    vrp::update_vrp_usage(tx, counted, &order)?;
    outbox.raise_of_order(tx, &order, moves)?;
    let has_more = order.progress.is_some_and(|progress| progress.submitted < progress.count);
    Ok(AppliedOrderUpdates { new, has_more, rejected })
}

type AppliedTransition = Result<Option<Transition>, TransitionError>;

fn apply_update(
    tx: &mut dyn ServerTransaction,
    order: &mut Order,
    update: &StatusUpdate,
) -> Result<AppliedTransition, Failure> {
    Ok(match &update.change {
        OrderUpdate::Warehoused => order.warehouse(update.at).map(Some),
        OrderUpdate::Refused(reason) => order.reject(*reason, update.at).map(Some),
        OrderUpdate::Cancelled(reason) => order.cancel(*reason, update.at).map(Some),
        OrderUpdate::TimesChanged { execution_at, settlement_at } => {
            order.set_expected_times(*execution_at, *settlement_at);
            Ok(None)
        }
        OrderUpdate::PaymentChanged(payment) => apply_payment_update(tx, order, payment, update.at)?,
    })
}

/// Applies the status of a payment, and the same transition to the order if it is a single payment. Both change, or neither.
fn apply_payment_update(
    tx: &mut dyn ServerTransaction,
    order: &mut Order,
    update: &PaymentUpdate,
    at: Timestamp,
) -> Result<AppliedTransition, Failure> {
    let mut next = order.clone();
    let step = if order.product.is_recurring() {
        // The status of its payments does not change an order that is set up (PIS-095). An order that was not set up has no
        // payments.
        if order.status_history.current().warehoused { Ok(None) } else { Err(TransitionError::NotAllowed) }
    } else {
        apply_single_payment_status(&mut next, update, at).map(Some)
    };
    let moved = match step {
        Ok(moved) => moved,
        Err(error) => return Ok(Err(error)),
    };
    if let Err(error) = record_payment_status(tx, &order.id, update, at)? {
        return Ok(Err(error));
    }
    *order = next;
    Ok(Ok(moved))
}

/// Stores the status of a payment of the order.
fn record_payment_status(
    tx: &mut dyn ServerTransaction,
    order: &OrderId,
    update: &PaymentUpdate,
    at: Timestamp,
) -> Result<Result<(), TransitionError>, Failure> {
    let execution = match tx.execution(order, update.number)? {
        Some(mut known) => {
            if let Err(error) = known.advance(update.status, update.detail.clone(), at) {
                return Ok(Err(error));
            }
            known
        }
        None => PaymentExecution {
            order: order.clone(),
            number: update.number,
            due_on: update.due_on,
            paid_on: update.paid_on,
            amount: update.amount,
            status: update.status,
            since: at,
            detail: update.detail.clone(),
            last_update: 0,
        },
    };
    tx.execution_put(&execution)?;
    Ok(Ok(()))
}

/// Applies the status of its only payment to a single-payment order.
fn apply_single_payment_status(
    order: &mut Order,
    update: &PaymentUpdate,
    at: Timestamp,
) -> Result<Transition, TransitionError> {
    match update.status {
        PaymentStatus::InProcess => order.reserve(at),
        PaymentStatus::AcceptedWithChange => order.accept_with_change(at),
        PaymentStatus::Settled => order.settle(at),
        PaymentStatus::WithoutPosting => order.accept_without_posting(at),
        PaymentStatus::Blocked => order.block(at),
        PaymentStatus::Credited => order.credit(at),
        PaymentStatus::Rejected => order.reject(update.reason.unwrap_or(RejectionReason::NotGiven), at),
        PaymentStatus::Cancelled => order.cancel(update.reason.unwrap_or(RejectionReason::CancelledByCustomer), at),
        PaymentStatus::CustomerAccepted => order.accept_customer(at),
        PaymentStatus::FundsChecked => order.check_funds(at),
        PaymentStatus::Received
        | PaymentStatus::PartiallyAuthorised
        | PaymentStatus::TechnicallyValid
        | PaymentStatus::Pending => Err(TransitionError::NotAllowed),
    }
}
