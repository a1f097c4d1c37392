//! The controls of payment orders over HTTP: their status, forced outcomes, and the decisions of further customers.

use super::control_call::{ControlCall, Sandbox};
use super::request::{InvalidControlRequest, PostedJson, whole_number};
use super::response::ControlResponder;
use crate::index::IndexedRoutes;
use axum::extract::{Path, State};
use axum::response::Response;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::payment::file::FileProgress;
use lombard_domain::payment::order::{Approvals, PaymentExecution, RejectionReason};
use lombard_ports::controls::{
    CountersignDecision, OrderDetails, OrderOutcome, OrderPlan, PLAN_WAIT_SECS_MAX, PlannedOutcome,
};
use lombard_wire::v3_1::payments::names;
use serde::{Deserialize, Serialize};

/// The routes of these controls.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .get("/sandbox/orders/{id}", "how an order stands", show)
        .post("/sandbox/orders/{id}/outcome", "let an order come to an outcome now", outcome)
        .post("/sandbox/orders/{id}/authorise", "decide as a further customer would", authorise)
        .post("/sandbox/consents/{id}/plan", "plan what becomes of a consent's orders", plan)
}

async fn show(State(controls): State<Sandbox>, Path(id): Path<String>, answerer: ControlResponder) -> Response {
    answerer.answer(controls.order(&OrderId::new(id)).await.map(OrderBody::from))
}

async fn outcome(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    posted: PostedJson<OutcomeRequest>,
) -> Response {
    match posted.and_then(OutcomeRequest::read) {
        Ok(to) => answerer.answer(controls.order_outcome(&OrderId::new(id), to).await.map(OrderBody::from)),
        Err(bad) => answerer.invalid_command(bad),
    }
}

async fn plan(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    posted: PostedJson<PlanRequest>,
) -> Response {
    let plan = match posted.and_then(PlanRequest::read) {
        Ok(plan) => plan,
        Err(bad) => return answerer.invalid_command(bad),
    };
    let consent_id = ConsentId::new(id);
    let planned = controls.order_plan(&consent_id, plan).await;
    answerer.answer(planned.map(|()| PlanBody { consent_id, plan }))
}

async fn authorise(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    posted: PostedJson<CountersignRequest>,
) -> Response {
    let CountersignRequest { psu, decision } = match posted.and_then(Ok) {
        Ok(order) => order,
        Err(bad) => return answerer.invalid_command(bad),
    };
    let says = match decision {
        CountersignWord::Approve => CountersignDecision::Approve,
        CountersignWord::Reject => CountersignDecision::Decline,
    };
    answerer.answer(controls.order_countersign(&OrderId::new(id), &psu, says).await.map(OrderBody::from))
}

/// The request `{"outcome", "reason"?}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomeRequest {
    outcome: OutcomeWord,
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OutcomeWord {
    Settle,
    Credit,
    WithoutPosting,
    Reject,
    Cancel,
}

impl OutcomeRequest {
    pub(super) fn read(self) -> Result<OrderOutcome, InvalidControlRequest> {
        let outcome = match self.outcome {
            OutcomeWord::Reject => {
                let found = self.reason.as_deref().map_or(Some(RejectionReason::RefusedByScheme), decidable);
                return found.map(OrderOutcome::Rejected).ok_or_else(no_such_reason);
            }
            OutcomeWord::Settle => OrderOutcome::Settled,
            OutcomeWord::Credit => OrderOutcome::Credited,
            OutcomeWord::WithoutPosting => OrderOutcome::WithoutPosting,
            OutcomeWord::Cancel => OrderOutcome::Cancelled,
        };
        match self.reason {
            None => Ok(outcome),
            Some(_) => Err(InvalidControlRequest::new("reason: only a rejection has one; leave it out")),
        }
    }
}

/// The request `{"outcome", "wait_secs"?}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanRequest {
    outcome: PlannedOutcome,
    #[serde(default, deserialize_with = "whole_number")]
    wait_secs: Option<u32>,
}

impl PlanRequest {
    pub(super) fn read(self) -> Result<OrderPlan, InvalidControlRequest> {
        let wait_secs = self.wait_secs.unwrap_or(0);
        if wait_secs > PLAN_WAIT_SECS_MAX {
            return Err(InvalidControlRequest::new(&format!("wait_secs: at most {PLAN_WAIT_SECS_MAX}")));
        }
        Ok(OrderPlan { outcome: self.outcome, wait_secs })
    }
}

/// The response with the plan for the orders of a consent.
#[derive(Debug, Serialize)]
struct PlanBody {
    consent_id: ConsentId,
    #[serde(flatten)]
    plan: OrderPlan,
}

/// The request `{"psu", "decision"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountersignRequest {
    psu: PsuId,
    decision: CountersignWord,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CountersignWord {
    Approve,
    Reject,
}

/// The rejection reasons that a tester can choose; the server sets the others itself.
pub(super) const DECIDABLE: [RejectionReason; 6] = [
    RejectionReason::RefusedByScheme,
    RejectionReason::CreditorAccountUnusable,
    RejectionReason::SuspectedFraud,
    RejectionReason::InsufficientFunds,
    RejectionReason::DebtorAccountUnusable,
    RejectionReason::NotGiven,
];

fn decidable(text: &str) -> Option<RejectionReason> {
    RejectionReason::from_code(text).filter(|reason| DECIDABLE.contains(reason))
}

fn no_such_reason() -> InvalidControlRequest {
    InvalidControlRequest::new(&format!("reason: one of {}", DECIDABLE.map(|reason| reason.code()).join(", ")))
}

/// The response with an order.
#[derive(Debug, Serialize)]
struct OrderBody {
    order_id: OrderId,
    consent_id: ConsentId,
    client_id: ClientId,
    product: &'static str,
    /// The status that a TPP sees in v3.1.
    status: &'static str,
    status_since: String,
    /// Why the order was rejected or returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The bank's id of the debited account.
    debtor_account: BankAccountId,
    /// The customer who authorised the consent.
    psu: PsuId,
    /// The further customers who must approve.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorisation: Option<AuthorisationBody>,
    /// The progress of a file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<ProgressBody>,
    payments: Vec<PaymentBody>,
}

/// The progress of a file order, in numbers of payments.
#[derive(Debug, Serialize)]
struct ProgressBody {
    count: u32,
    /// The payments that were submitted to the bank or found unpayable.
    given: u32,
    /// The payments whose outcome is known.
    decided: u32,
    rejected: u32,
}

#[derive(Debug, Serialize)]
struct AuthorisationBody {
    status: &'static str,
    required: u16,
    agreed: Vec<PsuId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
}

#[derive(Debug, Serialize)]
struct PaymentBody {
    number: u32,
    /// The status, in the terms of v3.1's payment details.
    status: &'static str,
    since: String,
    due_on: String,
    paid_on: String,
    amount: String,
    currency: &'static str,
}

impl From<OrderDetails> for OrderBody {
    fn from(shown: OrderDetails) -> Self {
        let OrderDetails { order, payments } = shown;
        Self {
            product: order.product.name(),
            status: names::order_status(order.summary_status()),
            status_since: order.status_history.summary_since(order.product.family()).to_string(),
            reason: order.reason.map(|reason| reason.code()),
            order_id: order.id,
            consent_id: order.consent,
            client_id: order.client,
            debtor_account: order.debtor,
            psu: order.psu,
            authorisation: order.approvals.map(AuthorisationBody::from),
            progress: order.progress.map(ProgressBody::from),
            payments: payments.into_iter().map(PaymentBody::from).collect(),
        }
    }
}

impl From<FileProgress> for ProgressBody {
    fn from(FileProgress { count, submitted: given, decided, rejected }: FileProgress) -> Self {
        Self { count, given, decided, rejected }
    }
}

impl From<Approvals> for AuthorisationBody {
    fn from(approvals: Approvals) -> Self {
        Self {
            status: names::approval_status(approvals.status),
            required: approvals.required,
            agreed: approvals.received,
            until: approvals.expires_at.map(|at| at.to_string()),
        }
    }
}

impl From<PaymentExecution> for PaymentBody {
    fn from(payment: PaymentExecution) -> Self {
        Self {
            number: payment.number,
            status: names::payment_status(payment.status),
            since: payment.since.to_string(),
            due_on: payment.due_on.to_string(),
            paid_on: payment.paid_on.to_string(),
            amount: payment.amount.decimal(),
            currency: payment.amount.currency().code(),
        }
    }
}
