//! The derived properties of a transfer, and the conditions for it.

use super::*;
use crate::payment::exchange::{
    AgreedRate, ConversionError, ConversionRate, CurrencyPair, ExchangeRateRequest, ExchangeRateType, Quote,
    QuoteBasis, RequestedRate,
};
use crate::payment::transfer::{International, Priority};
use crate::payment::{Charge, ChargeBearer, ChargeType};
use jiff::civil::date;

#[test]
fn pis_083_the_payer_needs_the_amount_and_their_own_charges() {
    let charge = |bearer, minor, currency| Charge {
        bearer,
        kind: ChargeType::ChapsOut,
        amount: Amount::from_minor(minor, currency),
    };
    let transfer = transfer(Timing::Immediate);
    let needs = |conditions: &PaymentConditions| {
        transfer.total_debit(Currency::GBP, conditions, ConversionRate::ONE).map(|total_debit| total_debit.amount())
    };
    assert_eq!(needs(&PaymentConditions::default()), Ok(pounds(1_000)));
    let charges = vec![
        charge(ChargeBearer::Debtor, 250, Currency::GBP),
        charge(ChargeBearer::Creditor, 7_000, Currency::GBP),
        charge(ChargeBearer::Shared, 40, Currency::GBP),
    ];
    assert_eq!(
        needs(&PaymentConditions { charges: charges.clone(), ..PaymentConditions::default() }),
        Err(ConversionError::ChargesTooHigh)
    );
    let charges = charges.into_iter().filter(|it| it.bearer != ChargeBearer::Creditor).collect();
    assert_eq!(needs(&PaymentConditions { charges, ..PaymentConditions::default() }), Ok(pounds(1_290)));
    let total_debit = transfer.total_debit(Currency::EUR, &PaymentConditions::default(), ConversionRate::ONE);
    assert_eq!(total_debit, Err(ConversionError::ThirdCurrency), "nothing is exchanged inside the country");
}

fn rate(text: &str) -> ConversionRate {
    text.parse().unwrap()
}

#[test]
fn int_007_pis_103_the_rail_is_the_one_asked_for_or_else_the_usual_one() {
    use Instrument as I;
    let euro = Currency::EUR;
    let dollar = Currency::USD;
    let rail = |payment| Transfer::international(payment, pounds(1), Timing::Immediate).rail();
    let iban = |number| NamedAccount::under_name(account(AccountScheme::Iban, number), "Ada".into());
    for (currency, priority, bearer, number, expected) in [
        (euro, None, None, "DE89370400440532013000", I::SepaCreditTransfer),
        (euro, Some(Priority::Normal), None, "DE89370400440532013000", I::SepaCreditTransfer),
        (euro, Some(Priority::Urgent), None, "DE89370400440532013000", I::Target2),
        (euro, None, Some(ChargeBearer::ServiceLevel), "DE89370400440532013000", I::SepaCreditTransfer),
        (euro, None, Some(ChargeBearer::Debtor), "DE89370400440532013000", I::Swift),
        (euro, Some(Priority::Urgent), Some(ChargeBearer::Debtor), "DE89370400440532013000", I::Target2),
        (
            euro,
            Some(Priority::Urgent),
            Some(ChargeBearer::ServiceLevel),
            "DE89370400440532013000",
            I::SepaCreditTransfer,
        ),
        (euro, Some(Priority::Urgent), None, "BR1500000000000010932840814P2", I::Swift),
        (dollar, None, None, "DE89370400440532013000", I::Swift),
        (dollar, Some(Priority::Urgent), None, "DE89370400440532013000", I::Swift),
    ] {
        let mut payment = International { transfer: currency, priority, bearer, ..abroad() };
        payment.credit.creditor = iban(number);
        assert_eq!(rail(payment.clone()), expected, "{currency} {priority:?} {bearer:?} {number}");
        payment.credit.instrument = Some(I::Euro1);
        assert_eq!(rail(payment), I::Euro1);
    }
    let mut payment = International { transfer: euro, ..abroad() };
    payment.credit.creditor = NamedAccount::under_name(account(AccountScheme::Bban, "DE12"), "Ada".into());
    assert_eq!(rail(payment), I::Swift, "only an IBAN says that SEPA reaches it");
    assert_eq!(transfer(Timing::Immediate).rail(), I::FasterPayments);
}

#[test]
fn section_5_1_the_quoted_rate_applies_only_to_its_own_currencies() {
    let pound = Currency::GBP;
    let dollar = Currency::USD;
    let euro = Currency::EUR;
    let quote = |unit, basis| Quote { pair: CurrencyPair { unit, transfer: dollar }, rate: rate("1.34"), basis };
    let agreed = || QuoteBasis::Agreed { contract: "FX-7".into() };
    let it = Transfer::international(abroad(), pounds(1_000), Timing::Immediate);
    assert_eq!(it.pair(pound), CurrencyPair { unit: pound, transfer: dollar });
    for (quote, price, expected) in [
        (None, None, None),
        (None, Some("1.2"), Some("1.2")),
        (Some(quote(pound, agreed())), Some("1.2"), Some("1.34")),
        (Some(quote(pound, agreed())), None, Some("1.34")),
        (Some(quote(euro, agreed())), Some("1.2"), Some("1.2")),
        (Some(quote(pound, QuoteBasis::Indicative)), Some("1.2"), Some("1.2")),
        (Some(quote(pound, QuoteBasis::Indicative)), None, None),
    ] {
        assert_eq!(it.rate(pound, quote.as_ref(), price.map(rate)), expected.map(rate), "{quote:?} {price:?}");
    }
    let none = International { transfer: pound, ..abroad() };
    let none = Transfer::international(none, pounds(1_000), Timing::Immediate);
    assert_eq!(none.rate(pound, None, Some(rate("1.2"))), Some(ConversionRate::ONE), "INT-002");
    let home = transfer(Timing::Immediate);
    assert_eq!(
        (home.pair(euro), home.rate(euro, None, None)),
        (CurrencyPair { unit: pound, transfer: pound }, Some(ConversionRate::ONE))
    );
}

#[test]
fn int_022_only_a_held_rate_for_another_day_is_debited_in_advance() {
    let later = || Timing::Scheduled(date(2026, 6, 10));
    let rate_request = |basis| Some(ExchangeRateRequest { unit: Currency::GBP, basis });
    let agreed = RequestedRate::Agreed(AgreedRate { rate: rate("1.4"), contract: "FX-7".into() });
    for (exchange, timing, in_advance) in [
        (rate_request(RequestedRate::Actual), later(), true),
        (rate_request(RequestedRate::Actual), Timing::Immediate, false),
        (rate_request(RequestedRate::Actual), Timing::StandingOrder(monthly(date(2026, 6, 10))), false),
        (rate_request(RequestedRate::Indicative), later(), false),
        (rate_request(agreed), later(), false),
        (None, later(), false),
    ] {
        let it = Transfer::international(International { exchange, ..abroad() }, pounds(1), timing);
        assert_eq!(it.is_debited_in_advance(), in_advance, "{it:?}");
    }
    assert!(!transfer(later()).is_debited_in_advance());
}

#[test]
fn pis_109_int_020_the_deadline_is_the_earlier_of_cut_off_and_rate_expiry() {
    let cut_off = |second, lateness| Some(CutOff { at: at(second), lateness });
    let held = |second| {
        let pair = CurrencyPair { unit: Currency::GBP, transfer: Currency::USD };
        let basis = QuoteBasis::Actual { expires_at: at(second) };
        Some(Quote { pair, rate: rate("1.34"), basis })
    };
    assert_eq!(held(1).unwrap().kind(), ExchangeRateType::Actual);
    for (cut_off, quote, last) in [
        (None, None, None),
        (cut_off(10, AfterCutOffPolicy::Refused), None, Some(10)),
        (cut_off(10, AfterCutOffPolicy::Accepted), None, None),
        (None, held(20), Some(20)),
        (cut_off(10, AfterCutOffPolicy::Refused), held(20), Some(10)),
        (cut_off(30, AfterCutOffPolicy::Refused), held(20), Some(20)),
        (cut_off(10, AfterCutOffPolicy::Accepted), held(20), Some(20)),
    ] {
        let it = PaymentConditions { cut_off, quote, ..PaymentConditions::default() };
        assert_eq!(it.latest_acceptance(), last.map(at), "{it:?}");
        for second in [9, 10, 11, 19, 20, 21, 29, 30] {
            let late = last.is_some_and(|last| last <= second);
            assert_eq!(
                (it.is_too_late(at(second)), !it.lateness_faults(at(second)).is_empty()),
                (late, late),
                "{second}"
            );
        }
    }
}

#[test]
fn pis_132_to_134_a_rail_carries_what_it_has_room_for() {
    let Route::Domestic(mut credit) = transfer(Timing::Immediate).route else { panic!("it stays in the country") };
    let long = |letter: &str| Some(letter.repeat(200));
    credit.creditor = NamedAccount::under_name((*credit.creditor).clone(), "é".repeat(100));
    credit.references = References {
        instruction: None,
        end_to_end: long("e"),
        reference: long("r"),
        message: long("m"),
        remittance: None,
    };
    let lengths = |carried: RailTexts| {
        let length = |text: Option<String>| text.map(|text| text.chars().count());
        [carried.name, carried.end_to_end, carried.reference, carried.message].map(length)
    };
    assert_eq!(lengths(credit.rail_texts(Instrument::FasterPayments)), [Some(40), Some(31), Some(18), Some(140)]);
    assert_eq!(lengths(credit.rail_texts(Instrument::Bacs)), [Some(18), None, Some(18), None]);
    assert_eq!(lengths(credit.rail_texts(Instrument::Chaps)), [Some(35), Some(35), Some(16), Some(140)]);
    let account = AccountIdentification { secondary: Some("roll 7".into()), ..(*credit.creditor).clone() };
    credit.creditor = NamedAccount::under_name(account, "A".into());
    assert_eq!(credit.rail_texts(Instrument::FasterPayments).reference.as_deref(), Some("roll 7"), "PIS-134");
    assert_eq!(credit.rail_texts(Instrument::Chaps).reference, Some("r".repeat(16)));
    credit.references = References::default();
    assert_eq!(
        credit.rail_texts(Instrument::Chaps),
        RailTexts { name: Some("A".into()), end_to_end: None, reference: None, message: None }
    );
}
