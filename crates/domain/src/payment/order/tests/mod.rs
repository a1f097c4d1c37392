//! Tests of payment consents and orders.

mod instruction;
mod machine;
mod schedule;
mod validation;

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::money::{Amount, Currency};
use jiff::Timestamp;
use jiff::civil::Date;

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(super) fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

pub(super) fn account(scheme: AccountScheme, number: &str) -> AccountIdentification {
    AccountIdentification::new(scheme, number)
}

pub(super) fn payee(scheme: AccountScheme, number: &str) -> NamedAccount {
    NamedAccount::under_name(account(scheme, number), "Waterworks".into())
}

/// Ten pounds to the waterworks.
pub(super) fn transfer(timing: Timing) -> Transfer {
    let credit = CreditorDetails::new(payee(AccountScheme::SortCodeAccountNumber, "08080021325698"));
    Transfer::domestic(credit, pounds(1_000), timing)
}

/// A consent request for this payment.
pub(super) fn terms(timing: Timing) -> PaymentConsentRequest {
    PaymentConsentRequest::new(transfer(timing))
}

pub(super) fn monthly(first_on: Date) -> Schedule {
    Schedule {
        frequency: crate::frequency::Frequency::IntervalMonthDay(1, first_on.day()),
        first_on,
        recurring_from: None,
        end: ScheduleEnd::Open,
        regular: None,
        last: None,
    }
}
