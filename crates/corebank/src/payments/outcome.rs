//! Forces outcomes of orders. In production, schemes, other banks and customers in the bank's own channel make these decisions; a sandbox
//! has none of them. The scheduler's steps for the outcome run at once.

use super::arrangements;
use super::execution::{ExecutionState, PaymentInProgress, PaymentStep};
use super::payee_location::PayeeLocation;
use super::processor::OrderProcessor;
use super::stored_text::StoredText;
use super::timing::OrderTiming;
use crate::due_work_lock::lock_due_work;
use crate::market::ExchangeMarket;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::RejectionReason;
use lombard_ports::bank::OrderUpdate;
use lombard_ports::clock::Clocks;
use lombard_ports::controls::OrderOutcome;
use lombard_ports::store::StoreError;

/// Why an outcome could not be forced.
#[derive(Debug, thiserror::Error)]
pub enum OutcomeError {
    /// The bank has no order of this id.
    #[error("the bank has no such order")]
    Unknown,
    /// The order's status does not allow this outcome; the sentence gives the reason.
    #[error("{0}")]
    Impossible(&'static str),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StoreError),
}

/// Forces an outcome at once. The outcome applies to the order's newest payment in progress, or to the order itself while it awaits its
/// outcome or is warehoused. Money is exchanged at the present rates.
///
/// # Errors
/// [`OutcomeError`]; nothing is changed then.
pub fn force_outcome(
    tx: &mut dyn Tables,
    id: &OrderId,
    outcome: OrderOutcome,
    clocks: &Clocks,
    market: &ExchangeMarket,
) -> Result<(), OutcomeError> {
    lock_due_work(tx, clocks.wall_now())?;
    let now = clocks.read_bank_time(tx)?;
    let order = tx.bank_order_for_update(id)?.ok_or(OutcomeError::Unknown)?;
    let mut processor = OrderProcessor::open(order, market)?;
    // A forced outcome replaces the outcome that the test trigger chose.
    processor.execution.trigger = None;
    match processor.execution.state {
        ExecutionState::Finished => return Err(OutcomeError::Impossible("nothing is left to decide about the order")),
        ExecutionState::Received | ExecutionState::AwaitingOutcome => {
            force_undecided(&mut processor, tx, outcome, now)?
        }
        ExecutionState::Open => force_open(&mut processor, tx, outcome, now)?,
    }
    processor.end_if_done();
    processor.close(tx)?;
    Ok(())
}

/// Forces the outcome of an order on which the bank has not decided yet.
fn force_undecided(
    processor: &mut OrderProcessor<'_>,
    tx: &mut dyn Tables,
    outcome: OrderOutcome,
    now: Timestamp,
) -> Result<(), OutcomeError> {
    match outcome {
        OrderOutcome::Rejected(why) => processor.reject_order(why, now),
        OrderOutcome::Cancelled if matches!(processor.execution.timing, OrderTiming::Now) => {
            (processor.execution.state, processor.execution.next) = (ExecutionState::Finished, None);
            processor.append_update(now, OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer));
        }
        OrderOutcome::Settled | OrderOutcome::Credited | OrderOutcome::WithoutPosting | OrderOutcome::Cancelled => {
            // The order is treated as accepted now, so that no payment is dated in the past.
            processor.execution.received_at = StoredText(now);
            processor.decide(tx, now)?;
            // A warehoused order can be cancelled; before its execution date no other outcome is possible (SCH-007).
            let is_possible =
                matches!(processor.execution.timing, OrderTiming::Now) || outcome == OrderOutcome::Cancelled;
            if processor.execution.state == ExecutionState::Open && is_possible {
                force_open(processor, tx, outcome, now)?;
            }
        }
    }
    Ok(())
}

/// Forces the outcome of an order whose payments are being executed.
fn force_open(
    processor: &mut OrderProcessor<'_>,
    tx: &mut dyn Tables,
    outcome: OrderOutcome,
    now: Timestamp,
) -> Result<(), OutcomeError> {
    let Some(payment) = processor.execution.in_progress.pop() else {
        return force_warehoused(processor, tx, outcome, now);
    };
    match (payment.step, outcome) {
        (_, OrderOutcome::Cancelled) => {
            Err(OutcomeError::Impossible("a payment that is under way cannot be taken back"))
        }
        (PaymentStep::Debited | PaymentStep::Unposted, OrderOutcome::Settled)
        | (PaymentStep::Unposted, OrderOutcome::WithoutPosting) => {
            Err(OutcomeError::Impossible("the payment stands there already, or beyond"))
        }
        (PaymentStep::Reserved, OrderOutcome::Rejected(why)) => Ok(processor.release(tx, &payment, why, now)?),
        (PaymentStep::Reserved, OrderOutcome::Settled) => Ok(processor.step(tx, payment, now)?),
        (PaymentStep::Reserved, OrderOutcome::Credited | OrderOutcome::WithoutPosting) => {
            processor.step(tx, payment, now)?;
            if processor.execution.in_progress.last().is_some_and(|it| it.step == PaymentStep::Debited) {
                return force_open(processor, tx, outcome, now);
            }
            Ok(())
        }
        (PaymentStep::Debited, OrderOutcome::WithoutPosting) => {
            processor.leave_unposted(payment, None, now);
            Ok(())
        }
        (PaymentStep::Debited, OrderOutcome::Rejected(why)) => {
            processor.leave_unposted(payment, None, now);
            let returned = processor.execution.in_progress.pop();
            returned.map_or(Ok(()), |it| Ok(processor.refund_payer(tx, it, why, now)?))
        }
        (PaymentStep::Debited | PaymentStep::Unposted, OrderOutcome::Credited) => {
            force_credit(processor, tx, payment, now)
        }
        (PaymentStep::Unposted, OrderOutcome::Rejected(why)) => Ok(processor.refund_payer(tx, payment, why, now)?),
    }
}

fn force_credit(
    processor: &mut OrderProcessor<'_>,
    tx: &mut dyn Tables,
    payment: PaymentInProgress,
    now: Timestamp,
) -> Result<(), OutcomeError> {
    let to = processor.locate_payee(tx)?;
    if matches!(to, PayeeLocation::Unusable) {
        return Err(OutcomeError::Impossible("the payee's account cannot be credited"));
    }
    Ok(processor.post(tx, &payment, &to, now)?)
}

/// Forces the outcome of an order that waits for its execution date.
fn force_warehoused(
    processor: &mut OrderProcessor<'_>,
    tx: &mut dyn Tables,
    outcome: OrderOutcome,
    now: Timestamp,
) -> Result<(), OutcomeError> {
    match outcome {
        OrderOutcome::Cancelled => {
            processor.execution.next = None;
            processor.append_update(now, OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer));
            Ok(arrangements::end(tx, &processor.order, &processor.execution)?)
        }
        OrderOutcome::Settled | OrderOutcome::Credited | OrderOutcome::WithoutPosting | OrderOutcome::Rejected(_) => {
            Err(OutcomeError::Impossible("no payment of the order is under way; move the bank's clock to its day"))
        }
    }
}
