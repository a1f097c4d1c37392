//! What a TPP sends, for a consent and for an order, before it is judged.

use super::PaymentConsentRequest;
use crate::consent::Submitted;
use crate::ids::ConsentId;
use crate::vrp::VrpPayment;

/// A request to pay, read but not yet judged: what a TPP sends for a consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDraft {
    /// What is asked for.
    pub terms: PaymentConsentRequest,
    /// The whole request as it will be shown again: `Data`, and `Risk` where the product has it.
    pub submitted: Submitted,
}

/// A request to pay under a consent, read but not yet compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDraft {
    /// The consent it wants to use.
    pub consent: ConsentId,
    /// The whole request, in the form its consent's was kept in; the two are compared.
    pub submitted: Submitted,
    /// What is to be paid, where the consent leaves that open. Source: VRP-051.
    pub payment: Option<Box<VrpPayment>>,
}
