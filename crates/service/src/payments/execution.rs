//! Submits orders to the bank with retries, and applies each of the bank's status updates once.

use super::files::{self, SubmissionProgress};
use super::order_call::{consent_of, context_of_order};
use super::rejected_update::log_rejected_update;
use super::vrp;
use crate::events::Outbox;
use crate::workers::{ClaimedJobs, call_bank_within_limit, claim_jobs, is_permanent, release_failed_job};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::OrderId;
use lombard_domain::job::Job;
use lombard_domain::order::{
    Instruction, Order, PaymentExecution, PaymentStatus, RejectionReason, Transition, TransitionError,
};
use lombard_ports::bank::{CallContext, OrderUpdate, PaymentOrder, PaymentUpdate, StatusUpdate, SubmittedOrder};
use lombard_ports::store::{FailedWork, ServerTransaction, WorkKind};
use std::collections::{BTreeMap, HashMap};

/// The kind of job that submits an order to the bank.
const SUBMISSION_JOB_KIND: &str = "order";
/// How many orders are submitted to the bank at a time.
const SUBMISSION_BATCH: u32 = 64;
/// The largest number of status updates fetched from the bank at a time.
const STATUS_UPDATE_BATCH: u32 = 256;
/// How long a node holds the lease of one batch (wall clock) before another node may claim it.
const LEASE: SignedDuration = SignedDuration::from_secs(10);

/// The job that submits an order to the bank. The job is due on the wall clock, not on the bank's clock.
pub(super) fn build_submission_job(context: &Context, order: &OrderId) -> Job {
    Job::new(context.ids.ordered(), SUBMISSION_JOB_KIND, order.as_str(), context.clocks.wall_now())
}

/// Submits a batch of orders to the bank. Returns how many jobs were claimed; zero means that none is due now. Safe to run
/// twice and on several nodes: the bank takes an order once. Jobs that cannot be read are put in quarantine.
///
/// # Errors
/// Storage's failure; the next activation finds the same orders.
pub async fn submit_orders(context: &Context) -> Result<usize, Failure> {
    let now = context.clocks.wall_now();
    let ClaimedJobs { jobs, found } = claim_jobs(context, SUBMISSION_JOB_KIND, now, LEASE, SUBMISSION_BATCH).await?;
    futures_util::future::join_all(jobs.into_iter().map(|job| submit_claimed_order(context, job))).await;
    Ok(found)
}

/// Submits the order of a claimed job. A failed submission is retried with growing delay; a permanent failure is quarantined
/// after some attempts.
async fn submit_claimed_order(context: &Context, job: Job) {
    let order = OrderId::new(job.subject.clone());
    let done = match call_bank_within_limit(submit_next_part(context, &order)).await {
        Ok(SubmissionProgress::Done) => {
            context.store.write(move |tx| Ok::<_, Failure>(tx.job_complete(&job.id).map(drop)?)).await
        }
        Ok(SubmissionProgress::More(due_at)) => {
            // A new job, so that the attempts counter starts at zero for the remaining lines.
            let rest = Job { due_at, ..self::build_submission_job(context, &order) };
            let replace = move |tx: &mut dyn ServerTransaction| {
                // If the lease expired and another node took the job over, that node enqueues the rest.
                if tx.job_complete(&job.id)? {
                    tx.job_enqueue(&rest)?;
                }
                Ok::<_, Failure>(())
            };
            context.store.write(replace).await
        }
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "an order was not submitted to the bank");
            metrics::counter!("lombard_order_submission_failures_total").increment(1);
            release_failed_job(context, &job, &error, context.clocks.wall_now()).await
        }
    };
    if let Err(error) = done {
        tracing::warn!(error = &error as &dyn std::error::Error, "a job was neither completed nor released");
    }
}

/// Submits one order completely, if it is ready. The bank accepts an order once, however often it is submitted.
///
/// # Errors
/// [`Failure::Broken`] if there is no such order; otherwise the bank's failure or storage's.
pub async fn submit_order(context: &Context, id: &OrderId) -> Result<(), Failure> {
    while submit_next_part(context, id).await? != SubmissionProgress::Done {}
    Ok(())
}

/// Submits one order, or the next batch of payments of a file order.
async fn submit_next_part(context: &Context, id: &OrderId) -> Result<SubmissionProgress, Failure> {
    let asked = id.clone();
    let found = context.store.read(move |tx| {
        let order = tx.order_for_update(&asked)?;
        let order = order.ok_or_else(|| Failure::Broken("a job names an order that does not exist".into()))?;
        if !order.is_ready() {
            return Ok(None);
        }
        // Each batch of a file has a context of its own.
        let call = match order.instruction {
            Instruction::Transfer(_) => {
                let consent = consent_of(tx, &order)?;
                context_of_order(tx, &order, &consent)?
            }
            Instruction::File(_) | Instruction::Vrp(_) => CallContext::default(),
        };
        Ok::<_, Failure>(Some((order, call)))
    });
    let Some((order, call)) = found.await? else { return Ok(SubmissionProgress::Done) };
    let Order { id, product, instruction, debtor, conditions, created_at, core_state, .. } = order;
    let transfer = match instruction {
        Instruction::Transfer(transfer) => transfer,
        Instruction::File(_) => return files::next_batch(context, &id).await,
        Instruction::Vrp(_) => {
            return Err(Failure::Broken("an order's instruction is never VRP limits".into()));
        }
    };
    let order = PaymentOrder { id, product, transfer, debtor, conditions, created_at, call, core_state };
    let submitted = context.bank.submit(&context.call, &[order]).await?;
    keep_core_states(context, submitted).await?;
    Ok(SubmissionProgress::Done)
}

/// Stores what the core set on the orders that it accepted. The payments of a file, which are never asked about, keep none.
async fn keep_core_states(context: &Context, submitted: Vec<SubmittedOrder>) -> Result<(), Failure> {
    let states = submitted.into_iter().filter_map(|it| Some((it.id, it.core_state?)));
    let states: Vec<_> = states.filter(|(order, _)| order.order_and_line().1.is_none()).collect();
    if states.is_empty() {
        return Ok(());
    }
    let keep = move |tx: &mut dyn ServerTransaction| {
        states.iter().try_for_each(|(order, state)| Ok(tx.order_set_core_state(order, state)?))
    };
    context.store.write(keep).await
}

/// Applies a batch of the bank's status updates. Returns how many were new, and applied or quarantined; none means that nothing is
/// left, or that the bank repeats what was applied before.
/// Safe to run twice and on several nodes: the order keeps the number of the last one applied. An order whose updates cannot be
/// applied now does not hold up others; if they can never be applied, they are quarantined.
///
/// # Errors
/// The bank's failure, or storage's if no update could be applied; updates that were not applied are delivered again.
pub async fn apply_status_updates(context: &Context) -> Result<usize, Failure> {
    let updates = call_bank_within_limit(context.bank.fetch_status_updates(&context.call, STATUS_UPDATE_BATCH)).await?;
    let mut acknowledged: Vec<(OrderId, u32)> = Vec::new();
    let (mut count, mut failed, mut lasting) = (0_usize, None, Vec::new());
    for (order, of_one) in group_updates_by_order(updates) {
        let upto = highest_update_numbers(&of_one);
        // The request during which the updates are applied is not the cause of their events.
        let (outbox, id) = (context.outbox.caused_by(None), order.clone());
        match context.store.write(move |tx| apply_order_updates(tx, &outbox, &id, &of_one)).await {
            Ok(applied) => {
                count = count.saturating_add(applied.new);
                acknowledged.extend(upto);
                if applied.has_more {
                    context.payments.submission_notify.notify_one();
                }
            }
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

/// Up to which number the status updates of each order are applied.
pub type AppliedNumbers = Vec<(OrderId, u32)>;

/// Applies status updates that a bank pushes. One whose number is not the next of its order (or of its payment of a file) is not
/// applied: it is fetched later, with those before it. Returns up to which number the updates of each are applied, now or before; the
/// others are not to be acknowledged.
///
/// # Errors
/// Storage's failure, or an update that can never be applied; updates of other orders may have been applied.
pub async fn apply_pushed_updates(context: &Context, updates: Vec<StatusUpdate>) -> Result<AppliedNumbers, Failure> {
    let mut acknowledged = Vec::new();
    for (order, of_one) in group_updates_by_order(updates) {
        let outbox = context.outbox.caused_by(None);
        let applied = context.store.write(move |tx| {
            // The lock keeps the numbers from moving before the updates are applied.
            if tx.order_for_update(&order)?.is_none() {
                return Ok((false, Vec::new()));
            }
            let (next, upto) = take_next_updates(tx, &of_one)?;
            Ok::<_, Failure>((apply_order_updates(tx, &outbox, &order, &next)?.has_more, upto))
        });
        let (has_more, upto) = applied.await?;
        if has_more {
            context.payments.submission_notify.notify_one();
        }
        acknowledged.extend(upto);
    }
    Ok(acknowledged)
}

/// Of updates in any order and number of copies, those that come next without a gap, by order and number; and up to which number
/// each order then has its updates.
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

/// What became of the status updates of an order.
#[derive(Debug, Default)]
struct AppliedOrderUpdates {
    /// How many were not applied before.
    new: usize,
    /// Whether further payments of the order have to be submitted.
    has_more: bool,
}

/// Applies the status updates of one order and raises an event for each transition that its TPP can see.
fn apply_order_updates(
    tx: &mut dyn ServerTransaction,
    outbox: &Outbox,
    id: &OrderId,
    updates: &[StatusUpdate],
) -> Result<AppliedOrderUpdates, Failure> {
    let Some(mut order) = tx.order_for_update(id)? else {
        tracing::warn!(order.id = id.as_str(), "a status update names an unknown order");
        return Ok(AppliedOrderUpdates::default());
    };
    let (counted, mut moves, mut new) = (order.uses_limits(), Vec::new(), 0_usize);
    let mut of_lines = Vec::new();
    for one in updates {
        if let (_, Some(line)) = one.order.order_and_line() {
            of_lines.push((line, one));
        } else if tx.order_update_applied(&one.order, one.number)? {
            new = new.saturating_add(1);
            match apply_update(tx, &mut order, one)? {
                Ok(moved) => moves.extend(moved),
                Err(error) => log_rejected_update(one, &error),
            }
        }
    }
    let (new_of_lines, moved) = files::apply_file_updates(tx, &mut order, &of_lines)?;
    let new = new.saturating_add(new_of_lines);
    if new == 0 {
        return Ok(AppliedOrderUpdates::default());
    }
    moves.extend(moved);
    tx.order_update(&order)?;
    vrp::update_vrp_usage(tx, counted, &order)?;
    outbox.raise_of_order(tx, &order, moves)?;
    let has_more = order.progress.is_some_and(|progress| progress.submitted < progress.count);
    Ok(AppliedOrderUpdates { new, has_more })
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
        // The status of its payments does not change an order that was set up (PIS-095). An order that was not set up has no
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

/// A single-payment order takes the status of its payment.
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
