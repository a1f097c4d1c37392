//! Orders over HTTP: how they stand, what becomes of them, and what further customers say.

use super::answer::ControlResponder;
use super::asked::{BadControlRequest, Posted};
use super::{ControlCall, Sandbox};
use crate::ops::index::IndexedRoutes;
use axum::extract::{Path, State};
use axum::response::Response;
use lombard_domain::file::Progress;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::order::{Approvals, Execution, Reason};
use lombard_ports::controls::{CountersignDecision, OrderDetails, Outcome};
use lombard_wire::v3_1::payments::names;
use serde::{Deserialize, Serialize};

/// Their routes.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .get("/sandbox/orders/{id}", "how an order stands", show)
        .post("/sandbox/orders/{id}/outcome", "let an order come to an outcome now", outcome)
        .post("/sandbox/orders/{id}/authorise", "decide as a further customer would", authorise)
}

async fn show(State(controls): State<Sandbox>, Path(id): Path<String>, answerer: ControlResponder) -> Response {
    answerer.answer(controls.order(&OrderId::new(id)).await.map(OrderBody::from))
}

async fn outcome(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    posted: Posted<OutcomeRequest>,
) -> Response {
    match posted.and_then(OutcomeRequest::read) {
        Ok(to) => answerer.answer(controls.order_outcome(&OrderId::new(id), to).await.map(OrderBody::from)),
        Err(bad) => answerer.bad_order(bad),
    }
}

async fn authorise(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    posted: Posted<CountersignRequest>,
) -> Response {
    let CountersignRequest { psu, decision } = match posted.and_then(Ok) {
        Ok(order) => order,
        Err(bad) => return answerer.bad_order(bad),
    };
    let says = match decision {
        Said::Approve => CountersignDecision::Agree,
        Said::Reject => CountersignDecision::Refuse,
    };
    answerer.answer(controls.order_countersign(&OrderId::new(id), &psu, says).await.map(OrderBody::from))
}

/// `{"outcome", "reason"?}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeRequest {
    outcome: Wanted,
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wanted {
    Settle,
    Credit,
    WithoutPosting,
    Reject,
    Cancel,
}

impl OutcomeRequest {
    fn read(self) -> Result<Outcome, BadControlRequest> {
        let outcome = match self.outcome {
            Wanted::Reject => {
                let found = self.reason.as_deref().map_or(Some(Reason::RefusedByScheme), decidable);
                return found.map(Outcome::Rejected).ok_or_else(no_such_reason);
            }
            Wanted::Settle => Outcome::Settled,
            Wanted::Credit => Outcome::Credited,
            Wanted::WithoutPosting => Outcome::WithoutPosting,
            Wanted::Cancel => Outcome::Cancelled,
        };
        match self.reason {
            None => Ok(outcome),
            Some(_) => Err(BadControlRequest::new("reason: only a rejection has one; leave it out")),
        }
    }
}

/// `{"psu", "decision"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountersignRequest {
    psu: PsuId,
    decision: Said,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Approve,
    Reject,
}

/// The reasons that somebody outside may have: the others come about by themselves.
const DECIDABLE: [Reason; 6] = [
    Reason::RefusedByScheme,
    Reason::CreditorAccountUnusable,
    Reason::SuspectedFraud,
    Reason::InsufficientFunds,
    Reason::DebtorAccountUnusable,
    Reason::Unstated,
];

fn decidable(text: &str) -> Option<Reason> {
    DECIDABLE.into_iter().find(|reason| word(*reason) == text)
}

fn no_such_reason() -> BadControlRequest {
    BadControlRequest::new(&format!("reason: one of {}", DECIDABLE.map(word).join(", ")))
}

const fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::InsufficientFunds => "insufficient-funds",
        Reason::DebtorAccountUnusable => "debtor-account-unusable",
        Reason::CreditorAccountUnusable => "creditor-account-unusable",
        Reason::RefusedByScheme => "refused-by-scheme",
        Reason::SuspectedFraud => "suspected-fraud",
        Reason::RefusedByAuthoriser => "refused-by-authoriser",
        Reason::AuthorisationLapsed => "authorisation-lapsed",
        Reason::CancelledByCustomer => "cancelled-by-customer",
        Reason::Unstated => "unstated",
    }
}

/// An order.
#[derive(Debug, Serialize)]
struct OrderBody {
    order_id: OrderId,
    consent_id: ConsentId,
    client_id: ClientId,
    product: &'static str,
    /// As a TPP sees it in v3.1.
    status: &'static str,
    status_since: String,
    /// Why it was refused or taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The account that is debited, by the bank's id.
    debtor_account: BankAccountId,
    /// Who authorised the consent.
    psu: PsuId,
    /// Who else must agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorisation: Option<AuthorisationBody>,
    /// How far a file has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<ProgressBody>,
    payments: Vec<PaymentBody>,
}

/// Numbers of payments.
#[derive(Debug, Serialize)]
struct ProgressBody {
    count: u32,
    /// To the bank, or found unpayable.
    given: u32,
    /// Of which it is known whether they are made.
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
    /// In the words of v3.1's payment details.
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
            status: names::order_status(order.phase()),
            status_since: order.course.summary_since(order.product.family()).to_string(),
            reason: order.reason.map(word),
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

impl From<Progress> for ProgressBody {
    fn from(Progress { count, given, decided, rejected }: Progress) -> Self {
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

impl From<Execution> for PaymentBody {
    fn from(payment: Execution) -> Self {
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
