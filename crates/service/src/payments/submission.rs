//! Submits orders to the bank, with retries.
//!
//! Orders that are due for the first time are submitted together: one read, one call of the bank and one write for all of them.
//! Orders that were not submitted are retried, each order separately, so that none delays the others.

use super::files::{self, SubmissionProgress};
use super::order_call::build_order_context;
use super::submission_job::{SUBMISSION_JOB_KIND, build_submission_job};
use crate::workers::{ClaimedJobs, call_bank_within_limit, claim_jobs, is_permanent, release_failed_job};
use crate::{Context, Failure};
use jiff::SignedDuration;
use lombard_domain::ids::OrderId;
use lombard_domain::job::Job;
use lombard_domain::payment::order::{Instruction, Order};
use lombard_ports::bank::{PaymentOrder, SubmittedOrder};
use lombard_ports::store::{OrderWithConsent, ServerTransaction};
use lombard_traces::Span;
use std::collections::HashMap;

/// The number of orders that are submitted to the bank at a time.
const SUBMISSION_BATCH: u32 = 64;
/// The duration of the lease of one batch (wall clock), after which another node may claim it.
const LEASE: SignedDuration = SignedDuration::from_secs(10);

/// Submits a batch of orders to the bank. Returns the number of claimed jobs; zero means that none is due now. The function may
/// run twice and on several nodes, because the bank accepts an order once. Jobs that cannot be read are quarantined.
///
/// # Errors
/// Storage's failure; the next activation finds the same orders.
pub async fn submit_orders(context: &Context) -> Result<usize, Failure> {
    let now = context.clocks.wall_now();
    let ClaimedJobs { jobs, found } = claim_jobs(context, SUBMISSION_JOB_KIND, now, LEASE, SUBMISSION_BATCH).await?;
    if jobs.is_empty() {
        return Ok(found);
    }
    let span = Span::of_own_work("submit orders");
    span.around(submit_claimed_orders(context, jobs)).await;
    Ok(found)
}

/// Submits the orders of claimed jobs: those that are due for the first time together, the others one by one.
async fn submit_claimed_orders(context: &Context, jobs: Vec<Job>) {
    let (new, again): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.attempts <= 1);
    let mut alone = again;
    if new.len() > 1 {
        alone.extend(submit_together(context, new).await)
    } else {
        alone.extend(new)
    }
    futures_util::future::join_all(alone.into_iter().map(|job| submit_claimed_order(context, job))).await;
}

/// Submits the orders of claimed jobs together. Returns the jobs that must be executed one by one: those of file orders, and all
/// jobs after a failure that a single order may have caused.
async fn submit_together(context: &Context, jobs: Vec<Job>) -> Vec<Job> {
    let ids: Vec<_> = jobs.iter().map(|job| OrderId::new(job.subject.clone())).collect();
    let Ok(mut prepared) = prepare_submissions(context, ids).await else { return jobs };
    let (mut orders, mut done, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for job in jobs {
        match prepared.remove(job.subject.as_str()) {
            Some(Submission::NotReady) => done.push(job),
            Some(Submission::File) | None => alone.push(job),
            Some(Submission::Order(order)) => {
                orders.push(*order);
                done.push(job);
            }
        }
    }
    if let Err(error) = call_bank_within_limit(submit_to_bank(context, &orders)).await {
        if is_permanent(&error) {
            alone.extend(done);
            return alone;
        }
        // The bank is not called again at once.
        futures_util::future::join_all(done.iter().map(|job| note_failed_submission(context, job, &error))).await;
        return alone;
    }
    let done: Vec<_> = done.into_iter().map(|job| job.id).collect();
    let complete = move |tx: &mut dyn ServerTransaction| Ok::<_, Failure>(tx.jobs_complete(&done)?);
    note_unfinished(context.store.write(complete).await);
    alone
}

/// Stores that a submission failed and is to be retried.
async fn note_failed_submission(context: &Context, job: &Job, error: &Failure) {
    tracing::warn!(error = error as &dyn std::error::Error, "an order was not submitted to the bank");
    metrics::counter!("lombard_order_submission_failures_total").increment(1);
    note_unfinished(release_failed_job(context, job, error, context.clocks.wall_now()).await);
}

/// Logs that the completion of a job could not be stored; the lease of the job expires, and the job is executed again.
fn note_unfinished(done: Result<(), Failure>) {
    if let Err(error) = done {
        tracing::warn!(error = &error as &dyn std::error::Error, "a job was neither completed nor released");
    }
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
            let rest = Job { due_at, ..build_submission_job(&context.clocks, &order) };
            let replace = move |tx: &mut dyn ServerTransaction| {
                // If the lease expired and another node took the job over, that node enqueues the rest.
                if tx.job_complete(&job.id)? {
                    tx.job_enqueue(&rest)?;
                }
                Ok::<_, Failure>(())
            };
            context.store.write(replace).await
        }
        Err(error) => return note_failed_submission(context, &job, &error).await,
    };
    note_unfinished(done);
}

/// Submits an order if it is ready; of a file order, all batches. The bank accepts an order once, however often it is submitted.
///
/// # Errors
/// [`Failure::Broken`] if there is no such order; otherwise the bank's failure or storage's.
pub async fn submit_order(context: &Context, id: &OrderId) -> Result<(), Failure> {
    while submit_next_part(context, id).await? != SubmissionProgress::Done {}
    Ok(())
}

/// The next submission of an order.
enum Submission {
    /// Nothing: the order is not ready, or was submitted before.
    NotReady,
    /// The order.
    Order(Box<PaymentOrder>),
    /// The next batch of payments of a file order; each batch has a call context of its own.
    File,
}

/// Reads the next submissions of these orders, for those that exist.
async fn prepare_submissions(context: &Context, ids: Vec<OrderId>) -> Result<HashMap<String, Submission>, Failure> {
    let found = context.store.read_by_one_query(move |tx| Ok::<_, Failure>(tx.orders_with_consents(&ids)?)).await?;
    found.into_iter().map(|it| Ok((it.order.id.as_str().to_owned(), prepare_submission(it)?))).collect()
}

/// The next submission of an order.
fn prepare_submission(found: OrderWithConsent) -> Result<Submission, Failure> {
    if !found.order.is_ready() {
        return Ok(Submission::NotReady);
    }
    let order = build_payment_order(found)?;
    Ok(order.map_or(Submission::File, |order| Submission::Order(Box::new(order))))
}

/// The order as it is submitted, whatever its status; `None` for an order of a file.
///
/// # Errors
/// [`Failure::Broken`] if the instruction is that of no order.
pub(super) fn build_payment_order(found: OrderWithConsent) -> Result<Option<PaymentOrder>, Failure> {
    let OrderWithConsent { order, consent, client } = found;
    let call = build_order_context(client, &order, &consent);
    let Order { id, product, instruction, debtor, conditions, created_at, core_state, .. } = order;
    match instruction {
        Instruction::Transfer(transfer) => {
            Ok(Some(PaymentOrder { id, product, transfer, debtor, conditions, created_at, call, core_state }))
        }
        Instruction::File(_) => Ok(None),
        Instruction::Vrp(_) => Err(Failure::Broken("an order's instruction is never VRP limits".into())),
    }
}

/// Submits one order, or the next batch of payments of a file order.
async fn submit_next_part(context: &Context, id: &OrderId) -> Result<SubmissionProgress, Failure> {
    let submission = prepare_submissions(context, vec![id.clone()]).await?.remove(id.as_str());
    match submission
        .ok_or_else(|| Failure::Broken("a job names an order that does not exist with its consent".into()))?
    {
        Submission::NotReady => Ok(SubmissionProgress::Done),
        Submission::File => files::next_batch(context, id).await,
        Submission::Order(order) => {
            submit_to_bank(context, std::slice::from_ref(&*order)).await?;
            Ok(SubmissionProgress::Done)
        }
    }
}

async fn submit_to_bank(context: &Context, orders: &[PaymentOrder]) -> Result<(), Failure> {
    if orders.is_empty() {
        return Ok(());
    }
    let submitted = context.bank.submit_orders(&context.call, orders).await?;
    keep_core_states(context, submitted).await
}

/// Stores the states that the core set on the accepted orders. Payments of a file store no state, because the core is never asked
/// about them.
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
