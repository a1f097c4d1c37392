//! Exchange rate requests and their quotes.
#![allow(clippy::arithmetic_side_effects, reason = "sums of a test are small, and an overflow fails it")]

use super::{EUR, GBP, USD, rate};
use crate::payment::exchange::{
    AgreedRate, ConversionRate, ExchangeRateRequest, ExchangeRateType, Quote, QuoteBasis, RequestedRate,
};
use crate::refusal::{ExchangeField, FaultCode};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn quote(basis: RequestedRate) -> Quote {
    ExchangeRateRequest { unit: GBP, basis }.quote(USD, rate("1.34"), LIFETIME, at(0))
}

fn agreed() -> RequestedRate {
    RequestedRate::Agreed(AgreedRate { rate: rate("1.4"), contract: "FX-7".into() })
}

#[test]
fn int_013_014_an_agreed_rate_comes_whole_and_the_others_alone() {
    use ExchangeField as F;
    use FaultCode::{FieldExpected, FieldUnexpected};
    let wrong = |kind, with_rate: bool, with_contract: bool| -> Vec<_> {
        let rate = with_rate.then(|| rate("1.4"));
        let contract = with_contract.then(|| "FX-7".to_owned());
        let faults = ExchangeRateRequest::new(GBP, kind, rate, contract).err().unwrap_or_default();
        faults.into_iter().map(|fault| (fault.code, fault.at)).collect()
    };
    assert_eq!(wrong(ExchangeRateType::Agreed, true, true), []);
    assert_eq!(wrong(ExchangeRateType::Agreed, false, true), [(FieldExpected, F::Rate)]);
    assert_eq!(wrong(ExchangeRateType::Agreed, true, false), [(FieldExpected, F::Contract)]);
    assert_eq!(wrong(ExchangeRateType::Agreed, false, false), [(FieldExpected, F::Rate), (FieldExpected, F::Contract)]);
    for kind in [ExchangeRateType::Actual, ExchangeRateType::Indicative] {
        assert_eq!(wrong(kind, false, false), []);
        assert_eq!(wrong(kind, true, false), [(FieldUnexpected, F::Rate)]);
        assert_eq!(wrong(kind, false, true), [(FieldUnexpected, F::Contract)]);
        assert_eq!(wrong(kind, true, true), [(FieldUnexpected, F::Rate), (FieldUnexpected, F::Contract)]);
    }
}

#[test]
fn int_010_024_the_answer_is_of_the_kind_that_was_asked() {
    for (basis, kind) in [
        (RequestedRate::Actual, ExchangeRateType::Actual),
        (agreed(), ExchangeRateType::Agreed),
        (RequestedRate::Indicative, ExchangeRateType::Indicative),
    ] {
        let rate_request = ExchangeRateRequest { unit: EUR, basis };
        let quote = rate_request.quote(USD, rate("1.34"), LIFETIME, at(0));
        assert_eq!((rate_request.kind(), quote.kind()), (kind, kind));
        assert_eq!((quote.pair.unit, quote.pair.transfer), (EUR, USD));
    }
}

#[test]
fn section_5_1_the_properties_of_each_kind() {
    let actual = quote(RequestedRate::Actual);
    assert_eq!((actual.rate, actual.contract(), actual.expires_at()), (rate("1.34"), None, Some(at(1_800))));
    let agreed = quote(agreed());
    assert_eq!((agreed.rate, agreed.contract(), agreed.expires_at()), (rate("1.4"), Some("FX-7"), None));
    let indicative = quote(RequestedRate::Indicative);
    assert_eq!((indicative.rate, indicative.contract(), indicative.expires_at()), (rate("1.34"), None, None));
}

#[test]
fn section_5_1_only_an_indication_changes_until_the_debit() {
    let fixed = |basis| quote(basis).fixed_rate();
    assert_eq!(fixed(RequestedRate::Actual), Some(rate("1.34")));
    assert_eq!(fixed(agreed()), Some(rate("1.4")));
    assert_eq!(fixed(RequestedRate::Indicative), None);
}

#[test]
fn int_002_one_currency_is_quoted_at_one() {
    for basis in [RequestedRate::Actual, RequestedRate::Indicative] {
        let quote = ExchangeRateRequest { unit: GBP, basis }.quote(GBP, rate("0.9955"), LIFETIME, at(0));
        assert_eq!((quote.rate, quote.fixed_rate()), (ConversionRate::ONE, Some(ConversionRate::ONE)));
    }
}

#[test]
fn int_020_an_order_after_the_end_of_an_actual_rate_is_late() {
    let late = |basis, now| quote(basis).expiry_fault(at(now)).map(|fault| (fault.code, fault.at));
    let fault = Some((FaultCode::AfterCutOff, ExchangeField::QuoteExpiry));
    assert_eq!(late(RequestedRate::Actual, 1_799), None);
    assert_eq!(late(RequestedRate::Actual, 1_800), fault, "the instant itself is late (PIS-109)");
    assert_eq!(late(RequestedRate::Actual, 1_801), fault);
    for endless in [agreed(), RequestedRate::Indicative] {
        assert_eq!(late(endless, i64::from(u32::MAX)), None);
    }
}

proptest! {
    #[test]
    fn int_020_021_a_quote_holds_exactly_its_lifetime(made in 0_i64..10_000_000_000, minutes in 0_i64..10_000, after in 0_i64..1_000_000) {
        let lifetime = SignedDuration::from_mins(minutes);
        let quote = ExchangeRateRequest { unit: GBP, basis: RequestedRate::Actual }.quote(USD, rate("1.34"), lifetime, at(made));
        prop_assert_eq!(&quote.basis, &QuoteBasis::Actual { expires_at: at(made + minutes * 60) });
        prop_assert_eq!(quote.expiry_fault(at(made + after)).is_some(), after >= minutes * 60);
    }
}
