//! Tests of exchange rates.

use super::*;
use jiff::{Span, ToSpan};
use lombard_domain::payment::exchange::{ExchangeRateType, QuoteBasis};
use proptest::prelude::*;

fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

fn pair(unit: &str, transfer: &str) -> CurrencyPair {
    CurrencyPair { unit: currency(unit), transfer: currency(transfer) }
}

fn noon() -> Timestamp {
    "2026-02-25T12:00:00Z".parse().unwrap()
}

fn rate_request(unit: &str, kind: ExchangeRateType, deal: Option<(&str, &str)>) -> ExchangeRateRequest {
    let (rate, contract) =
        deal.map_or((None, None), |(rate, contract)| (Some(rate.parse().unwrap()), Some(contract.to_owned())));
    ExchangeRateRequest::new(currency(unit), kind, rate, contract).unwrap()
}

#[test]
fn every_row_of_the_tables_can_be_read() {
    let market = ExchangeMarket::default();
    for (code, rate) in MIDDLE {
        assert_eq!(market.rates.middle_rate(pair("GBP", code)), Some(rate.parse().unwrap()), "{code}");
    }
    assert_eq!(market.deals.len(), AGREED_RATES.len());
    assert!(AGREED_RATES.map(|(_, unit, transfer, _)| (unit, transfer)).contains(&("GBP", "EUR")));
    assert!(AGREED_RATES.map(|(_, unit, transfer, _)| (unit, transfer)).contains(&("GBP", "USD")));
    let wanted = RateSpread::from_ten_thousandths(SPREAD).unwrap();
    assert_eq!((market.spread, market.movement), (wanted, MOVEMENT));
}

#[test]
fn int_013_only_what_was_agreed_is_agreed() {
    let market = ExchangeMarket::default();
    let asked = |unit: &str, transfer: &str, rate: &str, contract: &str| {
        market.quote(&rate_request(unit, ExchangeRateType::Agreed, Some((rate, contract))), currency(transfer), noon())
    };
    for (contract, unit, transfer, rate) in AGREED_RATES {
        let quote = asked(unit, transfer, rate, contract).unwrap();
        assert_eq!((quote.rate, quote.contract()), (rate.parse().unwrap(), Some(contract)));
        assert_eq!(quote.expires_at(), None);
        assert!(asked(transfer, unit, rate, contract).is_none(), "the other way round");
        assert!(asked(unit, transfer, "1.2345", contract).is_none(), "another rate");
        assert!(asked(unit, transfer, rate, "LSB-FX-9999").is_none(), "another contract");
        assert!(asked(unit, "JPY", rate, contract).is_none(), "another currency");
    }
    assert!(asked("GBP", "EUR", "1.17", "LSB-FX-0001").is_some(), "zeros at the end say nothing");
}

#[test]
fn int_021_an_actual_rate_is_the_price_now_held_for_half_an_hour() {
    let market = ExchangeMarket::default();
    let quote = market.quote(&rate_request("GBP", ExchangeRateType::Actual, None), Currency::EUR, noon()).unwrap();
    assert_eq!(Some(quote.rate), market.customer_rate(pair("GBP", "EUR"), noon()));
    assert_eq!(quote.basis, QuoteBasis::Actual { expires_at: noon() + 30.minutes() });
    let minute = market.clone().with_lifetime(SignedDuration::from_mins(1));
    let short = minute.quote(&rate_request("GBP", ExchangeRateType::Actual, None), Currency::EUR, noon()).unwrap();
    assert_eq!(short.expires_at(), Some(noon() + 1.minute()));
    let quote = market.quote(&rate_request("GBP", ExchangeRateType::Indicative, None), Currency::EUR, noon()).unwrap();
    assert_eq!(quote.basis, QuoteBasis::Indicative);
}

#[test]
fn int_015_there_is_no_price_of_a_currency_nobody_deals_in() {
    let market = ExchangeMarket::default();
    for (unit, transfer) in [("GBP", "NOK"), ("NOK", "GBP"), ("NOK", "NOK")] {
        assert_eq!(market.customer_rate(pair(unit, transfer), noon()), None);
        assert!(
            market.quote(&rate_request(unit, ExchangeRateType::Actual, None), currency(transfer), noon()).is_none()
        );
    }
    assert_eq!(market.customer_rate(pair("EUR", "EUR"), noon()), Some(ConversionRate::ONE), "INT-002");
}

#[test]
fn prices_change_at_londons_midnight_and_repeat() {
    let market = ExchangeMarket::default();
    let price = |at: &str| market.customer_rate(pair("GBP", "USD"), at.parse().unwrap()).unwrap();
    // In summer London's day begins at 23:00 UTC.
    assert_eq!(price("2026-07-01T23:00:00Z"), price("2026-07-02T22:59:59Z"));
    assert_ne!(price("2026-07-01T22:59:59Z"), price("2026-07-01T23:00:00Z"));
    assert_eq!(
        ExchangeMarket::default().customer_rate(pair("GBP", "USD"), noon()),
        market.customer_rate(pair("GBP", "USD"), noon())
    );
    let still = ExchangeMarket::default().with_movement(0);
    let days = (0..400).map(|days| noon() + Span::new().hours(24 * days));
    assert!(
        days.map(|day| still.customer_rate(pair("GBP", "USD"), day))
            .all(|price| price == still.customer_rate(pair("GBP", "USD"), noon()))
    );
}

#[test]
fn a_tariff_is_a_round_sum_in_any_currency() {
    let market = ExchangeMarket::default();
    let tariff = |code: &str| market.convert_charge(Amount::from_minor(1_500, Currency::GBP), currency(code));
    assert_eq!(tariff("GBP"), Some(Amount::from_minor(1_500, Currency::GBP)));
    assert_eq!(tariff("EUR"), Some(Amount::from_minor(1_800, Currency::EUR)), "17.46");
    assert_eq!(tariff("JPY"), Some(Amount::from_minor(2_858, currency("JPY"))), "2857.5");
    assert_eq!(tariff("NOK"), None);
}

fn any_code() -> impl Strategy<Value = &'static str> {
    prop::sample::select(MIDDLE.iter().map(|(code, _)| *code).chain(["GBP"]).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn nobody_wins_by_changing_money_to_and_fro(unit in any_code(), transfer in any_code(), days in 0_i64..4_000) {
        let (market, day) = (ExchangeMarket::default(), noon() + Span::new().hours(24 * days));
        let there = market.customer_rate(pair(unit, transfer), day).unwrap().decimal();
        let back = market.customer_rate(pair(transfer, unit), day).unwrap().decimal();
        let product = there * back;
        prop_assert!(if unit == transfer { product == Decimal::ONE } else { product < Decimal::ONE }, "{}", product);
        // And nobody loses more than two spreads and the digits that are cut.
        prop_assert!(product > Decimal::new(9_909, 4), "{}", product);
    }

    #[test]
    fn a_day_is_near_the_table(unit in any_code(), transfer in any_code(), days in 0_i64..4_000) {
        let (market, day) = (ExchangeMarket::default(), noon() + Span::new().hours(24 * days));
        let (table, moved) = (market.rates.middle_rate(pair(unit, transfer)).unwrap(), market.middle(pair(unit, transfer), day).unwrap());
        let ratio = moved.decimal() / table.decimal();
        prop_assert!(ratio > Decimal::new(9_878, 4) && ratio < Decimal::new(10_122, 4), "{}", ratio);
    }
}
