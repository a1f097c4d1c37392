//! Payment consents: how they are made, agreed to, used and shown.

#[cfg(test)]
mod tests;

use super::{
    Consent, ConsentDraft, ConsentRequest, ConsentState, NotAuthorisable, PaymentConsent, PaymentSource,
    SelectedAccount,
};
use crate::file::{FileProgress, UploadedFile};
use crate::ids::{OrderId, PsuId};
use crate::order::{
    NewOrder, Order, OrderView, PaymentConditions, PaymentConsentStatus, PaymentConsentView, PaymentDraft,
};
use crate::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use crate::vrp::{VrpLimits, VrpPayment, VrpReservation, VrpUsage};
use jiff::Timestamp;

impl PaymentDraft {
    /// The draft of the consent, under the bank's conditions. Payment consents have no end of their own.
    pub fn into_consent_draft(self, conditions: PaymentConditions) -> ConsentDraft {
        let terms = ConsentRequest::Payment(Box::new(PaymentConsent::new(self.terms, conditions)));
        ConsentDraft { terms, expires_at: None, submitted: self.submitted }
    }
}

impl Consent {
    /// The file has come, and is the one that was announced: the customer may be asked. Source: FILE-009, FILE-010.
    ///
    /// # Errors
    /// [`RefusalKind::ConsentState`] in any other state; nothing has changed then.
    pub fn attach_file(&mut self, file: UploadedFile, now: Timestamp) -> Result<(), Refusal> {
        self.may_attach_file()?;
        if let ConsentRequest::Payment(payment) = &mut self.terms {
            payment.file = Some(file);
        }
        self.state = ConsentState::AwaitingAuthorisation;
        self.state_changed_at = now;
        self.touch();
        Ok(())
    }

    /// Whether it ended at or before a time without an order being made of it, so that the file it holds serves nobody.
    pub fn ended_unused_by(&self, then: Timestamp) -> bool {
        let is_final = match self.state {
            ConsentState::Rejected | ConsentState::Revoked(_) => self.state_changed_at <= then,
            ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation | ConsentState::Authorised => false,
            ConsentState::Consumed => return false,
        };
        is_final || self.is_expired(then) || self.deleted_at.is_some_and(|at| at <= then)
    }

    /// Forgets the file of a consent that ended unused. It then has none, as before one was sent.
    pub fn detach_file(&mut self) {
        if let ConsentRequest::Payment(payment) = &mut self.terms
            && payment.file.take().is_some()
        {
            self.touch();
        }
    }

    /// Whether a file may be sent now.
    ///
    /// # Errors
    /// [`RefusalKind::ConsentState`]. Source: FILE-009, FILE-010.
    pub fn may_attach_file(&self) -> Result<(), Refusal> {
        let awaited = self.state == ConsentState::AwaitingUpload && self.deleted_at.is_none();
        if awaited { Ok(()) } else { Err(Refusal::from_kind(RefusalKind::ConsentState)) }
    }

    /// The customer agrees to a payment and names the account it is made from, for good; the bank says again what it says
    /// to it. Source: PIS-035, PIS-104.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] that stands in the way; nothing has changed then.
    pub fn authorise_payment(
        &mut self,
        psu: &PsuId,
        selected: SelectedAccount,
        source: PaymentSource,
        conditions: PaymentConditions,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        match &self.terms {
            ConsentRequest::Payment(payment)
                if payment.allows_authorisers(source.authorisers) && self.may_be_paid_from(&selected) => {}
            ConsentRequest::Payment(_) | ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => {
                return Err(NotAuthorisable::NoAccount);
            }
        }
        self.agree(psu, vec![selected], now)?;
        if let ConsentRequest::Payment(payment) = &mut self.terms {
            payment.source = Some(source);
            payment.conditions = conditions.expected_from(now);
        }
        Ok(())
    }

    /// Re-authentication keeps the debtor account. Source: PIS-035, VRP-022.
    fn may_be_paid_from(&self, selected: &SelectedAccount) -> bool {
        self.debtor().is_none_or(|chosen| chosen.account == selected.account)
    }

    /// Uses it up for its one order, which must be stored in the same transaction. Source: PIS-040, PIS-041, PIS-106,
    /// PIS-165.
    ///
    /// # Errors
    /// Every fault of its state and the time; nothing has changed then.
    pub fn consume(&mut self, order: OrderId, now: Timestamp) -> Result<Order, Refusal> {
        let usable = self.state == ConsentState::Authorised && self.deleted_at.is_none();
        let whole = (self.terms.payment(), self.accounts.first(), self.psu.clone());
        let (Some(payment), Some(debtor), Some(psu), true) = (whole.0, whole.1, whole.2, usable) else {
            let message = "The status of the consent forbids this.";
            let fault = Fault::field(FaultCode::InvalidConsentStatus, Field::ConsentStatus, message);
            return Err(Refusal::invalid(vec![fault]));
        };
        let late = payment.conditions.lateness_faults(now);
        if !late.is_empty() {
            return Err(Refusal::invalid(late));
        }
        if payment.terms.instruction.vrp().is_some() {
            return Err(Refusal::from_kind(RefusalKind::ConsentState));
        }
        let with = NewOrder {
            id: order,
            client: self.client.clone(),
            consent: self.id.clone(),
            product: payment.terms.product(),
            instruction: payment.terms.instruction.clone(),
            complete_by: payment.terms.authorisation.complete_by,
            version: self.submitted.version,
            debtor: debtor.account.clone(),
            psu,
            authorisers: payment.source.as_ref().map_or(1, |source| source.authorisers),
            conditions: payment.conditions.clone(),
        };
        let progress = payment.file.as_ref().map(|file| FileProgress::for_count(file.totals.count));
        let order = Order { progress, ..Order::accept(with, now) };
        self.state = ConsentState::Consumed;
        self.state_changed_at = now;
        self.touch();
        Ok(order)
    }

    /// Makes an order within its limits; it stays as it is. Both the order and what it takes from the limits must be stored
    /// in the transaction that holds the consent and read the counters (`usage`). Source: VRP-001, VRP-040, VRP-050, VRP-055.
    ///
    /// # Errors
    /// Every fault of its state, or else where the payment is not what was agreed to, or else of the limits; nothing has
    /// changed then.
    pub fn accept_vrp_order(
        &self,
        order: OrderId,
        payment: &VrpPayment,
        usage: &VrpUsage,
        now: Timestamp,
    ) -> Result<(Order, VrpReservation), Refusal> {
        let usable = self.gives_access(now).is_ok();
        let whole = (self.terms.payment(), self.accounts.first(), self.psu.clone());
        let (Some(agreed), Some(debtor), Some(psu), true) = (whole.0, whole.1, whole.2, usable) else {
            return Err(Refusal::from_kind(RefusalKind::ConsentState));
        };
        let Some(mandate) = self.vrp_limits() else { return Err(Refusal::from_kind(RefusalKind::ConsentState)) };
        let differences = self.payment_differences(payment);
        if !differences.is_empty() {
            return Err(Refusal::invalid(differences));
        }
        let judged = mandate.check_payment(&payment.attempt(now), usage);
        let reservation =
            judged.map_err(|breaches| Refusal::invalid(breaches.into_iter().map(Fault::from).collect()))?;
        let with = NewOrder {
            id: order,
            client: self.client.clone(),
            consent: self.id.clone(),
            product: agreed.terms.product(),
            instruction: payment.transfer.clone().into(),
            complete_by: None,
            version: self.submitted.version,
            debtor: debtor.account.clone(),
            psu,
            authorisers: 1,
            // When the consent was made, nobody knew when this would be paid: the bank will say.
            conditions: PaymentConditions {
                charges: agreed.conditions.charges.clone(),
                ..PaymentConditions::default()
            },
        };
        Ok((Order::accept(with, now), reservation))
    }

    /// The limits on payments under it, counted from the day they begin; `None` of a consent to anything else. Source: VRP-032.
    pub fn vrp_limits(&self) -> Option<VrpLimits<'_>> {
        let terms = self.terms.payment()?.terms.instruction.vrp()?;
        Some(terms.controls.limits_from(self.created_at))
    }

    /// When access under it ends, if time alone ends it: with the consent, or with the last day on which payments can be made
    /// under it. Source: AS-093, AS-094, VRP-021.
    pub fn access_ends_at(&self) -> Option<Timestamp> {
        let last_day = self.vrp_limits().and_then(|mandate| mandate.controls().ends_at());
        self.expires_at.into_iter().chain(last_day).min()
    }

    /// Where a payment that is asked for under it is another than it is for. Source: VRP-053, VRP-054.
    pub fn payment_differences(&self, payment: &VrpPayment) -> Vec<Fault> {
        let terms = self.terms.payment().and_then(|agreed| agreed.terms.instruction.vrp());
        terms.map(|terms| terms.differences(payment)).unwrap_or_default()
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
            status: self.payment_status()?,
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
            course: order.status_history.clone(),
            created_at: order.created_at,
            submitted: order.submitted.as_ref().unwrap_or(&self.submitted).clone(),
            conditions: order.conditions.clone(),
            approvals: order.approvals.clone(),
            refund: payment.refund(),
            debtor: payment.debtor(),
        })
    }
}

impl Consent {
    /// How a payment consent is shown to stand; `None` of another kind. Source: table 1.4.
    pub fn payment_status(&self) -> Option<PaymentConsentStatus> {
        self.terms.payment()?;
        Some(match self.state {
            ConsentState::AwaitingUpload => PaymentConsentStatus::AwaitingUpload,
            ConsentState::AwaitingAuthorisation => PaymentConsentStatus::AwaitingAuthorisation,
            ConsentState::Authorised => PaymentConsentStatus::Authorised,
            // What the customer ends at the bank still reads authorised (VRP-085); only what is used again and again can
            // be ended (PIS-035).
            ConsentState::Revoked(_) if self.terms.kind().is_long_lived() => PaymentConsentStatus::Authorised,
            ConsentState::Rejected | ConsentState::Revoked(_) => PaymentConsentStatus::Rejected,
            ConsentState::Consumed => PaymentConsentStatus::Consumed,
        })
    }
}
