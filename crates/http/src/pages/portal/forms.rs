//! The forms of testers on the pages of a consent and of an order. There are none without the controls of a sandbox.

use super::paths::{CONSENTS, ORDERS, escaped};
use super::visit::PortalVisit;
use crate::ops::sandbox::rejection_reasons;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::order::Order;
use lombard_ports::controls::SandboxControls;
use std::sync::Arc;

/// The controls, where there are any.
pub(super) fn controls(visit: &PortalVisit) -> Option<&Arc<dyn SandboxControls>> {
    visit.services.sandbox.as_ref().and_then(|sandbox| sandbox.controls.as_ref())
}

/// What the customer of a consent can be made to do.
#[derive(Debug)]
pub(in crate::pages) struct ConsentForms {
    pub can_decide: bool,
    pub can_revoke: bool,
    /// Where the forms lead.
    pub decide: String,
    pub revoke: String,
}

impl ConsentForms {
    /// Those of a consent; none if its customer can do nothing any more.
    pub(super) fn of(visit: &PortalVisit, consent: &Consent, now: Timestamp) -> Option<Self> {
        controls(visit)?;
        let can_decide = consent.check_authorisable(now).is_ok();
        let is_given = consent.state == ConsentState::Authorised && consent.deleted_at.is_none();
        let can_revoke = is_given && consent.terms.kind().is_long_lived();
        let path = format!("{CONSENTS}/{}", escaped(consent.id.as_str()));
        let forms = Self { can_decide, can_revoke, decide: format!("{path}/decide"), revoke: format!("{path}/revoke") };
        (can_decide || can_revoke).then_some(forms)
    }
}

/// What an order can be made to come to.
#[derive(Debug)]
pub(in crate::pages) struct OutcomeForm {
    /// Where the form leads.
    pub action: String,
    /// Value and title.
    pub outcomes: [(&'static str, &'static str); 5],
    pub reasons: Vec<&'static str>,
}

impl OutcomeForm {
    /// The form of an order. The bank says whether the order's state allows an outcome.
    pub(super) fn of(visit: &PortalVisit, order: &Order) -> Option<Self> {
        controls(visit)?;
        Some(Self {
            action: format!("{ORDERS}/{}/outcome", escaped(order.id.as_str())),
            outcomes: [
                ("settle", "Settle: the payer is debited"),
                ("credit", "Credit: the payee has the money"),
                ("without-posting", "Without posting: the payee’s bank does not post it"),
                ("reject", "Reject: it is refused"),
                ("cancel", "Cancel: the customer takes it back"),
            ],
            reasons: rejection_reasons().into(),
        })
    }
}
