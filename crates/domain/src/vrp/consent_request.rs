//! What a consent to variable recurring payments is about, and what is paid under it.

use super::{AuthenticationMethod, ControlParameters, InteractionType, VrpPaymentAttempt, VrpType};
use crate::account::PostalAddress;
use crate::ids::{ConsentId, FundsConfirmationId};
use crate::money::Amount;
use crate::order::{NamedAccount, References, Transfer};
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The terms of a consent to variable recurring payments. Source: VRP-004, VRP-014.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrpConsentRequest {
    /// The limits.
    pub controls: ControlParameters,
    /// The one account to pay to; without it, any. Source: VRP-015, VRP-053.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<NamedAccount>,
    /// The payee's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
    /// What every payment repeats: the reference binds, the message does not. Source: VRP-054.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
}

/// A payment that is asked for under such a consent. Source: VRP-051.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpPayment {
    /// What is to be paid, at once. Source: VRP-060.
    pub transfer: Transfer,
    /// Of which kind it is.
    pub kind: VrpType,
    /// How the customer was authenticated.
    pub method: AuthenticationMethod,
    /// Whether the customer is there, if that is said.
    pub interaction: Option<InteractionType>,
}

/// Whether there is money for a payment: the question. Source: VRP-071.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpFundsQuestion {
    /// Under which consent.
    pub consent: ConsentId,
    /// The reference the payment will have, if that is said.
    pub reference: Option<String>,
    /// How much.
    pub amount: Amount,
}

/// What it was answered with; nothing of it is kept. Source: VRP-072, VRP-075.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpFundsAnswer {
    /// Its id, new each time.
    pub id: FundsConfirmationId,
    /// What was asked.
    pub question: VrpFundsQuestion,
    /// When it was answered (bank clock).
    pub created_at: Timestamp,
    /// Whether there is so much.
    pub available: bool,
}

impl VrpConsentRequest {
    /// Where a payment is another than the consent is for. Source: VRP-053, VRP-054.
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
    /// Where a question about funds is about another payment than the consent is for. One that names no reference is about
    /// any. Source: VRP-071.
    pub fn funds_differences(&self, question: &VrpFundsQuestion) -> Vec<Fault> {
        let agreed = self.references.reference.as_ref();
        let other = agreed.is_some() && question.reference.is_some() && question.reference.as_ref() != agreed;
        let message = "The reference is not the one of the consent.";
        let differs = || Fault::field(FaultCode::ConsentMismatch, Field::VrpFundsReference, message);
        other.then(differs).into_iter().collect()
    }
}

/// The whole account, its name included: what the customer agreed to, they saw.
fn is_same(agreed: &NamedAccount, asked: &NamedAccount) -> bool {
    agreed == asked
}

impl VrpPayment {
    /// The payment as its limits see it, made at a time.
    pub const fn attempt(&self, at: Timestamp) -> VrpPaymentAttempt {
        let (amount, kind, method, interaction) = (self.transfer.amount, self.kind, self.method, self.interaction);
        VrpPaymentAttempt { at, amount, kind, method, interaction }
    }
}
