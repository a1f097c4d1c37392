//! Payment consents: what is to be paid, and what the bank says to it.

use super::{AuthorisationBar, Consent, ConsentDraft, SelectedAccount, State, Terms};
use crate::ids::OrderId;
use crate::ids::PsuId;
use crate::order::{
    Acceptance, Conditions, Debtor, NamedAccount, Order, OrderView, PaymentConsentStatus, PaymentConsentView,
    PaymentDraft, PaymentTerms,
};
use crate::refusal::{Fault, FaultCode, Field, Refusal};
use jiff::Timestamp;

/// The terms of a payment consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentConsent {
    /// What is to be paid. Never changes.
    pub terms: PaymentTerms,
    /// What the bank says to it; kept up to date. Source: PIS-104.
    pub conditions: Conditions,
    /// Who pays, once the customer has agreed.
    pub source: Option<PaymentSource>,
}

/// Where the money comes from, as it was when the customer agreed: nobody asks the bank again to show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentSource {
    /// The account by its number, under its holder's name. Source: PIS-098, PIS-099.
    pub account: NamedAccount,
    /// How many customers must agree to the order, at least one. Source: PIS-112.
    pub authorisers: u16,
}

impl PaymentDraft {
    /// The draft of the consent, under the bank's conditions. Payment consents have no end of their own.
    pub fn under(self, conditions: Conditions) -> ConsentDraft {
        let terms = Terms::Payment(Box::new(PaymentConsent { terms: self.terms, conditions, source: None }));
        ConsentDraft { terms, expires_at: None, submitted: self.submitted }
    }
}

impl PaymentConsent {
    fn debtor(&self) -> Option<Debtor> {
        let source = self.source.as_ref()?;
        let account = self.terms.debtor.clone();
        Some(Debtor { name: source.account.holder().to_owned(), account })
    }

    /// Source: PIS-096, PIS-098.
    fn refund(&self) -> Option<NamedAccount> {
        self.source.as_ref().filter(|_| self.terms.refund).map(|source| source.account.clone())
    }
}

impl Consent {
    /// The customer agrees to a payment and names the account it is made from, for good; the bank says again what it says
    /// to it. Source: PIS-035, PIS-104.
    ///
    /// # Errors
    /// The [`AuthorisationBar`] that stands in the way; nothing has changed then.
    pub fn authorise_payment(
        &mut self,
        psu: &PsuId,
        selected: SelectedAccount,
        source: PaymentSource,
        conditions: Conditions,
        now: Timestamp,
    ) -> Result<(), AuthorisationBar> {
        match &self.terms {
            Terms::Payment(payment) if payment.terms.authorisation.allows(source.authorisers) => {}
            Terms::Payment(_) | Terms::AccountAccess(_) | Terms::FundsConfirmation(_) => {
                return Err(AuthorisationBar::NoAccount);
            }
        }
        self.agree(psu, vec![selected], now)?;
        if let Terms::Payment(payment) = &mut self.terms {
            payment.source = Some(source);
            payment.conditions = conditions;
        }
        Ok(())
    }

    /// Uses it up for its one order, which must be stored in the same transaction. Source: PIS-040, PIS-041, PIS-106,
    /// PIS-165.
    ///
    /// # Errors
    /// Every fault of its state and the time; nothing has changed then.
    pub fn consume(&mut self, order: OrderId, now: Timestamp) -> Result<Order, Refusal> {
        let usable = self.state == State::Authorised && self.deleted_at.is_none();
        let whole = (self.terms.payment(), self.accounts.first(), self.psu.clone());
        let (Some(payment), Some(debtor), Some(psu), true) = (whole.0, whole.1, whole.2, usable) else {
            let message = "The status of the consent forbids this.";
            let fault = Fault::field(FaultCode::InvalidConsentStatus, Field::ConsentStatus, message);
            return Err(Refusal::invalid(vec![fault]));
        };
        if let Some(late) = payment.conditions.lateness(now) {
            return Err(Refusal::invalid(vec![late]));
        }
        let with = Acceptance {
            id: order,
            client: self.client.clone(),
            consent: self.id.clone(),
            version: self.submitted.version,
            debtor: debtor.account.clone(),
            psu,
            authorisers: payment.source.as_ref().map_or(1, |source| source.authorisers),
            conditions: payment.conditions.clone(),
        };
        let order = Order::accept(&payment.terms, with, now);
        self.state = State::Consumed;
        self.state_changed_at = now;
        self.touch();
        Ok(order)
    }

    /// The account a payment is made from, once the customer chose it. Source: PIS-035.
    pub fn debtor(&self) -> Option<&SelectedAccount> {
        self.terms.payment().and(self.accounts.first())
    }

    /// A payment consent as it is shown; `None` if it is of another kind.
    pub fn payment_view(&self) -> Option<PaymentConsentView> {
        let payment = self.terms.payment()?;
        Some(PaymentConsentView {
            id: self.id.clone(),
            product: payment.terms.product(),
            status: self.state.into(),
            status_since: self.state_changed_at,
            created_at: self.created_at,
            submitted: self.submitted.clone(),
            conditions: payment.conditions.clone(),
            debtor: payment.debtor(),
        })
    }

    /// An order of this consent as it is shown; `None` if the consent is of another kind.
    pub fn order_view(&self, order: &Order) -> Option<OrderView> {
        let payment = self.terms.payment()?;
        Some(OrderView {
            id: order.id.clone(),
            consent: order.consent.clone(),
            product: order.product,
            course: order.course.clone(),
            created_at: order.created_at,
            submitted: self.submitted.clone(),
            conditions: order.conditions.clone(),
            approvals: order.approvals.clone(),
            refund: payment.refund(),
            debtor: payment.debtor(),
        })
    }
}

impl From<State> for PaymentConsentStatus {
    fn from(state: State) -> Self {
        match state {
            State::AwaitingAuthorisation => Self::AwaitingAuthorisation,
            State::Authorised => Self::Authorised,
            // A consent that is used once cannot be revoked (PIS-035).
            State::Rejected | State::Revoked(_) => Self::Rejected,
            State::Consumed => Self::Consumed,
        }
    }
}
