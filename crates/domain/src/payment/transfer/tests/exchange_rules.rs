//! Validation of a requested exchange.

use crate::account::{AccountIdentification, AccountScheme};
use crate::money::{Amount, Currency};
use crate::payment::ChargeBearer;
use crate::payment::exchange::tests::{EUR, GBP, USD, dinar, rate};
use crate::payment::exchange::{
    AgreedRate, ConversionError, ExchangeFault, ExchangeLimits, ExchangeRateRequest, ExchangeRateType, RequestedRate,
};
use crate::payment::transfer::{
    AgentCode, CreditorDetails, Instrument, International, NamedAccount, PayeeAgent, charge_bearers_on,
    default_charge_bearer,
};
use crate::refusal::{ExchangeField as F, Fault, FaultCode as C, FaultLocation, Field};

fn payment(transfer: Currency, unit: Option<Currency>) -> International {
    let account = AccountIdentification::new(AccountScheme::Iban, "DE89370400440532013000");
    International {
        credit: CreditorDetails::new(NamedAccount::under_name(account, "Ada".into())),
        payee: None,
        agent: None,
        transfer,
        exchange: unit.map(|unit| ExchangeRateRequest { unit, basis: RequestedRate::Actual }),
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    }
}

fn ten(currency: Currency) -> Amount {
    Amount::from_minor(1_000, currency)
}

fn wrong(faults: Vec<ExchangeFault>) -> Vec<(C, F)> {
    faults.into_iter().map(|fault| (fault.code, fault.at)).collect()
}

fn judged(payment: &International, amount: Amount, rail: Instrument) -> Vec<(C, F)> {
    wrong(payment.exchange_faults(amount, rail, &ExchangeLimits::default()))
}

#[test]
fn int_001_023_the_amount_is_in_one_of_the_two_currencies() {
    let payment_in = |currency| judged(&payment(USD, Some(GBP)), ten(currency), Instrument::Swift);
    assert_eq!((payment_in(GBP), payment_in(USD)), (vec![], vec![]));
    assert_eq!(payment_in(EUR), [(C::UnsupportedCurrency, F::InstructedCurrency)]);
    let unnamed = |currency| judged(&payment(USD, None), ten(currency), Instrument::Swift);
    assert_eq!((unnamed(GBP), unnamed(USD), unnamed(EUR)), (vec![], vec![], vec![]));
    assert_eq!(unnamed(dinar()), [(C::UnsupportedCurrency, F::InstructedCurrency)]);
}

#[test]
fn int_012_023_faults_depend_on_the_currency_of_the_debtor_account() {
    let with = |unit, amount, account| wrong(payment(USD, unit).account_faults(ten(amount), account));
    assert_eq!(with(Some(GBP), GBP, GBP), []);
    assert_eq!(with(Some(GBP), USD, GBP), []);
    assert_eq!(with(Some(GBP), USD, EUR), [(C::FieldInvalid, F::UnitCurrency)]);
    assert_eq!(with(None, EUR, EUR), []);
    assert_eq!(with(None, EUR, GBP), [(C::UnsupportedCurrency, F::InstructedCurrency)]);
}

#[test]
fn int_002_the_currency_of_the_account_may_be_sent() {
    assert_eq!(judged(&payment(GBP, Some(GBP)), ten(GBP), Instrument::Swift), []);
    assert!(payment(GBP, None).pair(GBP).is_single_currency());
    let mut agreed = payment(GBP, None);
    for (at, faults) in [("1.4", vec![(C::FieldInvalid, F::Rate)]), ("1.0", vec![])] {
        let deal = AgreedRate { rate: rate(at), contract: "FX-7".into() };
        agreed.exchange = Some(ExchangeRateRequest { unit: GBP, basis: RequestedRate::Agreed(deal) });
        assert_eq!(judged(&agreed, ten(GBP), Instrument::Swift), faults, "{at}");
    }
}

#[test]
fn pis_123_a_rail_carries_its_own_currency() {
    assert_eq!(judged(&payment(EUR, None), ten(GBP), Instrument::SepaCreditTransfer), []);
    let other = judged(&payment(USD, None), ten(USD), Instrument::SepaCreditTransfer);
    assert_eq!(other, [(C::UnsupportedCurrency, F::TransferCurrency)]);
    let unknown = judged(&payment(dinar(), None), ten(GBP), Instrument::Swift);
    assert_eq!(unknown, [(C::UnsupportedCurrency, F::TransferCurrency)]);
}

#[test]
fn int_015_unsupported_exchanges_are_refused_at_the_consent() {
    let limits =
        ExchangeLimits { kinds: vec![ExchangeRateType::Agreed], units: vec![EUR], ..ExchangeLimits::default() };
    let faults = payment(USD, Some(GBP)).exchange_faults(ten(GBP), Instrument::Swift, &limits);
    assert_eq!(wrong(faults), [(C::UnsupportedCurrency, F::UnitCurrency), (C::FieldInvalid, F::RateType)]);
}

#[test]
fn pis_103_a_bearer_that_cannot_be_honoured_is_refused() {
    let on = |bearer, rail| judged(&International { bearer: Some(bearer), ..payment(EUR, None) }, ten(EUR), rail);
    let refused = [(C::FieldInvalid, F::ChargeBearer)];
    assert_eq!(on(ChargeBearer::Debtor, Instrument::Swift), []);
    assert_eq!(on(ChargeBearer::ServiceLevel, Instrument::Swift), refused);
    assert_eq!(on(ChargeBearer::Shared, Instrument::SepaCreditTransfer), []);
    assert_eq!(on(ChargeBearer::Creditor, Instrument::SepaInstantCreditTransfer), refused);
    for rail in Instrument::ALL {
        assert_eq!(
            default_charge_bearer(rail, None),
            charge_bearers_on(rail).first().copied(),
            "every rail has one: {rail:?}"
        );
        assert!(default_charge_bearer(rail, None).is_some());
    }
}

#[test]
fn int_004_a_number_that_names_no_bank_needs_the_payees_bank() {
    let mut payment = payment(USD, None);
    let account = AccountIdentification::new(AccountScheme::Bban, "000123456789");
    payment.credit.creditor = NamedAccount::under_name(account, "Ada".into());
    assert_eq!(judged(&payment, ten(USD), Instrument::Swift), [(C::FieldExpected, F::CreditorAgent)]);
    for scheme in [AccountScheme::Iban, AccountScheme::SortCodeAccountNumber] {
        let account = AccountIdentification::new(scheme, "20000055779911");
        payment.credit.creditor = NamedAccount::under_name(account, "Ada".into());
        assert_eq!(judged(&payment, ten(USD), Instrument::Swift), [], "{scheme:?} names the bank");
    }
    let account = AccountIdentification::new(AccountScheme::Bban, "000123456789");
    payment.credit.creditor = NamedAccount::under_name(account, "Ada".into());
    payment.agent = Some(PayeeAgent { name: Some("First Bank".into()), ..PayeeAgent::default() });
    assert_eq!(judged(&payment, ten(USD), Instrument::Swift), []);
}

#[test]
fn pis_119_a_bic_has_eight_characters_or_eleven() {
    let mut payment = payment(USD, None);
    for (bic, sound) in [
        ("DEUTDEFF", true),
        ("DEUTDEFF500", true),
        ("DEUTDEF1XXX", true),
        ("DEUTDEFF50", false),
        ("DEUT1EFF", false),
        ("deutdeff", false),
        ("", false),
        ("DEUTDÉFF", false),
    ] {
        payment.agent = Some(PayeeAgent { code: Some(AgentCode::Bic(bic.into())), ..PayeeAgent::default() });
        let faults = judged(&payment, ten(USD), Instrument::Swift);
        let expected = if sound { vec![] } else { vec![(C::UnsupportedAccountIdentifier, F::AgentIdentification)] };
        assert_eq!(faults, expected, "{bic}");
    }
    assert!(AgentCode::Clearing { country: "US".into(), number: "021000021".into() }.is_sound());
}

#[test]
fn int_013_an_unknown_deal_is_a_fault_of_its_contract() {
    let fault = Fault::from(ExchangeFault::unknown_deal());
    assert_eq!((fault.code, fault.at), (C::FieldInvalid, Some(FaultLocation::Field(Field::Exchange(F::Contract)))));
    assert_eq!(ExchangeFault::unknown_deal().at, F::Contract);
}

#[test]
fn int_023_amounts_without_legs_are_faults_of_the_amount() {
    for (why, code, at) in [
        (ConversionError::ThirdCurrency, C::UnsupportedCurrency, F::InstructedCurrency),
        (ConversionError::TooLarge, C::FieldInvalid, F::InstructedAmount),
        (ConversionError::TooSmall, C::FieldInvalid, F::InstructedAmount),
        (ConversionError::ChargesTooHigh, C::FieldInvalid, F::InstructedAmount),
    ] {
        let fault = ExchangeFault::from(why);
        assert_eq!((fault.code, fault.at), (code, at));
    }
}
