//! Tests of payment consents and orders.

mod instruction;
mod machine;
mod validation;

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::money::{Amount, Currency};
use crate::payment::transfer::Timing;
use crate::payment::transfer::tests::{account, at, monthly, payee, pounds, transfer};
use jiff::Timestamp;
use jiff::civil::Date;

/// A consent request for this payment.
pub(super) fn terms(timing: Timing) -> PaymentConsentRequest {
    PaymentConsentRequest::new(transfer(timing))
}
