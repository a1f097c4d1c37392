//! Consent and order requests before validation.

use super::PaymentConsentRequest;
use crate::consent::Submitted;
use crate::ids::ConsentId;
use crate::vrp::VrpPayment;

/// A payment consent request after parsing and before validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDraft {
    /// The requested content.
    pub terms: PaymentConsentRequest,
    /// The submitted request, as it is echoed: `Data`, and `Risk` if the product has it.
    pub submitted: Submitted,
}

/// A payment order request after parsing and before the comparison with its consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDraft {
    /// The consent that it names.
    pub consent: ConsentId,
    /// The submitted request, in the same form as the consent's, for the comparison.
    pub submitted: Submitted,
    /// The payment, if the consent does not determine it. Source: VRP-051.
    pub payment: Option<Box<VrpPayment>>,
}
