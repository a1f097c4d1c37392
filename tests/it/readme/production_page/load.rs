//! What the first TPP goes on calling.

use crate::faults::load::CallKind;
use crate::harness::PayingTpp;
use lombard_domain::payment::PaymentProduct;

/// Reads of its payment, tokens, and new consents.
pub(super) fn calls_of(paying: &PayingTpp, order: &str) -> [CallKind; 3] {
    let own = paying.own.clone();
    [
        CallKind::Read { token: own.clone(), path: order.to_owned() },
        CallKind::Token { scope: "payments" },
        CallKind::PaymentConsent { own, body: paying.asking(PaymentProduct::DomesticPayment) },
    ]
}
