//! Conversion of amounts: rounding, both legs, charges, movements.
#![allow(clippy::arithmetic_side_effects, reason = "sums of a test are small, and an overflow fails it")]

use super::{EUR, GBP, USD, dinar, rate, yen};
use crate::ledger::{BalanceLayer, Journal, Posting};
use crate::money::{Amount, Currency};
use crate::payment::exchange::{
    BadRate, ConversionError, ConversionRate, CurrencyLegs, CurrencyPair, InstructedLeg, MiddleRates, Movement,
    MovementAccount, RateSpread, TotalDebit,
};
use crate::payment::{Charge, ChargeBearer, ChargeType};
use jiff::Timestamp;
use proptest::prelude::*;
use rust_decimal::Decimal;

fn pair(unit: Currency, transfer: Currency) -> CurrencyPair {
    CurrencyPair { unit, transfer }
}

fn amount(text: &str, currency: Currency) -> Amount {
    Amount::parse(text, currency).unwrap()
}

fn legs(text: &str, currency: Currency, pair: CurrencyPair, text_of_rate: &str) -> (String, String) {
    let legs = CurrencyLegs::new(amount(text, currency), pair, rate(text_of_rate)).unwrap();
    (legs.debit().decimal(), legs.credit().decimal())
}

fn charge(bearer: ChargeBearer, amount: Amount) -> Charge {
    Charge { bearer, kind: ChargeType::ChapsOut, amount }
}

#[test]
fn pis_125_a_rate_is_exact_and_positive() {
    for good in ["1.34", "0.000000000001", "999999999999999", "190.1234", "1.10", "0.0049"] {
        assert!(good.parse::<ConversionRate>().is_ok(), "{good}");
    }
    assert_eq!(rate("1.3400"), rate("1.34"));
    for (bad, why) in [
        ("0", BadRate::NotPositive),
        ("-1.34", BadRate::NotPositive),
        ("1000000000000000", BadRate::Digits),
        ("1000000000000001", BadRate::Digits),
        ("0.0000000000001", BadRate::Digits),
        ("1.34567890123456", BadRate::Digits),
        ("", BadRate::Form),
        ("one", BadRate::Form),
    ] {
        assert_eq!(bad.parse::<ConversionRate>(), Err(why), "{bad}");
    }
}

#[test]
fn int_011_a_rate_is_transfer_currency_units_per_unit_of_debtor_currency() {
    assert_eq!(legs("1.00", GBP, pair(GBP, USD), "1.34"), ("1.00".into(), "1.34".into()));
    assert_eq!(legs("1.34", USD, pair(GBP, USD), "1.34"), ("1.00".into(), "1.34".into()));
    let one = rate("1.34").convert_to_transfer_currency(amount("1.00", GBP), USD).unwrap();
    assert_eq!(one, amount("1.34", USD));
}

#[test]
fn int_023_the_instructed_leg_is_kept_and_the_other_worked_out() {
    let to_dollars = pair(GBP, USD);
    assert_eq!(legs("100.00", GBP, to_dollars, "1.34"), ("100.00".into(), "134.00".into()));
    assert_eq!(legs("134.00", USD, to_dollars, "1.34"), ("100.00".into(), "134.00".into()));
    assert_eq!(legs("100.00", USD, to_dollars, "1.34"), ("74.63".into(), "100.00".into()));
    let to_yen = pair(GBP, yen());
    assert_eq!(legs("10.00", GBP, to_yen, "190.1234"), ("10.00".into(), "1901".into()));
    assert_eq!(legs("1901", yen(), to_yen, "190.1234"), ("10.00".into(), "1901".into()));
    assert_eq!(legs("10.00", GBP, pair(GBP, dinar()), "0.47851"), ("10.00".into(), "4.785".into()));
    assert_eq!(legs("5000", yen(), pair(yen(), GBP), "0.00526"), ("5000".into(), "26.30".into()));
}

#[test]
fn int_023_half_a_minor_unit_goes_to_the_even_one() {
    let to_euros = pair(GBP, EUR);
    for (pounds, euros) in [("0.10", "0.12"), ("0.30", "0.38"), ("0.50", "0.62"), ("0.70", "0.88"), ("0.02", "0.02")] {
        assert_eq!(legs(pounds, GBP, to_euros, "1.25").1, euros, "{pounds} at 1.25");
    }
    for (euros, pounds) in [("0.01", "0.01"), ("0.05", "0.06"), ("0.15", "0.19"), ("0.02", "0.02"), ("0.06", "0.08")] {
        assert_eq!(legs(euros, EUR, to_euros, "0.8").0, pounds, "{euros} over 0.8");
    }
}

#[test]
fn int_023_what_has_no_legs() {
    let wrong =
        |text: &str, currency, pair, at: &str| CurrencyLegs::new(amount(text, currency), pair, rate(at)).unwrap_err();
    assert_eq!(wrong("1.00", USD, pair(GBP, EUR), "1.16"), ConversionError::ThirdCurrency);
    assert_eq!(wrong("0.01", GBP, pair(GBP, EUR), "0.4"), ConversionError::TooSmall);
    assert_eq!(wrong("0.00", GBP, pair(GBP, EUR), "1.16"), ConversionError::TooSmall);
    assert_eq!(wrong("9999999999999.99", GBP, pair(GBP, EUR), "1.16"), ConversionError::TooLarge);
    // The least amount of 14 digits, and the greatest of 13.
    assert_eq!(wrong("1000000000000.00", GBP, pair(GBP, EUR), "10"), ConversionError::TooLarge);
    assert_eq!(legs("999999999999.99", GBP, pair(GBP, EUR), "10").1, "9999999999999.90");
    assert_eq!(wrong("1", yen(), pair(GBP, yen()), "1000"), ConversionError::TooSmall);
}

#[test]
fn int_002_one_currency_is_not_exchanged() {
    let one = pair(GBP, GBP);
    assert_eq!(legs("12.34", GBP, one, "1.16"), ("12.34".into(), "12.34".into()));
    let total_debit = TotalDebit::new(
        CurrencyLegs::new(amount("12.34", GBP), one, ConversionRate::ONE).unwrap(),
        &[],
        ConversionRate::ONE,
    )
    .unwrap();
    let roles: Vec<_> =
        total_debit.movements(ConversionRate::ONE).unwrap().iter().map(|it| (it.role, it.sum.minor())).collect();
    assert_eq!(roles, [(MovementAccount::Payer, -1_234), (MovementAccount::Payee, 1_234)]);
}

#[test]
fn a_middle_rate_goes_through_the_base_and_a_price_is_never_better() {
    let rates = MiddleRates::new(GBP, vec![(EUR, rate("1.164")), (USD, rate("1.273")), (yen(), rate("190"))]).unwrap();
    let middle = |unit, transfer| rates.middle_rate(pair(unit, transfer));
    assert_eq!(middle(GBP, EUR), Some(rate("1.164")));
    assert_eq!(middle(EUR, EUR), Some(ConversionRate::ONE));
    assert_eq!(middle(EUR, GBP), Some(rate("0.859106529210")));
    assert_eq!(middle(EUR, USD), Some(rate("1.093642611684")));
    assert_eq!(middle(GBP, dinar()), None);
    assert!(MiddleRates::new(GBP, vec![(GBP, ConversionRate::ONE)]).is_err());
    assert!(MiddleRates::new(GBP, vec![(EUR, rate("1")), (EUR, rate("2"))]).is_err());

    let spread = RateSpread::from_ten_thousandths(45).unwrap();
    assert_eq!(spread.apply_to(rate("1.164")), Some(rate("1.158762")));
    assert_eq!(spread.apply_to(rate("1.093642611684")), Some(rate("1.0887212")));
    assert_eq!(RateSpread::NONE.apply_to(rate("1.164")), Some(rate("1.164")));
    assert_eq!(RateSpread::from_ten_thousandths(10_000), None);
    assert_eq!(RateSpread::from_ten_thousandths(9_999).unwrap().apply_to(rate("0.000000000001")), None);
}

#[test]
fn pis_101_who_bears_a_charge_pays_it() {
    let legs = CurrencyLegs::new(amount("100.00", GBP), pair(GBP, EUR), rate("1.25")).unwrap();
    let total_debit = |bearer, charged| TotalDebit::new(legs, &[charge(bearer, charged)], rate("1.25"));
    let told = |bearer, charged| {
        let total_debit = total_debit(bearer, charged).unwrap();
        (total_debit.amount().decimal(), total_debit.sent().decimal())
    };
    for payers in [ChargeBearer::Debtor, ChargeBearer::Shared, ChargeBearer::ServiceLevel] {
        assert_eq!(told(payers, amount("5.00", GBP)), ("105.00".into(), "125.00".into()), "{payers:?}");
        assert_eq!(told(payers, amount("5.00", EUR)), ("104.00".into(), "125.00".into()), "{payers:?}");
    }
    assert_eq!(told(ChargeBearer::Creditor, amount("5.00", EUR)), ("100.00".into(), "120.00".into()));
    assert_eq!(told(ChargeBearer::Creditor, amount("4.00", GBP)), ("100.00".into(), "120.00".into()));
    assert_eq!(total_debit(ChargeBearer::Creditor, amount("125.00", EUR)), Err(ConversionError::ChargesTooHigh));
    assert_eq!(total_debit(ChargeBearer::Debtor, amount("1.00", USD)), Err(ConversionError::ThirdCurrency));
    let both = [charge(ChargeBearer::Debtor, amount("5.00", GBP)), charge(ChargeBearer::Creditor, amount("2.50", EUR))];
    let both = TotalDebit::new(legs, &both, rate("1.25")).unwrap();
    assert_eq!((both.charges_on_payer().decimal(), both.charges_on_payee().decimal()), ("5.00".into(), "2.50".into()));
}

#[test]
fn the_bank_keeps_its_spread_in_the_currency_that_was_worked_out() {
    let movements = |instructed| {
        let legs = CurrencyLegs::new(instructed, pair(GBP, EUR), rate("1.158762")).unwrap();
        let charges = [charge(ChargeBearer::Shared, amount("15.00", GBP))];
        TotalDebit::new(legs, &charges, rate("1.158762")).unwrap().movements(rate("1.164")).unwrap()
    };
    let lines = |movements: Vec<Movement>| -> Vec<_> {
        movements.into_iter().map(|it| (it.role, it.sum.currency(), it.sum.minor())).collect()
    };
    assert_eq!(
        lines(movements(amount("1000.00", GBP))),
        [
            (MovementAccount::Payer, GBP, -101_500),
            (MovementAccount::Charges, GBP, 1_500),
            (MovementAccount::Position, GBP, 100_000),
            (MovementAccount::Position, EUR, -116_400),
            (MovementAccount::Margin, EUR, 524),
            (MovementAccount::Payee, EUR, 115_876),
        ]
    );
    assert_eq!(
        lines(movements(amount("1000.00", EUR))),
        [
            (MovementAccount::Payer, GBP, -87_799),
            (MovementAccount::Charges, GBP, 1_500),
            (MovementAccount::Margin, GBP, 388),
            (MovementAccount::Position, GBP, 85_911),
            (MovementAccount::Position, EUR, -100_000),
            (MovementAccount::Payee, EUR, 100_000),
        ]
    );
}

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(vec![GBP, EUR, USD, yen(), dinar()])
}

fn any_rate() -> impl Strategy<Value = ConversionRate> {
    (1_i64..1_000_000_000_000, 0_u32..=12).prop_map(|(digits, scale)| Decimal::new(digits, scale).try_into().unwrap())
}

fn any_bearer() -> impl Strategy<Value = ChargeBearer> {
    use ChargeBearer as B;
    prop::sample::select(vec![B::Creditor, B::Debtor, B::Shared, B::ServiceLevel])
}

/// Ten to the digits of a currency.
fn units(currency: Currency) -> Decimal {
    Decimal::from(10_u64.pow(u32::from(currency.digits())))
}

proptest! {
    #[test]
    fn int_023_the_leg_worked_out_is_the_nearest_there_is(
        minor in 1_u64..1_000_000_000, unit in any_currency(), transfer in any_currency(), rate in any_rate(), in_unit: bool,
    ) {
        let currency = if in_unit { unit } else { transfer };
        let Ok(legs) = CurrencyLegs::new(Amount::from_minor(minor, currency), pair(unit, transfer), rate) else { return Ok(()) };
        let debit = Decimal::from(legs.debit().minor());
        let credit = Decimal::from(legs.credit().minor());
        let half = Decimal::new(5, 1);
        if unit == transfer {
            prop_assert_eq!(debit, credit);
        } else if legs.instructed_leg() == InstructedLeg::Debit {
            // |debit x rate - credit| <= 1/2, without a division.
            let exact = debit * rate.decimal() * units(transfer);
            let told = credit * units(unit);
            prop_assert!((exact - told).abs() <= half * units(unit));
            prop_assert_eq!(legs.debit().minor(), minor);
        } else {
            // |credit / rate - debit| <= 1/2, times the rate.
            let exact = credit * units(unit);
            let told = debit * rate.decimal() * units(transfer);
            prop_assert!((exact - told).abs() <= half * rate.decimal() * units(transfer));
            prop_assert_eq!(legs.credit().minor(), minor);
        }
    }

    #[test]
    fn every_currency_of_a_payment_sums_to_zero(
        minor in 1_u64..1_000_000_000, unit in any_currency(), transfer in any_currency(),
        told in any_rate(), middle in any_rate(), in_unit: bool,
        charges in prop::collection::vec((any_bearer(), 1_u64..10_000, any::<bool>()), 0..4),
    ) {
        let currency = if in_unit { unit } else { transfer };
        let Ok(legs) = CurrencyLegs::new(Amount::from_minor(minor, currency), pair(unit, transfer), told) else { return Ok(()) };
        let charges: Vec<_> = charges.into_iter()
            .map(|(bearer, minor, own)| charge(bearer, Amount::from_minor(minor, if own { unit } else { transfer })))
            .collect();
        let Ok(total_debit) = TotalDebit::new(legs, &charges, told) else { return Ok(()) };
        prop_assert_eq!(total_debit.amount().minor(), legs.debit().minor() + total_debit.charges_on_payer().minor());
        prop_assert_eq!(total_debit.sent().minor() + total_debit.charges_on_payee().minor(), legs.credit().minor());
        prop_assert!(total_debit.sent().minor() > 0);
        let Ok(movements) = total_debit.movements(middle) else { return Ok(()) };
        let payer: i64 = movements.iter().filter(|it| it.role == MovementAccount::Payer).map(|it| it.sum.minor()).sum();
        let payee: i64 = movements.iter().filter(|it| it.role == MovementAccount::Payee).map(|it| it.sum.minor()).sum();
        prop_assert_eq!((payer, payee), (-i64::try_from(total_debit.amount().minor()).unwrap(), i64::try_from(total_debit.sent().minor()).unwrap()));
        let postings = movements.iter().map(|it| Posting {
            account: format!("{:?}-{}", it.role, it.sum.currency()).into(),
            minor: it.sum.minor(),
            currency: it.sum.currency(),
            layer: BalanceLayer::Booked,
            entry: None,
        });
        let journal = Journal {
            id: "j".into(), cause: "c".into(), booked_at: Timestamp::UNIX_EPOCH, postings: postings.collect(),
        };
        prop_assert_eq!(journal.check_balanced(), Ok(()));
    }

    #[test]
    fn the_bank_never_loses_by_a_price_it_made_itself(
        minor in 1_u64..1_000_000_000, middle in any_rate(), spread in 0_u16..10_000, in_unit: bool,
    ) {
        let Some(price) = RateSpread::from_ten_thousandths(spread).unwrap().apply_to(middle) else { return Ok(()) };
        prop_assert!(price <= middle);
        let instructed = Amount::from_minor(minor, if in_unit { GBP } else { USD });
        let Ok(legs) = CurrencyLegs::new(instructed, pair(GBP, USD), price) else { return Ok(()) };
        let Ok(movements) = TotalDebit::new(legs, &[], price).unwrap().movements(middle) else { return Ok(()) };
        prop_assert!(movements.iter().filter(|it| it.role == MovementAccount::Margin).all(|it| it.sum.minor() > 0));
    }

    #[test]
    fn there_and_back_is_within_half_a_unit_of_the_other_currency(minor in 1_u64..1_000_000_000, rate in any_rate()) {
        let Ok(dollars) = rate.convert_to_transfer_currency(Amount::from_minor(minor, GBP), USD) else { return Ok(()) };
        let Ok(pounds) = rate.convert_to_unit_currency(dollars, GBP) else { return Ok(()) };
        let off = Decimal::from(pounds.minor()) - Decimal::from(minor);
        // Half a cent is converted to pence at the rate, and half a penny is lost on the way back.
        prop_assert!(off.abs() * rate.decimal() <= Decimal::new(5, 1) * (Decimal::ONE + rate.decimal()));
    }
}
