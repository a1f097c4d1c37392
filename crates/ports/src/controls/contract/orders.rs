//! The contract of the controls for orders.

use super::{ControlsContractViolation, ensure};
use crate::controls::{ControlError, CountersignDecision, OrderOutcome, OrderPlan, SandboxControls};
use lombard_domain::ids::{ConsentId, OrderId, PsuId};
use lombard_domain::payment::order::{ApprovalStatus, PaymentStatus, RejectionReason, SummaryStatus};

/// Orders at the sandbox under test; each promise uses some of them.
#[derive(Debug, Clone)]
pub struct Orders {
    /// Immediate orders that can be paid and are not executed yet.
    pub open: [OrderId; 2],
    /// A scheduled order, long before its day.
    pub scheduled: OrderId,
    /// Immediate orders that the first signatory has approved and the second has not.
    pub shared: [OrderId; 2],
    /// The signatories of those orders.
    pub signatories: [PsuId; 2],
}

/// Checks the contract of the controls for orders.
///
/// # Errors
/// The first [`ControlsContractViolation`].
pub async fn every_promise(controls: &dyn SandboxControls, orders: &Orders) -> Result<(), ControlsContractViolation> {
    let ([credited, refused], [agreed, declined]) = (&orders.open, &orders.shared);
    an_unknown_order_comes_to_nothing(controls, &orders.signatories[0]).await?;
    an_order_comes_to_its_outcome_step_by_step(controls, credited).await?;
    a_refused_order_says_why_and_stays_refused(controls, refused).await?;
    a_scheduled_order_can_be_taken_back(controls, &orders.scheduled).await?;
    nothing_becomes_of_an_order_before_everybody_agrees(controls, agreed, &orders.signatories).await?;
    who_refuses_ends_the_order(controls, declined, &orders.signatories).await
}

/// An outcome can be planned only for an existing payment consent, and not for this consent to account information.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn only_orders_of_payments_are_planned(
    controls: &dyn SandboxControls,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "only orders of payments are planned";
    let other = controls.order_plan(consent, OrderPlan::USUAL).await;
    ensure(matches!(other, Err(ControlError::Conflict(_))), PROMISE, other)?;
    let unknown = controls.order_plan(&ConsentId::from("no such consent"), OrderPlan::USUAL).await;
    ensure(matches!(unknown, Err(ControlError::NotFound(_))), PROMISE, unknown)
}

/// An unknown order is not found by any control.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_unknown_order_comes_to_nothing(
    controls: &dyn SandboxControls,
    psu: &PsuId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an unknown order is not found";
    let unknown = OrderId::from("no such order");
    for found in [
        controls.order(&unknown).await,
        controls.order_outcome(&unknown, OrderOutcome::Credited).await,
        controls.order_countersign(&unknown, psu, CountersignDecision::Approve).await,
    ] {
        ensure(matches!(found, Err(ControlError::NotFound(_))), PROMISE, found)?;
    }
    Ok(())
}

/// An order is debited, not posted, and credited; each step once, and none after the last. Source: table 1.5.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_order_comes_to_its_outcome_step_by_step(
    controls: &dyn SandboxControls,
    order: &OrderId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an order comes to its outcome step by step";
    let steps = [
        (OrderOutcome::Settled, SummaryStatus::Settled, PaymentStatus::Settled),
        (OrderOutcome::WithoutPosting, SummaryStatus::WithoutPosting, PaymentStatus::WithoutPosting),
        (OrderOutcome::Credited, SummaryStatus::Credited, PaymentStatus::Credited),
    ];
    for (outcome, summary_status, status) in steps {
        let there = controls.order_outcome(order, outcome).await?;
        ensure(there.order.summary_status() == summary_status, PROMISE, &there)?;
        let statuses: Vec<_> = there.payments.iter().map(|payment| payment.status).collect();
        ensure(statuses == [status], PROMISE, &there)?;
        ensure(controls.order(order).await? == there, PROMISE, there)?;
        let again = controls.order_outcome(order, outcome).await;
        ensure(matches!(again, Err(ControlError::Conflict(_))), PROMISE, again)?;
    }
    is_over(controls, order).await
}

/// A rejected order has its reason and stays rejected. Source: PIS-048.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_refused_order_says_why_and_stays_refused(
    controls: &dyn SandboxControls,
    order: &OrderId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a refused order says why and stays refused";
    let there = controls.order_outcome(order, OrderOutcome::Rejected(RejectionReason::SuspectedFraud)).await?;
    ensure(there.order.summary_status() == SummaryStatus::Rejected, PROMISE, &there)?;
    ensure(there.order.reason == Some(RejectionReason::SuspectedFraud), PROMISE, there)?;
    is_over(controls, order).await
}

/// Before its day a scheduled order can only be cancelled. Source: SCH-008.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_scheduled_order_can_be_taken_back(
    controls: &dyn SandboxControls,
    order: &OrderId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a scheduled order can be taken back";
    let there = controls.order_outcome(order, OrderOutcome::Cancelled).await?;
    ensure(there.order.summary_status() == SummaryStatus::Cancelled, PROMISE, &there)?;
    ensure(there.payments.iter().all(|payment| !payment.status.is_debited()), PROMISE, there)?;
    is_over(controls, order).await
}

/// Each signatory approves once, and no other customer can. Source: PIS-112.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn nothing_becomes_of_an_order_before_everybody_agrees(
    controls: &dyn SandboxControls,
    order: &OrderId,
    [first, second]: &[PsuId; 2],
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an order awaits the approval of every signatory";
    let before = controls.order(order).await?;
    let early = controls.order_outcome(order, OrderOutcome::Settled).await;
    ensure(matches!(early, Err(ControlError::Conflict(_))), PROMISE, early)?;
    let stranger =
        controls.order_countersign(order, &PsuId::from("no such customer"), CountersignDecision::Approve).await;
    ensure(matches!(stranger, Err(ControlError::Refused(_))), PROMISE, stranger)?;
    for says in [CountersignDecision::Approve, CountersignDecision::Decline] {
        let twice = controls.order_countersign(order, first, says).await;
        ensure(matches!(twice, Err(ControlError::Conflict(_))), PROMISE, twice)?;
    }
    ensure(controls.order(order).await? == before, PROMISE, before)?;
    let agreed = controls.order_countersign(order, second, CountersignDecision::Approve).await?;
    let approvals = agreed.order.approvals.as_ref();
    ensure(approvals.is_some_and(|it| it.status == ApprovalStatus::Authorised), PROMISE, &agreed)?;
    let there = controls.order_outcome(order, OrderOutcome::Credited).await?;
    ensure(there.order.summary_status() == SummaryStatus::Credited, PROMISE, there)?;
    let late = controls.order_countersign(order, second, CountersignDecision::Decline).await;
    ensure(matches!(late, Err(ControlError::Conflict(_))), PROMISE, late)
}

/// An order is rejected when a signatory declines. Source: PIS-112.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn who_refuses_ends_the_order(
    controls: &dyn SandboxControls,
    order: &OrderId,
    [_, second]: &[PsuId; 2],
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a declined order is rejected";
    let there = controls.order_countersign(order, second, CountersignDecision::Decline).await?;
    ensure(there.order.summary_status() == SummaryStatus::Rejected, PROMISE, &there)?;
    ensure(there.order.reason == Some(RejectionReason::RefusedByAuthoriser), PROMISE, there)?;
    is_over(controls, order).await
}

async fn is_over(controls: &dyn SandboxControls, order: &OrderId) -> Result<(), ControlsContractViolation> {
    let before = controls.order(order).await?;
    for outcome in [
        OrderOutcome::Settled,
        OrderOutcome::Credited,
        OrderOutcome::WithoutPosting,
        OrderOutcome::Rejected(RejectionReason::NotGiven),
        OrderOutcome::Cancelled,
    ] {
        let late = controls.order_outcome(order, outcome).await;
        ensure(matches!(late, Err(ControlError::Conflict(_))), "an order that is over stays as it is", late)?;
    }
    ensure(controls.order(order).await? == before, "an order that is over stays as it is", before)
}
