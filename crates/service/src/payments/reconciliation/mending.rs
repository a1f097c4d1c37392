//! Corrects differences whose cause is certain, each in a transaction that checks again what the comparison has read.

use super::comparison::{Compared, find_difference, has_ended_at_bank, updates_between};
use super::difference::{DifferenceKind, Remedy};
use super::*;
use crate::payments::rejected_update::RejectedUpdate;
use crate::payments::submission_job::{build_submission_job, submission_job_id};
use lombard_domain::payment::order::Order;

impl Reconciler {
    /// Corrects a difference of an order that is no file, if its cause is certain and this is no dry run. Returns the difference
    /// that is to be listed; `None` if the order has moved since it was compared, so that there may be none.
    ///
    /// # Errors
    /// Storage's failure.
    pub(super) async fn settle_difference(
        &self,
        kind: DifferenceKind,
        compared: Compared<'_>,
        is_dry_run: bool,
    ) -> Result<Option<DifferenceKind>, Failure> {
        let (id, known_updates) = (compared.order.id.clone(), compared.updates);
        let (standing, now, has_job) = (compared.standing.cloned(), compared.now, compared.has_job);
        let inside = self.clone();
        let is_mended = !is_dry_run && matches!(kind.remedy(), Remedy::Certain(_));
        let settle = move |tx: &mut dyn ServerTransaction| {
            let Some(order) = tx.order_for_update(&id)? else { return Ok::<_, Failure>(None) };
            let updates = tx.order_updates_applied(&id)?.unwrap_or(0);
            let present = Compared { order: &order, updates, has_job, standing: standing.as_ref(), now };
            if updates != known_updates || find_difference(present) != Some(kind) {
                return Ok(None);
            }
            match &standing {
                _ if !is_mended => Ok(Some(TakenOver::default())),
                None => Ok(inside.submit_again(tx, &order)?.then(TakenOver::default)),
                Some(standing) if kind == DifferenceKind::NumbersBehind => {
                    inside.restart(tx, order, standing).map(Some)
                }
                Some(standing) => inside.take_over(tx, order, updates, standing).map(Some),
            }
        };
        let settled = if is_mended { self.store.write(settle).await? } else { self.store.read(settle).await? };
        let Some(taken) = settled else { return Ok(None) };
        taken.rejected.iter().for_each(RejectedUpdate::record);
        if !is_mended {
            return Ok(Some(kind));
        }
        self.submission_notify.notify_one();
        let order = compared.order.id.as_str();
        tracing::info!(order.id = order, difference = kind.code(), "an order was reconciled with the core");
        let is_whole = taken.rejected.is_empty() && !taken.is_open;
        Ok(Some(if is_whole { kind } else { DifferenceKind::EndsDiffer }))
    }

    /// Makes the job of an order again, unless there is one. Returns whether it was made.
    pub(super) fn submit_again(&self, tx: &mut dyn ServerTransaction, order: &Order) -> Result<bool, Failure> {
        if !tx.jobs_existing(&[submission_job_id(&order.id)])?.is_empty() {
            return Ok(false);
        }
        tx.job_enqueue(&build_submission_job(&self.clocks, &order.id))?;
        Ok(true)
    }

    /// Takes over the state that the bank has reported and the server does not know, with the events of status updates.
    fn take_over(
        &self,
        tx: &mut dyn ServerTransaction,
        order: Order,
        updates: u32,
        standing: &OrderStanding,
    ) -> Result<TakenOver, Failure> {
        let told: Vec<_> = updates_between(&standing.updates, updates, standing.acknowledged).cloned().collect();
        let applied = apply_order_updates(tx, &self.outbox, order, &told)?;
        Ok(TakenOver { rejected: applied.rejected, is_open: false })
    }

    /// Applies all acknowledged updates of the bank again, and counts on from the last of them. Updates to states that the order has had
    /// have no effect.
    fn restart(
        &self,
        tx: &mut dyn ServerTransaction,
        order: Order,
        standing: &OrderStanding,
    ) -> Result<TakenOver, Failure> {
        let id = order.id.clone();
        let has_ended = has_ended_at_bank(&order, standing);
        tx.order_updates_restart(&id, 0)?;
        let told: Vec<_> = updates_between(&standing.updates, 0, standing.acknowledged).cloned().collect();
        apply_order_updates(tx, &self.outbox, order, &told)?;
        tx.order_updates_restart(&id, standing.acknowledged)?;
        let is_final = tx.order_for_update(&id)?.is_some_and(|order| order.is_final());
        Ok(TakenOver { rejected: Vec::new(), is_open: has_ended && !is_final })
    }
}

/// What became of the bank's state of an order.
#[derive(Debug, Default)]
struct TakenOver {
    /// The updates that the order's state does not allow.
    rejected: Vec<RejectedUpdate>,
    /// Whether the order has ended at the bank, and its state here does not allow that end.
    is_open: bool,
}
