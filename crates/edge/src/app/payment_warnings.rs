//! Warnings about scams, which the bank shows before a customer decides on a payment.

use lombard_domain::money::Amount;
use lombard_domain::payment::PaymentContext;

/// A warning with the conditions of the payments before which it is shown; a payment must meet all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentWarning {
    /// The heading of the warning.
    pub heading: String,
    /// The text of the warning.
    pub text: String,
    /// The minimum amount, for payments in its currency.
    pub amount_min: Option<Amount>,
    /// The purposes of payments, as the application states them; empty for any purpose.
    pub purposes: Vec<PaymentContext>,
    /// Whether the warning is only for payees that the customer is known not to have paid before.
    pub new_payee: bool,
}

/// The facts about a payment by which its warnings are chosen.
#[derive(Debug, Clone, Default)]
pub struct WarnedPayment {
    /// The paid amount and the debited amount, in each known currency.
    pub amounts: Vec<Amount>,
    /// The purpose of the payment.
    pub purpose: Option<PaymentContext>,
    /// Whether the customer has not paid the payee before; `None` if that is not known.
    pub is_new_payee: Option<bool>,
}

impl PaymentWarning {
    /// Whether the warning is shown before this payment.
    pub fn is_about(&self, payment: &WarnedPayment) -> bool {
        let reaches = |least: Amount| {
            payment.amounts.iter().any(|it| it.currency() == least.currency() && it.minor() >= least.minor())
        };
        let is_for = |purpose: PaymentContext| self.purposes.contains(&purpose);
        self.amount_min.is_none_or(reaches)
            && (self.purposes.is_empty() || payment.purpose.is_some_and(is_for))
            && (!self.new_payee || payment.is_new_payee == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::money::Currency;

    #[test]
    fn a_warning_is_shown_before_payments_that_meet_every_condition_it_has() {
        let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
        let payment = WarnedPayment {
            amounts: vec![Amount::from_minor(900_000, Currency::EUR), pounds(50_000)],
            purpose: Some(PaymentContext::TransferToThirdParty),
            is_new_payee: Some(true),
        };
        let any = PaymentWarning::default();
        let from = |pence| PaymentWarning { amount_min: Some(pounds(pence)), ..any.clone() };
        let for_a = |purpose| PaymentWarning { purposes: vec![purpose], ..any.clone() };
        assert!(any.is_about(&payment) && from(50_000).is_about(&payment) && !from(50_001).is_about(&payment));
        let dollars = PaymentWarning { amount_min: Some(Amount::from_minor(1, Currency::USD)), ..any.clone() };
        assert!(!dollars.is_about(&payment), "amounts of other currencies are not compared");
        assert!(for_a(PaymentContext::TransferToThirdParty).is_about(&payment));
        assert!(!for_a(PaymentContext::TransferToSelf).is_about(&payment));
        let new = PaymentWarning { new_payee: true, ..from(1) };
        assert!(new.is_about(&payment));
        for known in [Some(false), None] {
            let payment = WarnedPayment { is_new_payee: known, ..payment.clone() };
            assert!(!new.is_about(&payment) && from(1).is_about(&payment));
        }
        let unnamed = WarnedPayment { purpose: None, ..payment };
        assert!(!for_a(PaymentContext::TransferToThirdParty).is_about(&unnamed));
    }
}
