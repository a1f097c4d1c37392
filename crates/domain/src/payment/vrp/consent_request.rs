//! The content of a VRP consent, and the payments under it.

use super::{AuthenticationMethod, ControlParameters, InteractionType, VrpCapabilities, VrpPaymentAttempt, VrpType};
use crate::account::PostalAddress;
use crate::ids::{ConsentId, FundsConfirmationId};
use crate::money::Amount;
use crate::payment::transfer::{NamedAccount, References, Transfer};
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The content of a VRP consent. Source: VRP-004, VRP-014.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrpConsentRequest {
    /// The control parameters.
    pub controls: ControlParameters,
    /// The creditor account; `None` allows any. Source: VRP-015, VRP-053.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<NamedAccount>,
    /// The payee's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
    /// The references for every payment. The remittance reference must be repeated, the message need not be. Source:
    /// VRP-054.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
}

/// A payment request under a VRP consent. Source: VRP-051.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpPayment {
    /// The payment, to be executed at once. Source: VRP-060.
    pub transfer: Transfer,
    /// The VRP type.
    pub kind: VrpType,
    /// The PSU authentication method.
    pub method: AuthenticationMethod,
    /// The PSU interaction type that the request states or, in v4.0, implies. Source: VRP-009.
    pub interaction: Option<InteractionType>,
    /// Whether the request states the interaction type.
    pub names_interaction: bool,
}

/// A VRP funds confirmation request. Source: VRP-071.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpFundsConfirmationRequest {
    /// The consent.
    pub consent: ConsentId,
    /// The reference of the intended payment, if the TPP sent it.
    pub reference: Option<String>,
    /// The amount to confirm.
    pub amount: Amount,
}

/// The result, which is not stored. Source: VRP-072, VRP-075.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpFundsConfirmationResult {
    /// Its id, new for each request.
    pub id: FundsConfirmationId,
    /// The request.
    pub question: VrpFundsConfirmationRequest,
    /// When it was answered (bank clock).
    pub created_at: Timestamp,
    /// Whether the funds are available.
    pub available: bool,
}

impl VrpConsentRequest {
    /// The differences between a payment and the consent. Source: VRP-053, VRP-054.
    pub fn differences(&self, payment: &VrpPayment) -> Vec<Fault> {
        let credit = payment.transfer.credit();
        let other_payee = self.creditor.as_ref().is_some_and(|creditor| !is_same(creditor, &credit.creditor));
        let agreed = self.references.reference.as_ref();
        let other_reference = agreed.is_some_and(|agreed| credit.references.reference.as_ref() != Some(agreed));
        let differs = |field, message| Fault::field(FaultCode::ConsentMismatch, field, message);
        let payee = || differs(Field::VrpCreditor, "The account to pay to is not the one of the consent.");
        let reference = || differs(Field::VrpReference, "The reference is not the one of the consent.");
        other_payee.then(payee).into_iter().chain(other_reference.then(reference)).collect()
    }
}

impl VrpConsentRequest {
    /// The differences between a funds confirmation request and the consent. A request without a reference matches.
    /// Source: VRP-071.
    pub fn funds_differences(&self, question: &VrpFundsConfirmationRequest) -> Vec<Fault> {
        let agreed = self.references.reference.as_ref();
        let other = agreed.is_some() && question.reference.is_some() && question.reference.as_ref() != agreed;
        let message = "The reference is not the one of the consent.";
        let differs = || Fault::field(FaultCode::ConsentMismatch, Field::VrpFundsReference, message);
        other.then(differs).into_iter().collect()
    }
}

/// The most characters of a creditor's name in v4.0. Source: VRP-016.
const NAME_CHARS_MAX: usize = 70;

/// A creditor's name as v4.0 shows it: cut to its limit. Source: VRP-016.
pub fn short_name(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}

/// Compares the whole account, name included, because the PSU authorised what was shown. A name that is too long for v4.0 may be
/// repeated as v4.0 shows it (VRP-016). The proxy is compared in the submitted documents, because older consents keep the proxy
/// only there (VRP-053).
pub(crate) fn is_same(agreed: &NamedAccount, asked: &NamedAccount) -> bool {
    let agreed = agreed.without_proxy();
    let asked = asked.without_proxy();
    let shown = || NamedAccount::under_name((*agreed).clone(), short_name(agreed.holder_name()));
    agreed == asked || asked == shown()
}

impl VrpPayment {
    /// The faults of a payment of a commercial type. Source: CVRP-005.
    pub fn commercial_faults(&self, offer: &VrpCapabilities) -> Vec<Fault> {
        let is_silent = offer.commercial.strict && self.kind.is_commercial() && !self.names_interaction;
        let missing =
            || Fault::field(FaultCode::FieldMissing, Field::VrpInteraction, "Commercial payments need this member.");
        is_silent.then(missing).into_iter().collect()
    }

    /// The payment as checked against the limits, at an instant.
    pub const fn attempt(&self, at: Timestamp) -> VrpPaymentAttempt {
        let amount = self.transfer.amount;
        let kind = self.kind;
        let method = self.method;
        let interaction = self.interaction;
        VrpPaymentAttempt { at, amount, kind, method, interaction }
    }
}
