//! Submits an order again that the bank has lost, when an operator has made sure that it was not paid.

use super::*;
use crate::payments::submission::build_payment_order;
use lombard_domain::payment::order::ApprovalStatus;

/// Why an order is not submitted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResubmissionRefusal {
    /// The server does not know the order.
    #[error("there is no order with this id")]
    Unknown,
    /// The order has ended.
    #[error("the order has ended")]
    Ended,
    /// The order awaits approvals.
    #[error("the order awaits approvals")]
    AwaitsApprovals,
    /// The order is that of a file, whose payments are submitted by its job.
    #[error("the order is that of a file: its payments are orders of their own at the core")]
    File,
    /// The bank holds the order.
    #[error("the core holds the order, so there is nothing to submit")]
    Held,
}

impl Reconciler {
    /// Submits an order again that the bank does not hold, and applies its updates from the first number on. The bank takes it once by
    /// its id. Updates to states that the order has had have no effect.
    ///
    /// # Errors
    /// The bank's failure or storage's; it may be submitted again then.
    pub async fn resubmit(&self, id: &OrderId) -> Result<Result<(), ResubmissionRefusal>, Failure> {
        let ids = vec![id.clone()];
        let found = self.store.read(move |tx| Ok::<_, Failure>(tx.orders_with_consents(&ids)?)).await?.pop();
        let Some(found) = found else { return Ok(Err(ResubmissionRefusal::Unknown)) };
        if found.order.is_final() {
            return Ok(Err(ResubmissionRefusal::Ended));
        }
        let approvals = found.order.approvals.as_ref();
        if approvals.is_some_and(|approvals| approvals.status != ApprovalStatus::Authorised) {
            return Ok(Err(ResubmissionRefusal::AwaitsApprovals));
        }
        let Some(order) = build_payment_order(found)? else { return Ok(Err(ResubmissionRefusal::File)) };
        if !self.find_orders(std::slice::from_ref(id)).await?.is_empty() {
            return Ok(Err(ResubmissionRefusal::Held));
        }
        // The numbers begin again before the bank can report the first one.
        let restarted = id.clone();
        self.store.write(move |tx| Ok::<_, Failure>(tx.order_updates_restart(&restarted, 0)?)).await?;
        let call = CallContext::default();
        call_bank_within_limit(self.bank.submit_orders(&call, std::slice::from_ref(&order))).await?;
        tracing::info!(
            order.id = id.as_str(),
            audit.action = "order.resubmit",
            "an order was submitted to the core again"
        );
        Ok(Ok(()))
    }
}
