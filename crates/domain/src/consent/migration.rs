//! Migration of a VRP consent: the same content, submitted again in the form of a newer version. Source: V4-020, V4-030.

use super::{Consent, ConsentKind, ConsentRequest, PaymentConsent};
use crate::order::{Instruction, PaymentConsentRequest, PaymentDraft, PaymentProduct, PaymentRisk};
use crate::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use crate::vrp::VrpConsentRequest;

impl Consent {
    /// Whether the TPP or the bank may store the consent in the form of a newer version.
    pub fn is_vrp_consent(&self) -> bool {
        self.terms.kind() == ConsentKind::Payment(PaymentProduct::DomesticVrp) && self.deleted_at.is_none()
    }

    /// Replaces what was submitted by the same content in the form of a newer version. Id, status, times, debtor, conditions,
    /// tokens and the usage of the limits stay. The risk data may differ, and whatever the older version cannot express.
    ///
    /// # Errors
    /// Not found for another kind of consent; 409 if the consent has that form already; else one fault for each value that
    /// was changed. Nothing is changed then. Source: V4-030.
    pub fn migrate_vrp(&mut self, mut draft: PaymentDraft) -> Result<(), Refusal> {
        if !self.is_vrp_consent() {
            return Err(Refusal::from_kind(RefusalKind::NotFound));
        }
        if self.submitted.version >= draft.submitted.version {
            let message = "The consent has the form of this version already.";
            return Err(Refusal::invalid(vec![Fault::new(FaultCode::ResourceAlreadyExists, message)]));
        }
        let ConsentRequest::Payment(payment) = &mut self.terms else {
            return Err(Refusal::from_kind(RefusalKind::NotFound));
        };
        keep_interactions(payment, &mut draft);
        let changed = changed_fields(payment, &draft.terms);
        if !changed.is_empty() {
            let message = "A migration must not change this.";
            let fault = |field| Fault::field(FaultCode::ConsentMismatch, field, message);
            return Err(Refusal::invalid(changed.into_iter().map(fault).collect()));
        }
        if draft.terms.context != payment.terms.context && draft.terms.context.is_some_and(PaymentRisk::is_deprecated) {
            let message = "Must be a payment context that new consents may have, or the consent's own.";
            return Err(Refusal::invalid(vec![Fault::field(FaultCode::FieldInvalid, Field::PaymentRisk, message)]));
        }
        payment.terms = draft.terms;
        self.submitted = draft.submitted;
        self.touch();
        Ok(())
    }
}

/// A consent of v3.1 without interaction types allows both, and v4.0 has another default (VRP-009); a request that names none
/// leaves what was agreed.
fn keep_interactions(agreed: &PaymentConsent, draft: &mut PaymentDraft) {
    let is_named = !draft.form.absent.contains(&Field::InteractionTypes);
    let agreed = agreed.terms.instruction.vrp().filter(|vrp| vrp.controls.interactions.is_empty());
    if let (false, Some(_), Instruction::Vrp(asked)) = (is_named, agreed, &mut draft.terms.instruction) {
        asked.controls.interactions.clear();
    }
}

/// What the customer agreed to and a migration changes. Source: V4-020, V4-030.
fn changed_fields(agreed: &PaymentConsent, asked: &PaymentConsentRequest) -> Vec<Field> {
    let agreed = &agreed.terms;
    let (Some(old), Some(new)) = (agreed.instruction.vrp(), asked.instruction.vrp()) else {
        return vec![Field::VrpTypes];
    };
    let mut changed = changed_consent_fields(old, new);
    let around = [
        (agreed.debtor != asked.debtor, Field::DebtorAccount),
        (agreed.refund != asked.refund, Field::ReadRefundAccount),
    ];
    changed.extend(around.into_iter().filter_map(|(differs, field)| differs.then_some(field)));
    changed
}

fn changed_consent_fields(old: &VrpConsentRequest, new: &VrpConsentRequest) -> Vec<Field> {
    let (before, after) = (&old.controls, &new.controls);
    let references = (&old.references, &new.references);
    let fields = [
        (before.valid_from != after.valid_from, Field::ValidFrom),
        (before.valid_to != after.valid_to, Field::ValidTo),
        (before.individual != after.individual, Field::IndividualAmount),
        (before.limits != after.limits, Field::PeriodicLimits),
        (before.types != after.types, Field::VrpTypes),
        (before.methods != after.methods, Field::AuthenticationMethods),
        (before.interactions != after.interactions, Field::InteractionTypes),
        (old.creditor != new.creditor, Field::CreditorAccount),
        (old.address != new.address, Field::CreditorAddress),
        (references.0.reference != references.1.reference, Field::RemittanceReference),
        (references.0.message != references.1.message, Field::RemittanceMessage),
    ];
    fields.into_iter().filter_map(|(differs, field)| differs.then_some(field)).collect()
}
