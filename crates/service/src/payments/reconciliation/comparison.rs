//! Compares orders of the server with how they stand at the bank.

use super::difference::{Difference, DifferenceKind};
use super::*;
use crate::payments::submission_job::submission_job_id;
use lombard_domain::payment::order::{ApprovalStatus, DetailedStatus, Order, PaymentStatus};
use lombard_ports::bank::{OrderUpdate, StatusUpdate};
use std::collections::HashSet;

/// What the comparison knows about an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared<'a> {
    /// The order.
    pub(super) order: &'a Order,
    /// The number of the last applied update.
    pub(super) updates: u32,
    /// Whether a job submits it.
    pub(super) has_job: bool,
    /// How it stands at the bank.
    pub(super) standing: Option<&'a OrderStanding>,
    /// The present time (bank clock).
    pub(super) now: Timestamp,
}

impl Reconciler {
    /// Compares orders, and corrects differences whose cause is certain unless this is a dry run.
    ///
    /// # Errors
    /// The bank's failure or storage's.
    pub(super) async fn compare_orders(
        &self,
        orders: Vec<OrderWithUpdates>,
        is_dry_run: bool,
    ) -> Result<Vec<Difference>, Failure> {
        let mut differences = Vec::new();
        // Jobs are read before the bank is asked. If an order had no job then and the bank does not hold it afterwards, nothing
        // will submit it.
        let jobs: Vec<_> = orders.iter().map(|it| submission_job_id(&it.order.id)).collect();
        let jobs: HashSet<_> = self.store.read(move |tx| tx.jobs_existing(&jobs)).await?.into_iter().collect();
        let (files, single): (Vec<_>, Vec<_>) = orders.into_iter().partition(|it| it.order.progress.is_some());
        let ids: Vec<_> = single.iter().map(|it| it.order.id.clone()).collect();
        let standings = if ids.is_empty() { HashMap::new() } else { self.ask_bank(&ids).await? };
        let now = self.clocks.bank_now();
        for OrderWithUpdates { order, updates_applied: updates } in single {
            let standing = match standings.get(&order.id) {
                Some(Err(cause)) => {
                    let mut difference = Difference::of_order(DifferenceKind::Unreadable, (&order, updates), None);
                    difference.at_bank.clone_from(cause);
                    differences.push(difference);
                    continue;
                }
                Some(Ok(standing)) => Some(standing),
                None => None,
            };
            let has_job = jobs.contains(&submission_job_id(&order.id));
            let compared = Compared { order: &order, updates, has_job, standing, now };
            let Some(kind) = find_difference(compared) else { continue };
            if let Some(kind) = self.settle_difference(kind, compared, is_dry_run).await? {
                differences.push(Difference::of_order(kind, (&order, updates), standing));
            }
        }
        for file in files {
            let has_job = jobs.contains(&submission_job_id(&file.order.id));
            differences.extend(self.compare_file_order(file.order, has_job, is_dry_run).await?);
        }
        Ok(differences)
    }
}

/// The difference between the two sides of an order that is no file; `None` if they agree, or are about to.
pub(super) fn find_difference(compared: Compared<'_>) -> Option<DifferenceKind> {
    let Compared { order, updates, has_job, standing, now } = compared;
    let Some(standing) = standing else {
        if order.is_final() {
            // An order that was rejected before it was submitted is not at the bank.
            let is_paid = order.detailed_status() == DetailedStatus::Payment(PaymentStatus::Credited);
            return is_paid.then_some(DifferenceKind::LostByBank);
        }
        if awaits_approvals(order) {
            return None;
        }
        if has_job {
            return is_overdue(order, now).then_some(DifferenceKind::NotMoving);
        }
        let is_new = updates == 0 && order.is_ready();
        return Some(if is_new { DifferenceKind::NeverSubmitted } else { DifferenceKind::LostByBank });
    };
    let amount = order.instruction.transfer().map(|transfer| transfer.amount);
    if standing.debtor != order.debtor || amount != Some(standing.amount) {
        return Some(DifferenceKind::OtherPayment);
    }
    if order.approvals.as_ref().is_some_and(|approvals| approvals.status != ApprovalStatus::Authorised) {
        return Some(DifferenceKind::NotApproved);
    }
    if order.is_final() {
        let ends_alike = end_of(order, &standing.updates).is_some_and(|end| end == ended_as(order));
        // Updates that are not acknowledged are still to come, and the server ignores them. A bank without updates gives no
        // information.
        let is_known = standing.last_update == updates || standing.updates.is_empty();
        return (!ends_alike && !is_known).then_some(DifferenceKind::EndsDiffer);
    }
    let in_updates = find_difference_of_updates(order, updates, standing);
    in_updates.or_else(|| is_overdue(order, now).then_some(DifferenceKind::NotMoving))
}

/// The difference between the updates that the server has applied to an order, or to a payment of a file, and those that the bank
/// has reported; `None` if the server knows all, or is about to. `known` is the number of the last applied update.
pub(super) fn find_difference_of_updates(
    order: &Order,
    known: u32,
    standing: &OrderStanding,
) -> Option<DifferenceKind> {
    if standing.last_update < known {
        return Some(DifferenceKind::NumbersBehind);
    }
    if standing.acknowledged > known {
        let lost = updates_between(&standing.updates, known, standing.acknowledged);
        let is_whole = lost.map(|update| update.number).eq(known.saturating_add(1)..=standing.acknowledged);
        return Some(if is_whole { DifferenceKind::UpdatesLost } else { DifferenceKind::UpdatesForgotten });
    }
    // The bank was restored, and has counted up to a number again that the server had applied.
    has_ended_at_bank(order, standing).then_some(DifferenceKind::NumbersBehind)
}

/// Whether the bank has reported that the order ended, and the server has acknowledged it.
pub(super) fn has_ended_at_bank(order: &Order, standing: &OrderStanding) -> bool {
    let told: Vec<_> = updates_between(&standing.updates, 0, standing.acknowledged).cloned().collect();
    end_of(order, &told).is_some()
}

/// The updates after the first number, up to the second.
pub(super) fn updates_between(updates: &[StatusUpdate], after: u32, upto: u32) -> impl Iterator<Item = &StatusUpdate> {
    updates.iter().filter(move |update| update.number > after && update.number <= upto)
}

fn awaits_approvals(order: &Order) -> bool {
    order.approvals.as_ref().is_some_and(|approvals| approvals.status == ApprovalStatus::Awaiting)
}

/// Whether the order waits for the bank, and should have ended long ago.
pub(super) fn is_overdue(order: &Order, now: Timestamp) -> bool {
    let last = order.status_history.current().at;
    order.unsettled().is_some_and(|it| it.due_at.max(last).saturating_add(LISTED_AFTER).is_ok_and(|at| at < now))
}

/// How an order ends: by its payment, or without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderEnd {
    Paid,
    NotPaid,
}

/// How the bank's updates say that the order ended; `None` if they do not.
fn end_of(order: &Order, updates: &[StatusUpdate]) -> Option<OrderEnd> {
    updates.iter().rev().find_map(|update| match &update.change {
        OrderUpdate::Refused(_) | OrderUpdate::Cancelled(_) => Some(OrderEnd::NotPaid),
        // A standing order does not end with one of its payments.
        OrderUpdate::PaymentChanged(_) if order.product.is_recurring() => None,
        OrderUpdate::PaymentChanged(payment) => match payment.status {
            PaymentStatus::Credited => Some(OrderEnd::Paid),
            PaymentStatus::Rejected | PaymentStatus::Cancelled => Some(OrderEnd::NotPaid),
            _ => None,
        },
        OrderUpdate::Warehoused | OrderUpdate::TimesChanged { .. } => None,
    })
}

fn ended_as(order: &Order) -> OrderEnd {
    match order.detailed_status() {
        DetailedStatus::Payment(PaymentStatus::Credited) => OrderEnd::Paid,
        DetailedStatus::Payment(_) | DetailedStatus::SetUp | DetailedStatus::SetUpFailed => OrderEnd::NotPaid,
    }
}
