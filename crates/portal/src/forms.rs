//! The forms of testers on the pages of a consent and of an order. They exist only with the controls of a sandbox.

use super::paths::{CONSENTS, ORDERS, escaped};
use super::visit::PortalVisit;
use jiff::Timestamp;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::payment::order::{DetailedStatus, Order, PaymentExecution, PaymentStatus};
use lombard_ops::sandbox::rejection_reasons;
use lombard_ops::support::words::rejection;
use lombard_ports::controls::SandboxControls;
use std::sync::Arc;

/// The controls, if this server has any.
pub(super) fn controls(visit: &PortalVisit) -> Option<&Arc<dyn SandboxControls>> {
    visit.services.sandbox.as_ref().and_then(|sandbox| sandbox.controls.as_ref())
}

/// The decisions that a tester can make for the customer of a consent.
#[derive(Debug)]
pub(crate) struct ConsentForms {
    pub can_decide: bool,
    pub can_revoke: bool,
    /// The URL to which the form is submitted.
    pub authorise: String,
    pub decide: String,
    pub revoke: String,
}

impl ConsentForms {
    /// The forms for a consent; `None` if its customer cannot decide any more.
    pub(super) fn of(visit: &PortalVisit, consent: &Consent, now: Timestamp) -> Option<Self> {
        controls(visit)?;
        let can_decide = consent.check_authorisable(now).is_ok();
        let is_given = consent.state == ConsentState::Authorised && consent.deleted_at.is_none();
        let can_revoke = is_given && consent.request.kind().is_long_lived();
        let path = format!("{CONSENTS}/{}", escaped(consent.id.as_str()));
        let [authorise, decide, revoke] = ["authorise", "decide", "revoke"].map(|form| format!("{path}/{form}"));
        let forms = Self { can_decide, can_revoke, authorise, decide, revoke };
        (can_decide || can_revoke).then_some(forms)
    }
}

/// The outcomes that a tester can force for an order.
#[derive(Debug)]
pub(crate) struct OutcomeForm {
    /// The URL to which the form is submitted.
    pub action: String,
    /// The value and title of each outcome.
    pub outcomes: Vec<(&'static str, &'static str)>,
    /// The value and title of each reason; empty if no outcome has a reason.
    pub reasons: Vec<(&'static str, &'static str)>,
}

impl OutcomeForm {
    /// The form for an order with these payments; `None` if nothing is left to decide. The bank checks whether the order's state allows an
    /// outcome.
    pub(super) fn of(visit: &PortalVisit, order: &Order, payments: &[PaymentExecution]) -> Option<Self> {
        controls(visit)?;
        let outcomes: Vec<_> = OUTCOMES.into_iter().filter(|(_, to, _)| is_possible(order, payments, *to)).collect();
        if outcomes.is_empty() {
            return None;
        }
        let may_be_rejected = outcomes.iter().any(|(_, to, _)| *to == PaymentStatus::Rejected);
        let reasons = rejection_reasons().into_iter().filter(|_| may_be_rejected);
        Some(Self {
            action: format!("{ORDERS}/{}/outcome", escaped(order.id.as_str())),
            outcomes: outcomes.into_iter().map(|(value, _, title)| (value, title)).collect(),
            reasons: reasons.map(|reason| (reason.code(), rejection(reason))).collect(),
        })
    }
}

/// The outcomes: value, resulting status and title.
const OUTCOMES: [(&str, PaymentStatus, &str); 5] = [
    ("settle", PaymentStatus::Settled, "Settle: the payer is debited"),
    ("credit", PaymentStatus::Credited, "Credit: the payee has the money"),
    ("without-posting", PaymentStatus::WithoutPosting, "Without posting: the payee’s bank does not post it"),
    ("reject", PaymentStatus::Rejected, "Reject: it is refused"),
    ("cancel", PaymentStatus::Cancelled, "Cancel: the customer takes it back"),
];

/// Whether the order or one of its payments may still reach this status. A final status never changes; a debited payment can only reach the
/// statuses that may follow.
fn is_possible(order: &Order, payments: &[PaymentExecution], to: PaymentStatus) -> bool {
    let may_become = |from: PaymentStatus| if from.is_debited() { from.may_become(to) } else { !from.is_final() };
    if payments.iter().any(|payment| may_become(payment.status)) {
        return true;
    }
    match order.status_history.current().status {
        DetailedStatus::Payment(status) => may_become(status),
        DetailedStatus::SetUp | DetailedStatus::SetUpFailed => !order.is_final(),
    }
}
