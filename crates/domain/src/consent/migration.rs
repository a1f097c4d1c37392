//! Migration of a VRP consent: the same content, submitted again in the form of a newer version. Source: V4-020, V4-030.

use super::{Consent, ConsentKind, ConsentRequest, PaymentConsent};
use crate::account::AccountIdentification;
use crate::payment::order::{Instruction, PaymentConsentRequest, PaymentDraft};
use crate::payment::vrp::{InteractionType, VrpConsentRequest, is_same};
use crate::payment::{PaymentContext, PaymentProduct};
use crate::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};

impl Consent {
    /// Whether this is a VRP consent that is not deleted. Only such a consent may be stored in the form of a newer version.
    pub fn is_vrp_consent(&self) -> bool {
        self.request.kind() == ConsentKind::Payment(PaymentProduct::DomesticVrp) && self.deleted_at.is_none()
    }

    /// Replaces the submitted document by the same content in the form of a newer version. Id, status, times, debtor, conditions,
    /// tokens and the usage of the limits stay. A deprecated payment context may be replaced. The edge compares the submitted
    /// initiation.
    ///
    /// # Errors
    /// Not found for another kind of consent; 409 if the consent has that form already; else one fault for each value that was
    /// changed. The consent is unchanged then. Source: V4-030.
    pub fn migrate_vrp(&mut self, mut draft: PaymentDraft) -> Result<(), Refusal> {
        if !self.is_vrp_consent() {
            return Err(Refusal::from_kind(RefusalKind::NotFound));
        }
        if self.submitted.version >= draft.submitted.version {
            let message = "The consent has the form of this version already.";
            return Err(Refusal::invalid(vec![Fault::new(FaultCode::ResourceAlreadyExists, message)]));
        }
        let ConsentRequest::Payment(payment) = &mut self.request else {
            return Err(Refusal::from_kind(RefusalKind::NotFound));
        };
        keep_interactions(payment, &mut draft);
        let changed = changed_fields(payment, &draft.terms);
        if !changed.is_empty() {
            let message = "A migration must not change this.";
            let fault = |field| Fault::field(FaultCode::ConsentMismatch, field, message);
            return Err(Refusal::invalid(changed.into_iter().map(fault).collect()));
        }
        keep_creditor(payment, &mut draft);
        payment.terms = draft.terms;
        self.submitted = draft.submitted;
        self.touch();
        Ok(())
    }
}

/// Keeps the agreed interaction types if the request names none. A v3.1 consent without interaction types allows both, and v4.0
/// has another default (VRP-009).
fn keep_interactions(agreed: &PaymentConsent, draft: &mut PaymentDraft) {
    let is_named = !draft.form.absent.contains(&Field::InteractionTypes);
    let agreed = agreed.terms.instruction.vrp().filter(|vrp| vrp.controls.interactions.is_empty());
    if let (Some(_), Instruction::Vrp(asked)) = (agreed, &mut draft.terms.instruction)
        && (!is_named || InteractionType::ALL.into_iter().all(|kind| asked.controls.interactions.contains(&kind)))
    {
        asked.controls.interactions.clear();
    }
}

/// The fields that the customer agreed to and that the migration would change. Source: V4-020, V4-030.
fn changed_fields(agreed: &PaymentConsent, asked: &PaymentConsentRequest) -> Vec<Field> {
    let agreed = &agreed.terms;
    let (Some(old), Some(new)) = (agreed.instruction.vrp(), asked.instruction.vrp()) else {
        return vec![Field::VrpTypes];
    };
    let mut changed = changed_consent_fields(old, new);
    let around = [
        (debtor(agreed) != debtor(asked), Field::DebtorAccount),
        (agreed.refund != asked.refund, Field::ReadRefundAccount),
    ];
    if agreed.context != asked.context && !may_replace(agreed.context, asked.context) {
        changed.push(Field::PaymentRisk);
    }
    changed.extend(around.into_iter().filter_map(|(differs, field)| differs.then_some(field)));
    changed
}

/// The debtor account without its proxy. The proxy was not parsed from the older form; it is compared in the submitted documents.
fn debtor(terms: &PaymentConsentRequest) -> Option<AccountIdentification> {
    terms.debtor.clone().map(|account| AccountIdentification { proxy: None, ..account })
}

/// Keeps the creditor's full name, although v4.0 shows only a part of it. Source: VRP-016.
fn keep_creditor(agreed: &PaymentConsent, draft: &mut PaymentDraft) {
    let agreed = agreed.terms.instruction.vrp().map(|vrp| vrp.creditor.clone());
    if let (Some(creditor), Instruction::Vrp(asked)) = (agreed, &mut draft.terms.instruction) {
        asked.creditor = creditor;
    }
}

/// Whether the payment context may be replaced: only a deprecated context, and only by one that is not deprecated. Source:
/// V4-028.
fn may_replace(agreed: Option<PaymentContext>, asked: Option<PaymentContext>) -> bool {
    agreed.is_some_and(PaymentContext::is_deprecated) && asked.is_some_and(|context| !context.is_deprecated())
}

fn is_same_creditor(old: &VrpConsentRequest, new: &VrpConsentRequest) -> bool {
    match (&old.creditor, &new.creditor) {
        (Some(old), Some(new)) => is_same(old, new),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn changed_consent_fields(old: &VrpConsentRequest, new: &VrpConsentRequest) -> Vec<Field> {
    let before = &old.controls;
    let after = &new.controls;
    let references = (&old.references, &new.references);
    let fields = [
        (before.valid_from != after.valid_from, Field::ValidFrom),
        (before.valid_to != after.valid_to, Field::ValidTo),
        (before.individual != after.individual, Field::IndividualAmount),
        (before.limits != after.limits, Field::PeriodicLimits),
        (before.types != after.types, Field::VrpTypes),
        (before.methods != after.methods, Field::AuthenticationMethods),
        (before.interactions != after.interactions, Field::InteractionTypes),
        (!is_same_creditor(old, new), Field::CreditorAccount),
        (old.address != new.address, Field::CreditorAddress),
        (references.0.reference != references.1.reference, Field::RemittanceReference),
        (references.0.message != references.1.message, Field::RemittanceMessage),
    ];
    fields.into_iter().filter_map(|(differs, field)| differs.then_some(field)).collect()
}
