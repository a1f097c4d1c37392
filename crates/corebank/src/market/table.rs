//! The sandbox's middle rates and agreed rates, which are documented for TPPs.

use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, MiddleRates, RateAgreement};

/// Middle rates: the amount of each currency for one pound.
pub const MIDDLE: [(&str, &str); 8] = [
    ("AUD", "1.9350"),
    ("CAD", "1.7420"),
    ("CHF", "1.1210"),
    ("EUR", "1.1640"),
    ("JPY", "190.50"),
    ("PLN", "4.9600"),
    ("SEK", "13.180"),
    ("USD", "1.2730"),
];

/// The bank's spread, in ten-thousandths of the rate.
pub const SPREAD: u16 = 45;

/// The largest daily deviation from the table's rate, in ten-thousandths.
pub const MOVEMENT: u16 = 60;

/// The agreed rates: contract, payer's currency, currency of transfer and rate.
pub const AGREED_RATES: [(&str, &str, &str, &str); 4] = [
    ("LSB-FX-0001", "GBP", "EUR", "1.1700"),
    ("LSB-FX-0002", "GBP", "USD", "1.2800"),
    ("LSB-FX-0003", "EUR", "USD", "1.0900"),
    ("LSB-FX-0004", "USD", "GBP", "0.7800"),
];

/// The table of middle rates. Rows that cannot be parsed are left out; a test checks that there are none.
pub(super) fn rates() -> MiddleRates {
    let rows = MIDDLE.iter().filter_map(|(currency, rate)| Some((currency.parse().ok()?, rate.parse().ok()?)));
    MiddleRates::new(Currency::GBP, rows.collect()).unwrap_or_else(|_| MiddleRates::base_only(Currency::GBP))
}

/// The agreed rates. Rows that cannot be parsed are left out here too.
pub(super) fn deals() -> Vec<RateAgreement> {
    let deal = |(contract, unit, transfer, rate): &(&str, &str, &str, &str)| {
        let pair = CurrencyPair { unit: unit.parse().ok()?, transfer: transfer.parse().ok()? };
        let deal = AgreedRate { rate: rate.parse::<ConversionRate>().ok()?, contract: (*contract).to_owned() };
        Some(RateAgreement { pair, deal, holder: None })
    };
    AGREED_RATES.iter().filter_map(deal).collect()
}
