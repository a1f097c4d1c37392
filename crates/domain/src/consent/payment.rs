//! Payment consents: creation, authorisation, consumption and view.

#[cfg(test)]
mod tests;

use super::{
    AccessEnd, Consent, ConsentDraft, ConsentRequest, ConsentState, NotAuthorisable, PaymentConsent,
    PaymentConsentStatus, PaymentConsentView, PaymentSource, SelectedAccount,
};
use crate::ids::{OrderId, PsuId};
use crate::payment::file::{FileProgress, UploadedFile};
use crate::payment::order::{NewOrder, Order, OrderView, PaymentDraft};
use crate::payment::transfer::PaymentConditions;
use crate::payment::vrp::{VrpLimits, VrpPayment, VrpReservation, VrpUsage};
use crate::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use jiff::Timestamp;

impl PaymentDraft {
    /// Makes a consent draft with the bank's conditions. A payment consent has no expiration.
    pub fn into_consent_draft(self, conditions: PaymentConditions) -> ConsentDraft {
        let terms = ConsentRequest::Payment(Box::new(PaymentConsent::new(self.terms, conditions)));
        ConsentDraft { request: terms, expires_at: None, submitted: self.submitted }
    }
}

impl Consent {
    /// Stores the uploaded file, which matches the announced one. The consent then awaits authorisation. Source:
    /// FILE-009, FILE-010.
    ///
    /// # Errors
    /// [`RefusalKind::ConsentState`] in any other state; the consent is unchanged then.
    pub fn attach_file(&mut self, file: UploadedFile, now: Timestamp) -> Result<(), Refusal> {
        self.may_attach_file()?;
        if let ConsentRequest::Payment(payment) = &mut self.request {
            payment.file = Some(file);
        }
        self.state = ConsentState::AwaitingAuthorisation;
        self.status_reason = None;
        self.state_changed_at = now;
        self.touch();
        Ok(())
    }

    /// Whether the consent ended without an order at or before an instant, so that its file is no longer needed.
    pub fn ended_unused_by(&self, then: Timestamp) -> bool {
        let is_final = match self.state {
            ConsentState::Rejected | ConsentState::Revoked(_) => self.state_changed_at <= then,
            ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation | ConsentState::Authorised => false,
            ConsentState::Consumed => return false,
        };
        is_final || self.is_expired(then) || self.deleted_at.is_some_and(|at| at <= then)
    }

    /// Removes the file of a consent that ended without an order.
    pub fn detach_file(&mut self) {
        if let ConsentRequest::Payment(payment) = &mut self.request
            && payment.file.take().is_some()
        {
            self.touch();
        }
    }

    /// Checks that a file may be uploaded now.
    ///
    /// # Errors
    /// [`RefusalKind::ConsentState`]. Source: FILE-009, FILE-010.
    pub fn may_attach_file(&self) -> Result<(), Refusal> {
        let awaited = self.state == ConsentState::AwaitingUpload && self.deleted_at.is_none();
        if awaited { Ok(()) } else { Err(Refusal::from_kind(RefusalKind::ConsentState)) }
    }

    /// Authorises a payment from the debtor account that the PSU selected; the account cannot be changed afterwards.
    /// The bank's conditions are renewed. Source: PIS-035, PIS-104.
    ///
    /// # Errors
    /// The [`NotAuthorisable`] reason; the consent is unchanged then.
    pub fn authorise_payment(
        &mut self,
        psu: &PsuId,
        selected: SelectedAccount,
        source: PaymentSource,
        conditions: PaymentConditions,
        now: Timestamp,
    ) -> Result<(), NotAuthorisable> {
        match &self.request {
            ConsentRequest::Payment(payment)
                if payment.allows_authorisers(source.authorisers) && self.may_be_paid_from(&selected) => {}
            ConsentRequest::Payment(_) | ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => {
                return Err(NotAuthorisable::NoAccount);
            }
        }
        self.agree(psu, vec![selected], now)?;
        if let ConsentRequest::Payment(payment) = &mut self.request {
            payment.source = Some(source);
            payment.conditions = conditions.expected_from(now);
        }
        Ok(())
    }

    /// Whether the selected account may be the debtor: re-authentication keeps the debtor account. Source: PIS-035,
    /// VRP-022.
    fn may_be_paid_from(&self, selected: &SelectedAccount) -> bool {
        self.debtor().is_none_or(|chosen| chosen.account == selected.account)
    }

    /// Consumes the consent for its one order, which must be stored in the same transaction. Source: PIS-040, PIS-041,
    /// PIS-106, PIS-165.
    ///
    /// # Errors
    /// The fault of the consent's status, else every fault of a passed deadline; the consent is unchanged then.
    pub fn consume(&mut self, order: OrderId, now: Timestamp) -> Result<Order, Refusal> {
        let usable = self.state == ConsentState::Authorised && self.deleted_at.is_none();
        let whole = (self.request.payment(), self.accounts.first(), self.psu.clone());
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
        self.status_reason = None;
        self.state_changed_at = now;
        self.touch();
        Ok(order)
    }

    /// Creates a VRP order within the limits of the consent. The consent does not change. The order and its usage of
    /// the limits must be stored in the transaction that locked the consent and read the counters (`usage`). Source:
    /// VRP-001, VRP-040, VRP-050, VRP-055.
    ///
    /// # Errors
    /// The faults of the consent's state; else the differences from the consent; else the exceeded limits. Nothing is
    /// changed then.
    pub fn accept_vrp_order(
        &self,
        order: OrderId,
        payment: &VrpPayment,
        usage: &VrpUsage,
        now: Timestamp,
    ) -> Result<(Order, VrpReservation), Refusal> {
        let usable = self.check_access(now).is_ok();
        let whole = (self.request.payment(), self.accounts.first(), self.psu.clone());
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
            // The execution times of this payment were unknown when the consent was created; the bank reports them
            // later.
            conditions: PaymentConditions {
                charges: agreed.conditions.charges.clone(),
                ..PaymentConditions::default()
            },
        };
        Ok((Order::accept(with, now), reservation))
    }

    /// The VRP limits, counted from the first day of the consent; `None` for another kind. Source: VRP-032.
    pub fn vrp_limits(&self) -> Option<VrpLimits<'_>> {
        let terms = self.request.payment()?.terms.instruction.vrp()?;
        Some(terms.controls.limits_from(self.created_at))
    }

    /// The time at which access under the consent ends without a revocation: at its expiration, or after the last day on which
    /// its control parameters allow a payment. Source: AS-093, AS-094, VRP-021.
    pub fn access_ends_at(&self) -> Option<Timestamp> {
        let last_day = self.vrp_limits().and_then(|mandate| mandate.controls().ends_at());
        self.expires_at.into_iter().chain(last_day).min()
    }

    /// The differences between a requested payment and this VRP consent. Source: VRP-053, VRP-054.
    pub fn payment_differences(&self, payment: &VrpPayment) -> Vec<Fault> {
        let terms = self.request.payment().and_then(|agreed| agreed.terms.instruction.vrp());
        terms.map(|terms| terms.differences(payment)).unwrap_or_default()
    }

    /// The debtor account; `None` before authorisation. Source: PIS-035.
    pub fn debtor(&self) -> Option<&SelectedAccount> {
        self.request.payment().and(self.accounts.first())
    }

    /// The view of a payment consent at an instant; `None` for a consent of another kind.
    pub fn payment_view(&self, now: Timestamp) -> Option<PaymentConsentView> {
        let payment = self.request.payment()?;
        Some(PaymentConsentView {
            id: self.id.clone(),
            product: payment.terms.product(),
            status: self.payment_status()?,
            status_since: self.state_changed_at,
            reason: self.status_reason,
            ended: self.access_end(now),
            created_at: self.created_at,
            submitted: self.submitted.clone(),
            conditions: payment.conditions.clone(),
            debtor: payment.debtor(),
        })
    }

    /// The view of an order of this consent; `None` if the consent is of another kind.
    pub fn order_view(&self, order: &Order) -> Option<OrderView> {
        let payment = self.request.payment()?;
        Some(OrderView {
            id: order.id.clone(),
            consent: order.consent.clone(),
            product: order.product,
            status_history: order.status_history.clone(),
            reason: order.reason,
            has_unexecuted_payments: order.progress.is_some_and(|progress| progress.rejected > 0),
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
    /// Why a VRP consent gives no access any more. A rejection is final; every other state is superseded by the end of
    /// its validity. Source: table 1.5, V4-021.
    fn access_end(&self, now: Timestamp) -> Option<AccessEnd> {
        if !self.request.kind().is_long_lived() || self.state == ConsentState::Rejected {
            return None;
        }
        let expired = self.access_ends_at().filter(|end| *end <= now).map(AccessEnd::Expired);
        expired.or(match self.state {
            ConsentState::Revoked(by) => Some(AccessEnd::Revoked(by, self.state_changed_at)),
            ConsentState::AwaitingUpload
            | ConsentState::AwaitingAuthorisation
            | ConsentState::Authorised
            | ConsentState::Rejected
            | ConsentState::Consumed => None,
        })
    }

    /// The status of a payment consent as rendered; `None` for another kind. Source: table 1.4.
    pub fn payment_status(&self) -> Option<PaymentConsentStatus> {
        self.request.payment()?;
        Some(match self.state {
            ConsentState::AwaitingUpload => PaymentConsentStatus::AwaitingUpload,
            ConsentState::AwaitingAuthorisation => PaymentConsentStatus::AwaitingAuthorisation,
            ConsentState::Authorised => PaymentConsentStatus::Authorised,
            // A VRP consent that the PSU revoked at the bank still reads `Authorised` (VRP-085). Single payment
            // consents cannot be revoked (PIS-035).
            ConsentState::Revoked(_) if self.request.kind().is_long_lived() => PaymentConsentStatus::Authorised,
            ConsentState::Rejected | ConsentState::Revoked(_) => PaymentConsentStatus::Rejected,
            ConsentState::Consumed => PaymentConsentStatus::Consumed,
        })
    }
}
