//! Forces outcomes of orders, by the bank's own steps and the payment use-cases.

use lombard_corebank::payments::OutcomeError;
use lombard_domain::ids::{OrderId, PsuId};
use lombard_domain::payment::order::ApprovalStatus;
use lombard_domain::refusal::RefusalKind;
use lombard_ports::controls::{
    BankControls, ControlError, CountersignDecision, OrderDetails, OrderOutcome, PAYMENTS_SHOWN_MAX,
};
use lombard_service::payments::approvals::{self, ApprovalDecision};
use lombard_service::payments::{execution, submission};
use lombard_service::{Context, Failure};

const NO_ORDER: ControlError = ControlError::not_found("there is no order with this id");
const NAME_A_PAYMENT: ControlError = ControlError::conflict(
    "an order of a file comes to what its payments come to: name one of them, as {id}%2F{number}",
);
const OTHERS_FIRST: ControlError =
    ControlError::conflict("other customers must agree first: POST /sandbox/orders/{id}/authorise, or /apps");

/// The largest number of batches of status updates applied before the control responds. The response thus shows the outcome.
const HEARINGS_MAX: usize = 64;

/// The present state of an order, or of a single payment of a file.
pub(super) async fn show(context: &Context, id: &OrderId) -> Result<OrderDetails, ControlError> {
    let (id, line) = id.order_and_line();
    let found = context.store.read(move |tx| {
        let Some(order) = tx.order_for_update(&id)? else { return Ok::<_, ControlError>(None) };
        let payments = match line {
            Some(number) => tx.execution(&id, number)?.into_iter().collect(),
            None => tx.executions(&id, 0, PAYMENTS_SHOWN_MAX)?,
        };
        Ok(Some(OrderDetails { order, payments }))
    });
    found.await?.ok_or(NO_ORDER)
}

/// Forces an outcome of an order. Source: PIS-048, SCH-008, SO-016.
pub(super) async fn force_order_outcome(
    context: &Context,
    bank: &dyn BankControls,
    id: &OrderId,
    to: OrderOutcome,
) -> Result<OrderDetails, ControlError> {
    let order = show(context, id).await?.order;
    if order.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Awaiting) {
        return Err(OTHERS_FIRST);
    }
    let (whole, line) = id.order_and_line();
    let id = match line {
        Some(number) => whole.for_line(number),
        None if order.product.requires_file() => return Err(NAME_A_PAYMENT),
        // A new order may not be submitted to the bank yet.
        None => {
            submission::submit_order(context, &whole).await.map_err(map_unexpected_failure)?;
            whole
        }
    };
    bank.order_outcome(&id, to).await?;
    apply_pending_updates(context).await;
    show(context, &id).await
}

/// Records the approval of a further customer. Source: PIS-112.
pub(super) async fn countersign(
    context: &Context,
    id: &OrderId,
    psu: &PsuId,
    says: CountersignDecision,
) -> Result<OrderDetails, ControlError> {
    show(context, id).await?;
    let say = match says {
        CountersignDecision::Approve => ApprovalDecision::Approve(Vec::new()),
        CountersignDecision::Decline => ApprovalDecision::Decline,
    };
    match approvals::record_approval_decision(context, psu, id, say).await {
        Ok(_) => show(context, id).await,
        Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => Err(ControlError::refused(
            "psu: the order waits for no other customer, or this customer does not sign for its account",
        )),
        Err(Failure::Refused(_)) => Err(ControlError::conflict(
            "the order does not wait for this customer: they have agreed, it was decided, or its time has run out",
        )),
        Err(failure) => Err(map_unexpected_failure(failure)),
    }
}

/// Applies the bank's status updates at once, as the worker does. If that fails, the worker applies them later; the outcome is forced
/// nevertheless.
async fn apply_pending_updates(context: &Context) {
    for _ in 0..HEARINGS_MAX {
        match execution::apply_status_updates(context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(failure) => {
                tracing::warn!(
                    error = &failure as &dyn std::error::Error,
                    "the status updates of an outcome are not applied yet"
                );
                return;
            }
        }
    }
}

/// Maps an [`OutcomeError`] of the bank to a control's error.
pub(super) fn no_outcome(why: OutcomeError) -> ControlError {
    match why {
        OutcomeError::Unknown => ControlError::conflict("the order was decided before it came to the bank"),
        OutcomeError::Impossible(sentence) => ControlError::Conflict(sentence.into()),
        OutcomeError::Storage(error) => error.into(),
    }
}

/// Maps a failure that the tester's request cannot have caused to a control's error.
fn map_unexpected_failure(failure: Failure) -> ControlError {
    match failure {
        Failure::Refused(refusal) => ControlError::Broken(format!("refused: {:?}", refusal.kind).into()),
        Failure::Unavailable(cause) => ControlError::Unavailable(cause),
        Failure::Broken(cause) => ControlError::Broken(cause),
    }
}
