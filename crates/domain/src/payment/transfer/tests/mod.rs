//! Tests of transfers, and sample payments for the tests of other modules.

mod exchange_rules;
mod schedule;
mod transfers;

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::money::{Amount, Currency};
use jiff::Timestamp;
use jiff::civil::Date;

pub(in crate::payment) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(in crate::payment) fn pounds(pence: u64) -> Amount {
    Amount::from_minor(pence, Currency::GBP)
}

pub(in crate::payment) fn account(scheme: AccountScheme, number: &str) -> AccountIdentification {
    AccountIdentification::new(scheme, number)
}

pub(in crate::payment) fn payee(scheme: AccountScheme, number: &str) -> NamedAccount {
    NamedAccount::under_name(account(scheme, number), "Waterworks".into())
}

/// Ten pounds to the waterworks.
pub(in crate::payment) fn transfer(timing: Timing) -> Transfer {
    let credit = CreditorDetails::new(payee(AccountScheme::SortCodeAccountNumber, "08080021325698"));
    Transfer::domestic(credit, pounds(1_000), timing)
}

pub(in crate::payment) fn monthly(first_on: Date) -> Schedule {
    Schedule {
        frequency: crate::frequency::Frequency::IntervalMonthDay(1, first_on.day()),
        first_on,
        recurring_from: None,
        end: ScheduleEnd::Open,
        regular: None,
        last: None,
    }
}

/// Ten pounds to Ada, in dollars unless another currency is set.
pub(in crate::payment) fn abroad() -> International {
    let Route::Domestic(mut credit) = transfer(Timing::Immediate).route else { panic!("it stays in the country") };
    credit.creditor = NamedAccount::under_name(account(AccountScheme::Iban, "DE89370400440532013000"), "Ada".into());
    International {
        credit,
        payee: None,
        agent: None,
        transfer: Currency::USD,
        exchange: None,
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    }
}
