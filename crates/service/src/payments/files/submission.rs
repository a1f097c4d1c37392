//! Submits the payments of a file to the bank in batches, each payment as a separate order. Source: FILE-023.
//!
//! A batch is three steps, each of which may be repeated after a crash: the payments are stored, each at most once and unchanged
//! from then on; the bank accepts those that are not rejected, each once; and the progress of the order is stored. The next batch
//! is a separate job, so that no file delays others.

use super::{consent_of, file_of, locked, rejection, status_updates};
use crate::payments::order_call::context_of_order;
use crate::{Context, Failure};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::calendar::london_date;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::file::{FileInitiation, FileLine};
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::order::{Order, PaymentExecution, PaymentStatus};
use lombard_domain::payment::transfer::{PaymentConditions, Transfer};
use lombard_ports::bank::{CallContext, PaymentOrder};
use lombard_ports::store::ServerTransaction;

/// The number of undecided payments of a file from which on the next batch is delayed.
const UNDECIDED_PAYMENTS_MAX: u32 = 1_000;
/// The delay of the next batch in that case (wall clock). It is short, because the bank may leave some payments undecided for
/// days while the others must continue.
const BACKPRESSURE_DELAY: SignedDuration = SignedDuration::from_millis(100);

/// The remaining submission of a file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::payments) enum SubmissionProgress {
    /// Nothing remains.
    Done,
    /// Further payments remain, which are due from this time on (wall clock).
    More(Timestamp),
}

/// A batch of payments as it is stored.
struct LineBatch {
    /// The number of payments before the batch.
    after: u32,
    /// The number of the last payment of the batch.
    upto: u32,
    /// The payments that the bank is to execute.
    payable: Vec<PaymentOrder>,
    /// The number of payments that are not executed.
    refused: u32,
}

/// Submits the next batch of an order's payments to the bank, if there is one.
///
/// # Errors
/// The bank's failure or storage's; the same batch is submitted again then.
pub(in crate::payments) async fn next_batch(context: &Context, id: &OrderId) -> Result<SubmissionProgress, Failure> {
    let (inside, asked) = (context.clone(), id.clone());
    let Some(batch) = context.store.write(move |tx| record_batch(tx, &inside, &asked)).await? else {
        return Ok(SubmissionProgress::Done);
    };
    if !batch.payable.is_empty() {
        context.bank.submit_orders(&context.call, &batch.payable).await?;
    }
    let (inside, asked, wall) = (context.clone(), id.clone(), context.clocks.wall_now());
    let LineBatch { after, upto, refused, .. } = batch;
    context.store.write(move |tx| advance_progress(tx, &inside, &asked, (after, upto, refused), wall)).await
}

/// Stores the next batch: the first step.
fn record_batch(tx: &mut dyn ServerTransaction, context: &Context, id: &OrderId) -> Result<Option<LineBatch>, Failure> {
    let broken = |what: &'static str| Failure::Broken(what.into());
    let order = locked(tx, id)?;
    let progress = order.progress.ok_or_else(|| broken("an order of a file without its progress"))?;
    if !order.is_ready() || progress.submitted >= progress.count {
        return Ok(None);
    }
    let consent = consent_of(tx, &order)?;
    let (terms, file) = file_of(&consent).ok_or_else(|| broken("an order of a file that never came"))?;
    let most = context.payments.file_batch;
    let lines = tx.file_lines(&file.id, progress.submitted, most)?;
    let upto = lines.last().ok_or_else(|| broken("a file has fewer payments than were counted"))?.number;
    let now = context.clocks.read_bank_time(tx)?;
    let call = context_of_order(tx, &order, &consent)?;
    let judge =
        LineValidator { order: &order, call, terms, limits: &context.payments.limits, now, today: london_date(now) };
    let (executions, transfers): (Vec<_>, Vec<_>) = lines.into_iter().map(|line| judge.line(line)).unzip();
    tx.executions_insert(&executions)?;
    // Payments that are already stored keep their result, whatever today's validation says.
    let standing = tx.executions(id, progress.submitted, most)?;
    let is_refused = |it: &PaymentExecution| it.last_update == 0 && it.status == PaymentStatus::Rejected;
    let refused = u32::try_from(standing.iter().filter(|it| is_refused(it)).count()).unwrap_or(u32::MAX);
    let payable = standing.iter().zip(transfers).filter(|(it, _)| !is_refused(it));
    let payable = payable.filter_map(|(it, transfer)| Some(judge.order(it.number, transfer?))).collect();
    Ok(Some(LineBatch { after: progress.submitted, upto, payable, refused }))
}

/// Validates the payments of an order.
struct LineValidator<'a> {
    order: &'a Order,
    call: CallContext,
    terms: &'a FileInitiation,
    limits: &'a PaymentLimits,
    now: Timestamp,
    today: Date,
}

impl LineValidator<'_> {
    /// The initial state of a line, and its payment unless the line was refused.
    fn line(&self, line: FileLine) -> (PaymentExecution, Option<Transfer>) {
        let (number, amount, instrument) = (line.number, line.amount, line.instrument.or(self.terms.instrument));
        let day = line.execute_on.or(self.terms.execute_on).filter(|day| *day > self.today).unwrap_or(self.today);
        let detail = line
            .unexecuted_reason(self.terms, self.now, self.limits)
            .map(|why| rejection::refusal_reason(why, instrument));
        let transfer = line.transfer(self.terms, self.today).ok();
        let status = if detail.is_some() { PaymentStatus::Rejected } else { PaymentStatus::Received };
        let execution = PaymentExecution {
            order: self.order.id.clone(),
            number,
            due_on: day,
            paid_on: day,
            amount,
            status,
            since: self.now,
            detail,
            last_update: 0,
        };
        (execution, transfer)
    }

    /// The payment as submitted to the bank. It has no charges, because the customer was shown none.
    fn order(&self, number: u32, transfer: Transfer) -> PaymentOrder {
        let Order { id, product, debtor, created_at, .. } = self.order;
        PaymentOrder {
            id: id.for_line(number),
            product: *product,
            transfer,
            debtor: debtor.clone(),
            conditions: PaymentConditions::default(),
            created_at: *created_at,
            call: self.call.clone(),
            core_state: None,
        }
    }
}

/// Stores the progress of the order, once for each batch: the third step. Returns when the next batch is due.
fn advance_progress(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    id: &OrderId,
    (after, upto, refused): (u32, u32, u32),
    wall: Timestamp,
) -> Result<SubmissionProgress, Failure> {
    let mut order = locked(tx, id)?;
    let now = context.clocks.read_bank_time(tx)?;
    let Some(progress) = order.progress.as_mut().filter(|it| it.submitted == after) else {
        // Another node has stored the progress first.
        return Ok(SubmissionProgress::More(wall));
    };
    progress.submitted = upto;
    (0..refused).for_each(|_| progress.record_decision(false));
    let progress = *progress;
    let moved = status_updates::end(&mut order, now)?;
    tx.order_update(&order)?;
    context.outbox.raise_of_order(tx, &order, moved)?;
    let undecided = progress.submitted.saturating_sub(progress.decided);
    let held_back = if undecided > UNDECIDED_PAYMENTS_MAX { BACKPRESSURE_DELAY } else { SignedDuration::ZERO };
    let due_at = wall.saturating_add(held_back).unwrap_or(wall);
    Ok(if progress.submitted < progress.count { SubmissionProgress::More(due_at) } else { SubmissionProgress::Done })
}
