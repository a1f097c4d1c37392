//! Multi-authorisation: orders that several customers must approve, and the decisions of the further authorisers. Source:
//! section 2.12, PIS-112.

use super::submission_job::build_submission_job;
use crate::audit::digest_order;
use crate::workers::is_permanent;
use crate::{Context, Failure};
use lombard_domain::audit::AuditAction;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::consent::Consent;
use lombard_domain::event::ResourceChange;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::payment::order::{ApprovalStatus, Approvals, Order, TransitionError};
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::store::ServerTransaction;

/// The largest number of orders that are shown to one customer at a time.
const SHOWN_MAX: usize = 50;
/// The largest number of orders that are read for one customer, so that orders already approved do not hide the others.
const READ_MAX: u32 = 1_000;

/// An order that several customers must approve.
#[derive(Debug, Clone)]
pub struct PendingApproval {
    /// The order.
    pub order: Order,
    /// Its consent, with the client and the submitted request.
    pub consent: Consent,
}

/// The decision of a further authoriser on an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// Approves the order. The factors are those of the customer's authentication; empty if they are unknown.
    Approve(Vec<AuthenticationFactor>),
    /// Declines; the order is rejected.
    Decline,
}

/// Lists the orders that await this customer's approval, oldest first: orders from accounts for which the customer may sign,
/// without those that the customer has already approved.
///
/// # Errors
/// The bank's or storage's failure.
pub async fn list_pending_approvals(context: &Context, psu: &PsuId) -> Result<Vec<PendingApproval>, Failure> {
    let debtors = list_signable_accounts(context, psu).await?;
    if debtors.is_empty() {
        return Ok(Vec::new());
    }
    let psu = psu.clone();
    context
        .store
        .read(move |tx| {
            let orders = tx.orders_awaiting(&debtors, READ_MAX)?;
            let awaiting = orders.into_iter().filter(|order| awaits_approval(order, &psu)).take(SHOWN_MAX);
            let mut waiting = Vec::new();
            for order in awaiting {
                match with_consent(tx, order) {
                    Ok(found) => waiting.push(found),
                    // An order that cannot be read must not hide the others.
                    Err(failure) if is_permanent(&failure) => {
                        let error = &failure as &dyn std::error::Error;
                        tracing::error!(error, "an order that waits for a customer cannot be shown");
                    }
                    Err(failure) => return Err(failure),
                }
            }
            Ok(waiting)
        })
        .await
}

/// Finds an order of multi-authorisation that this customer may sign, in any state; `None` if they may not.
/// [`PendingApproval::awaits`] states whether the order awaits this customer's decision.
///
/// # Errors
/// The bank's or storage's failure.
pub async fn find_pending_approval(
    context: &Context,
    psu: &PsuId,
    id: &OrderId,
) -> Result<Option<PendingApproval>, Failure> {
    let (debtors, id) = (list_signable_accounts(context, psu).await?, id.clone());
    context
        .store
        .read(move |tx| {
            let found = tx.order_for_update(&id)?;
            let theirs = found.filter(|order| order.approvals.is_some() && debtors.contains(&order.debtor));
            theirs.map(|order| with_consent(tx, order)).transpose()
        })
        .await
}

/// The accounts for which this customer may sign.
async fn list_signable_accounts(context: &Context, psu: &PsuId) -> Result<Vec<BankAccountId>, Failure> {
    let context = context.with_call_facts(|call| call.psu = Some(psu.clone()));
    let payers = context.bank.list_payers(&context.call, psu).await?;
    let signable = payers.into_iter().filter(|payer| payer.signatories.contains(psu));
    Ok(signable.map(|payer| payer.account.id).collect())
}

impl PendingApproval {
    /// Whether the order awaits this customer's decision.
    pub fn awaits(&self, psu: &PsuId) -> bool {
        awaits_approval(&self.order, psu)
    }
}

/// Records a customer's approval or refusal. With the last approval the order is submitted to the bank. Raises an event for the
/// TPP and returns the order.
///
/// # Errors
/// [`RefusalKind::NotFound`] when this customer may not sign the order; the answer does not disclose whether it exists;
/// [`RefusalKind::ConsentState`] when they have approved already, or the order was decided or its deadline has passed;
/// otherwise the bank's or storage's failure.
pub async fn record_approval_decision(
    context: &Context,
    psu: &PsuId,
    id: &OrderId,
    decision: ApprovalDecision,
) -> Result<Order, Failure> {
    match find_pending_approval(context, psu, id).await? {
        None => return Err(Refusal::from_kind(RefusalKind::NotFound).into()),
        Some(waiting) if !waiting.awaits(psu) => return Err(Refusal::from_kind(RefusalKind::ConsentState).into()),
        Some(_) => {}
    }
    let action = match decision {
        ApprovalDecision::Approve(_) => AuditAction::PaymentApprove,
        ApprovalDecision::Decline => AuditAction::PaymentDecline,
    };
    let record = context.customer_record(psu, action, id.as_str());
    let (psu, id, clocks) = (psu.clone(), id.clone(), context.clocks.clone());
    let (job, outbox) = (build_submission_job(&context.clocks, &id), context.outbox.clone());
    let recorded = context.store.write(move |tx| {
        let mut order = tx.order_for_update(&id)?.ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
        let now = clocks.read_bank_time(tx)?;
        let before = digest_order(&order);
        let moved = match &decision {
            ApprovalDecision::Approve(_) => order.approve(&psu, now),
            ApprovalDecision::Decline => order.decline(&psu, now),
        };
        let moved = moved.map_err(|_: TransitionError| Refusal::from_kind(RefusalKind::ConsentState))?;
        if let ApprovalDecision::Approve(factors) = &decision {
            order.note_authentication(&psu, factors);
        }
        tx.order_update(&order)?;
        tx.audit_append(&record.clone().with_digests(Some(before), Some(digest_order(&order))))?;
        if order.is_ready() {
            tx.job_enqueue(&job)?;
        }
        if let Some(change) = order.change(moved) {
            // The cause is the customer's own request, not the request that created the order.
            let interaction_id = outbox.interaction_id().cloned().or(change.interaction_id);
            outbox.raise(tx, &ResourceChange { interaction_id, ..change })?;
        }
        Ok::<_, Failure>(order)
    });
    let order = recorded.await?;
    context.payments.submission_notify.notify_one();
    Ok(order)
}

/// Records that a customer tried to approve an order and could not be authenticated. The order still awaits approvals, also from
/// this customer. Only the first failure of each customer is recorded. Source: ERR-004.
///
/// # Errors
/// Storage's failure.
pub async fn record_failed_approval(context: &Context, psu: &PsuId, id: &OrderId) -> Result<(), Failure> {
    let (psu, id) = (psu.clone(), id.clone());
    let note = move |tx: &mut dyn ServerTransaction| {
        let Some(mut order) = tx.order_for_update(&id)? else { return Ok(()) };
        if order.note_failed_approval(&psu) {
            tx.order_update(&order)?;
        }
        Ok::<_, Failure>(())
    };
    context.store.write(note).await
}

fn awaits_approval(order: &Order, psu: &PsuId) -> bool {
    let awaits = |it: &Approvals| it.status == ApprovalStatus::Awaiting && !it.received.contains(psu);
    order.approvals.as_ref().is_some_and(awaits)
}

fn with_consent(tx: &mut dyn ServerTransaction, order: Order) -> Result<PendingApproval, Failure> {
    let consent = tx.consent_any_owner(&order.consent)?;
    let consent = consent.ok_or_else(|| Failure::Broken("an order without its consent".into()))?;
    Ok(PendingApproval { order, consent })
}
