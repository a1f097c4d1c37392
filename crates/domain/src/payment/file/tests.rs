//! Lines, totals and the comparison with the announcement.

use super::*;
use crate::account::{AccountIdentification, AccountScheme};
use crate::grant::Digest;
use crate::money::{Amount, Currency};
use crate::payment::transfer::{Instrument, NamedAccount, References, Timing};
use crate::refusal::{Fault, FaultCode, FileField};
use jiff::civil::{Date, date};
use proptest::prelude::*;
use rust_decimal::Decimal;

const DAY: Date = date(2026, 7, 1);

/// The day before.
const EVE: Date = date(2026, 6, 30);

fn account(number: &str) -> AccountIdentification {
    AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number)
}

fn line(amount: Amount) -> FileLine {
    let creditor = NamedAccount::under_name(account("08080021325698"), "Ada".into());
    FileLine {
        number: 1,
        amount,
        references: References { end_to_end: Some("e-1".into()), ..References::default() },
        instrument: None,
        debtor: None,
        execute_on: None,
        payee: Ok(FilePayee { creditor, address: None }),
        details: None,
    }
}

fn pounds(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

fn terms() -> FileInitiation {
    FileInitiation::new(FileType::Pain001, Digest([7; 32]))
}

fn totals(lines: &[FileLine]) -> FileTotals {
    let mut totals = FileTotals::default();
    lines.iter().for_each(|line| totals.add(line).unwrap());
    totals
}

fn wrong(terms: &FileInitiation, lines: &[FileLine]) -> Vec<FileField> {
    terms.faults(&totals(lines)).into_iter().map(|fault| fault.at).collect()
}

#[test]
fn file_011_another_digest_is_another_file() {
    assert_eq!(terms().hash_fault(&Digest([7; 32])), None);
    let fault = terms().hash_fault(&Digest([8; 32])).unwrap();
    let shown = Fault::from(fault);
    assert_eq!((fault.at, shown.code), (FileField::Hash, FaultCode::FieldInvalid));
}

#[test]
fn file_013_count_and_control_sum_are_those_of_the_file() {
    let yen = Amount::from_minor(500, "JPY".parse().unwrap());
    let lines = [line(pounds(1_050)), line(pounds(25)), line(yen)];
    let said = |count: Option<u64>, sum: Option<&str>| FileInitiation {
        count,
        sum: sum.map(|it| it.parse().unwrap()),
        ..terms()
    };
    assert_eq!(wrong(&said(None, None), &lines), []);
    assert_eq!(wrong(&said(Some(3), Some("510.75")), &lines), [], "whatever the currencies");
    assert_eq!(wrong(&said(Some(3), Some("510.7500")), &lines), [], "compared as decimals");
    assert_eq!(wrong(&said(Some(2), Some("510.75")), &lines), [FileField::Count]);
    assert_eq!(wrong(&said(Some(3), Some("510.751")), &lines), [FileField::ControlSum]);
    assert_eq!(wrong(&said(Some(4), Some("0")), &lines), [FileField::Count, FileField::ControlSum], "all at once");
}

#[test]
fn file_016_values_in_both_places_must_agree() {
    let with = |debtor: Option<&str>, execute_on, instrument| FileLine {
        debtor: debtor.map(account),
        execute_on,
        instrument,
        ..line(pounds(1))
    };
    let said = |debtor: Option<&str>, execute_on, instrument| FileInitiation {
        debtor: debtor.map(account),
        execute_on,
        instrument,
        ..terms()
    };
    let mine = "11280001234567";
    let other = "11280001234568";
    let fast = Some(Instrument::FasterPayments);
    let bacs = Some(Instrument::Bacs);
    let all = said(Some(mine), Some(DAY), fast);
    assert_eq!(wrong(&all, &[with(Some(mine), Some(DAY), fast), with(None, None, None)]), []);
    assert_eq!(wrong(&all, &[line(pounds(1))]), [], "in one place only");
    assert_eq!(wrong(&terms(), &[with(Some(mine), Some(DAY), fast)]), [], "in the other place only");
    assert_eq!(wrong(&all, &[with(Some(other), None, None)]), [FileField::DebtorAccount]);
    assert_eq!(wrong(&all, &[with(None, Some(date(2026, 7, 2)), None)]), [FileField::RequestedExecution]);
    assert_eq!(wrong(&all, &[with(None, None, bacs)]), [FileField::LocalInstrument]);
    let mixed = [with(Some(mine), Some(DAY), fast), with(Some(other), Some(date(2026, 7, 2)), bacs)];
    use FileField as F;
    assert_eq!(wrong(&all, &mixed), [F::DebtorAccount, F::RequestedExecution, F::LocalInstrument]);
    assert_eq!(wrong(&terms(), &mixed), [F::DebtorAccount], "days and rails may differ, the account may not");
}

#[test]
fn file_016_an_iban_and_its_account_are_one_debtor() {
    let iban = AccountIdentification {
        name: Some("Anybody".into()),
        ..AccountIdentification::new(AccountScheme::Iban, "GB33BUKB20201555555555")
    };
    let lines = [FileLine { debtor: Some(iban), ..line(pounds(1)) }];
    let said = FileInitiation { debtor: Some(account("20201555555555")), ..terms() };
    assert_eq!(wrong(&said, &lines), []);
}

#[test]
fn file_016_a_value_in_either_place_applies_to_the_payment() {
    let said = FileInitiation { execute_on: Some(DAY), instrument: Some(Instrument::Bacs), ..terms() };
    let transfer = line(pounds(5)).transfer(&said, EVE).unwrap();
    assert_eq!(transfer.credit().instrument, Some(Instrument::Bacs));
    assert_eq!((&transfer.timing, transfer.amount), (&Timing::Scheduled(DAY), pounds(5)));
    assert_eq!(transfer.credit().references.end_to_end.as_deref(), Some("e-1"));
    for today in [DAY, date(2026, 7, 2)] {
        assert_eq!(line(pounds(5)).transfer(&said, today).unwrap().timing, Timing::Immediate, "{today}");
    }
    let own = FileLine { execute_on: Some(date(2026, 7, 2)), ..line(pounds(5)) };
    assert_eq!(own.transfer(&terms(), EVE).unwrap().timing, Timing::Scheduled(date(2026, 7, 2)));
    assert_eq!(line(pounds(5)).transfer(&terms(), EVE).map(|it| it.timing), Ok(Timing::Immediate));
}

#[test]
fn file_023_a_line_that_cannot_be_paid_still_counts() {
    let bad = FileLine { payee: Err(UnpayableReason::Account), ..line(pounds(300)) };
    let totals = totals(&[line(pounds(100)), bad.clone()]);
    assert_eq!((totals.count, totals.unpayable), (2, 1));
    assert_eq!(totals.sum.decimal(), Decimal::new(400, 2));
    assert_eq!(bad.transfer(&terms(), EVE), Err(UnpayableReason::Account));
}

#[test]
fn file_023_a_payment_that_is_not_offered_is_not_made() {
    let now = "2026-06-30T12:00:00Z".parse().unwrap();
    let limits = crate::payment::offer::PaymentLimits::default();
    let unmade = |line: &FileLine| line.unexecuted_reason(&terms(), now, &limits);
    assert_eq!(unmade(&line(pounds(1))), None);
    assert_eq!(
        unmade(&FileLine { payee: Err(UnpayableReason::NoName), ..line(pounds(1)) }),
        Some(UnexecutedReason::Unpayable(UnpayableReason::NoName))
    );
    let euros = line(Amount::from_minor(1, Currency::EUR));
    assert!(matches!(unmade(&euros), Some(UnexecutedReason::NotOffered(_))), "files hold payments inside the country");
    let nowhere = FilePayee { creditor: NamedAccount::under_name(account("1"), "Ada".into()), address: None };
    let nowhere = FileLine { payee: Ok(nowhere), ..line(pounds(1)) };
    assert!(
        matches!(unmade(&nowhere), Some(UnexecutedReason::NotOffered(fault)) if fault.code == FaultCode::UnsupportedAccountIdentifier)
    );
}

#[test]
fn what_the_customer_is_shown_of_a_file() {
    let euros = |minor| Amount::from_minor(minor, Currency::EUR);
    let on = |day: i8, amount| FileLine { execute_on: Some(date(2026, 7, day)), ..line(amount) };
    let totals = totals(&[on(3, pounds(500)), on(1, euros(100)), line(pounds(700)), on(2, euros(50))]);
    assert_eq!(totals.by_currency, [pounds(1_200), euros(150)]);
    assert_eq!(totals.largest, [pounds(700), euros(100)]);
    assert_eq!(totals.days, Some((date(2026, 7, 1), date(2026, 7, 3))));
    assert_eq!(totals.execute_on, CommonValue::Mixed);
}

#[test]
fn pis_125_a_sum_that_cannot_be_exact_is_none() {
    let huge = Amount::from_minor(u64::MAX, "JPY".parse().unwrap());
    let small = Amount::from_minor(1, "UYW".parse().unwrap());
    assert_eq!(small.currency().digits(), 4);
    let mut sum = ControlSum::default().checked_add(small).unwrap();
    let mut count = 0_u64;
    // 28 digits hold the sum of any file; a larger sum fails instead of being rounded.
    while let Ok(next) = sum.checked_add(huge) {
        assert_eq!(next.decimal().checked_sub(sum.decimal()), Some(Decimal::from(u64::MAX)));
        sum = next;
        count = count.saturating_add(1);
    }
    assert!(count > 100_000, "{count}");
}

proptest! {
    #[test]
    fn file_013_a_control_sum_is_the_sum_in_ten_thousandths(
        amounts in prop::collection::vec((0_u64..10_000_000_000_000_000, 0_usize..4), 0..50),
    ) {
        let mut expected = 0_u128;
        let lines: Vec<_> = amounts.into_iter().map(|(minor, pick)| {
            let (code, factor) = [("GBP", 100), ("JPY", 10_000), ("BHD", 10), ("EUR", 100)][pick];
            let amount = Amount::from_minor(minor, code.parse().unwrap());
            expected = expected.checked_add(u128::from(minor).checked_mul(factor).unwrap()).unwrap();
            line(amount)
        }).collect();
        let totals = totals(&lines);
        prop_assert_eq!(usize::try_from(totals.count).unwrap(), lines.len());
        let found = totals.sum.decimal().checked_mul(Decimal::from(10_000)).unwrap();
        prop_assert_eq!(found.normalize().to_string(), expected.to_string());
        let by_currency: Decimal = totals.by_currency.iter()
            .map(|it| Decimal::try_from_i128_with_scale(i128::from(it.minor()), u32::from(it.currency().digits())).unwrap())
            .sum();
        prop_assert_eq!(by_currency, totals.sum.decimal());
        let said = FileInitiation { count: Some(u64::from(totals.count)), sum: Some(totals.sum.decimal()), ..terms() };
        prop_assert_eq!(said.faults(&totals), []);
    }
}
