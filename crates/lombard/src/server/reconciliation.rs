//! The comparison of orders with the core, for operators.

use super::Operator;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::AuditAction;
use lombard_domain::ids::OrderId;
use lombard_domain::staff::StaffAct;
use lombard_ops::{OperationError, Reconciliation, ReconciliationView};
use lombard_ports::bank::BankError;
use lombard_service::Failure;
use lombard_service::payments::reconciliation::ReconciliationPosition;

/// How far back orders are compared if the operator does not say it.
const COMPARED_SINCE: SignedDuration = SignedDuration::from_hours(7 * 24);

const NO_CORE: &str =
    "this program embeds no core, so there is nothing to compare with: run the program of bank.kind = \"embedded\"";

const UNKNOWN_METHOD: &str = "the core does not say how orders stand: it has no methods `orders` and `orders-received` of the core API \
    (docs/reference/core-api.yaml). Orders can be compared once it has them.";

/// The error of an operation at the core.
fn not_done(failure: Failure) -> OperationError {
    match failure {
        Failure::Broken(cause) if matches!(cause.downcast_ref(), Some(BankError::UnknownMethod(_))) => {
            OperationError::Refused(UNKNOWN_METHOD.to_owned())
        }
        Failure::Unavailable(cause) => OperationError::Refused(format!(
            "the core or the database does not answer ({cause}). Start it again; what was done stays done."
        )),
        failure => OperationError::Failed(Box::new(failure)),
    }
}

impl Operator {
    /// Compares a batch of orders with those that the core holds, and corrects differences whose cause is certain.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no core, or it does not say how orders stand; [`OperationError::Failed`].
    pub async fn reconcile(&self, act: &StaffAct, order: Reconciliation) -> Result<ReconciliationView, OperationError> {
        let Reconciliation { since, position, dry_run } = order;
        let reconciler = self.reconciler.as_ref().ok_or_else(|| OperationError::Refused(NO_CORE.to_owned()))?;
        let long_ago =
            || self.core_services().clocks.bank_now().saturating_sub(COMPARED_SINCE).unwrap_or(Timestamp::MIN);
        let since = since.map_or_else(long_ago, |since| since.0);
        let compared = reconciler.compare_batch(since, position.map(ReconciliationPosition::from), dry_run).await;
        let batch = compared.map_err(not_done)?;
        if !dry_run {
            self.audit().write_act(act, AuditAction::OrdersReconcile, "").await?;
        }
        Ok(ReconciliationView::of_batch(since, batch))
    }

    /// Submits an order again that the core has lost.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for an order that cannot be submitted; [`OperationError::Failed`].
    pub async fn resubmit(&self, act: &StaffAct, order: &OrderId) -> Result<(), OperationError> {
        let reconciler = self.reconciler.as_ref().ok_or_else(|| OperationError::Refused(NO_CORE.to_owned()))?;
        let submitted = reconciler.resubmit(order).await.map_err(not_done)?;
        submitted.map_err(|refusal| OperationError::Refused(refusal.to_string()))?;
        self.audit().write_act(act, AuditAction::OrdersResubmit, order.as_str()).await
    }
}
