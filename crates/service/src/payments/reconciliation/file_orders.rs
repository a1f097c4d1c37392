//! Compares orders of files, whose payments are separate orders at the bank.

use super::comparison::{find_difference_of_updates, is_overdue, updates_between};
use super::difference::{Difference, DifferenceKind, describe_order};
use super::*;
use lombard_domain::payment::order::{Order, PaymentExecution, PaymentStatus};
use lombard_ports::bank::StatusUpdate;

/// The number of payments that are compared at a time.
const PAYMENTS_TOGETHER: u32 = 500;

/// What was found about the payments of a file.
#[derive(Debug, Default)]
struct FileFindings {
    /// The number of payments of each kind of difference.
    counts: Vec<(DifferenceKind, u32)>,
}

impl FileFindings {
    fn add(&mut self, kind: DifferenceKind) {
        match self.counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.counts.push((kind, 1)),
        }
    }
}

/// How the record of a payment of a file is corrected.
#[derive(Debug, Clone)]
struct PaymentMend {
    number: u32,
    /// The number of the last applied update, as it was compared.
    known_update: u32,
    /// The updates to be applied.
    updates: Vec<StatusUpdate>,
    /// The number that counts afterwards, if the bank's numbers are behind.
    restart_at: Option<u32>,
}

impl Reconciler {
    /// Compares an order of a file that has not ended. The differences of its payments are counted, one entry for each kind.
    ///
    /// # Errors
    /// The bank's failure or storage's.
    pub(super) async fn compare_file_order(
        &self,
        order: Order,
        has_job: bool,
        is_dry_run: bool,
    ) -> Result<Vec<Difference>, Failure> {
        let Some(progress) = order.progress.filter(|_| !order.is_final()) else { return Ok(Vec::new()) };
        let mut differences = Vec::new();
        let entry = |kind| Difference::of_order(kind, (&order, 0), None);
        if order.is_ready() && progress.submitted < progress.count && !has_job {
            let (inside, id) = (self.clone(), order.id.clone());
            let submit = move |tx: &mut dyn ServerTransaction| match tx.order_for_update(&id)? {
                Some(order) if order.is_ready() => inside.submit_again(tx, &order),
                Some(_) | None => Ok(false),
            };
            if is_dry_run || self.store.write(submit).await? {
                differences.push(entry(DifferenceKind::NeverSubmitted));
                self.submission_notify.notify_one();
            }
        }
        let mut findings = FileFindings::default();
        let mut after = 0;
        while after < progress.submitted {
            let id = order.id.clone();
            let read = move |tx: &mut dyn ServerTransaction| tx.executions(&id, after, PAYMENTS_TOGETHER);
            let payments = self.store.read(read).await?;
            let Some(last) = payments.last() else { break };
            after = last.number;
            let open: Vec<_> = payments.into_iter().filter(|it| it.status == PaymentStatus::Received).collect();
            self.compare_payments(&order, open, is_dry_run, &mut findings).await?;
        }
        let is_quiet = findings.counts.is_empty() && differences.is_empty();
        if is_quiet && is_overdue(&order, self.clocks.bank_now()) {
            differences.push(entry(DifferenceKind::NotMoving));
        }
        differences.extend(findings.counts.into_iter().map(|(kind, count)| Difference {
            order: order.id.clone(),
            kind,
            here: describe_order(&order, 0),
            at_bank: format!("{count} payments"),
        }));
        Ok(differences)
    }

    async fn compare_payments(
        &self,
        order: &Order,
        payments: Vec<PaymentExecution>,
        is_dry_run: bool,
        findings: &mut FileFindings,
    ) -> Result<(), Failure> {
        if payments.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = payments.iter().map(|payment| order.id.for_line(payment.number)).collect();
        let standings = self.ask_bank(&ids).await?;
        let mut mends = Vec::new();
        for payment in payments {
            let standing = match standings.get(&order.id.for_line(payment.number)) {
                None => {
                    findings.add(DifferenceKind::LostByBank);
                    continue;
                }
                Some(Err(_)) => {
                    findings.add(DifferenceKind::Unreadable);
                    continue;
                }
                Some(Ok(standing)) => standing,
            };
            let Some((kind, mend)) = compare_payment(order, &payment, standing) else { continue };
            findings.add(kind);
            mends.extend(mend);
        }
        if mends.is_empty() || is_dry_run {
            return Ok(());
        }
        let (id, outbox) = (order.id.clone(), self.outbox.clone());
        let has_more = self.store.write(move |tx| apply_mends(tx, &outbox, &id, &mends)).await?;
        if has_more {
            self.submission_notify.notify_one();
        }
        Ok(())
    }
}

/// The difference between the two sides of an undecided payment, and how it is corrected if its cause is certain.
fn compare_payment(
    order: &Order,
    payment: &PaymentExecution,
    standing: &OrderStanding,
) -> Option<(DifferenceKind, Option<PaymentMend>)> {
    if standing.debtor != order.debtor || standing.amount != payment.amount {
        return Some((DifferenceKind::OtherPayment, None));
    }
    let known_update = payment.last_update;
    let kind = find_difference_of_updates(order, known_update, standing)?;
    let acknowledged = standing.acknowledged;
    let (after, restart_at) = match kind {
        DifferenceKind::UpdatesLost => (known_update, None),
        DifferenceKind::NumbersBehind => (0, Some(acknowledged)),
        _ => return Some((kind, None)),
    };
    let updates = updates_between(&standing.updates, after, acknowledged).cloned().collect();
    Some((kind, Some(PaymentMend { number: payment.number, known_update, updates, restart_at })))
}

/// Applies corrections to those payments that have not changed since they were compared. Returns whether further payments have to
/// be submitted.
fn apply_mends(
    tx: &mut dyn ServerTransaction,
    outbox: &Outbox,
    id: &OrderId,
    mends: &[PaymentMend],
) -> Result<bool, Failure> {
    let Some(order) = tx.order_for_update(id)?.filter(|order| !order.is_final()) else { return Ok(false) };
    let numbers: Vec<_> = mends.iter().map(|mend| mend.number).collect();
    let present = tx.executions_numbered(id, &numbers)?;
    let last_updates: HashMap<u32, u32> = present.iter().map(|it| (it.number, it.last_update)).collect();
    let is_as_compared = |mend: &&PaymentMend| last_updates.get(&mend.number) == Some(&mend.known_update);
    let mends: Vec<_> = mends.iter().filter(is_as_compared).collect();
    let restarts: HashMap<u32, u32> = mends.iter().filter_map(|mend| Some((mend.number, mend.restart_at?))).collect();
    let restarted = |at: fn(u32) -> u32, payments: Vec<PaymentExecution>| {
        let payments = payments.into_iter().filter_map(|payment| {
            let last_update = at(*restarts.get(&payment.number)?);
            Some(PaymentExecution { last_update, ..payment })
        });
        payments.collect::<Vec<_>>()
    };
    tx.executions_put(&restarted(|_| 0, present))?;
    let updates: Vec<_> = mends.iter().flat_map(|mend| mend.updates.iter().cloned()).collect();
    let applied = apply_order_updates(tx, outbox, order, &updates)?;
    let numbers: Vec<_> = restarts.keys().copied().collect();
    let present = tx.executions_numbered(id, &numbers)?;
    tx.executions_put(&restarted(|acknowledged| acknowledged, present))?;
    Ok(applied.has_more)
}
