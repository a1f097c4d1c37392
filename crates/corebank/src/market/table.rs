//! The sandbox's rates and deals, as data. Documented for those who pay abroad in it.

use lombard_domain::exchange::{AgreedRate, ConversionRate, CurrencyPair, MiddleRates, RateAgreement};
use lombard_domain::money::Currency;

/// Middle rates: how much of each currency one pound is.
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

/// What the bank keeps of each rate, in ten-thousandths of it.
pub const SPREAD: u16 = 45;

/// How much more or less than in the table a currency may be worth on a day, in ten-thousandths.
pub const MOVEMENT: u16 = 60;

/// What was agreed: the contract, the payer's currency, the one that is sent, and the rate.
pub const DEALS: [(&str, &str, &str, &str); 4] = [
    ("LSB-FX-0001", "GBP", "EUR", "1.1700"),
    ("LSB-FX-0002", "GBP", "USD", "1.2800"),
    ("LSB-FX-0003", "EUR", "USD", "1.0900"),
    ("LSB-FX-0004", "USD", "GBP", "0.7800"),
];

/// The table. What cannot be read is left out; a test says that everything can.
pub(super) fn rates() -> MiddleRates {
    let rows = MIDDLE.iter().filter_map(|(currency, rate)| Some((currency.parse().ok()?, rate.parse().ok()?)));
    MiddleRates::new(Currency::GBP, rows.collect()).unwrap_or_else(|_| MiddleRates::base_only(Currency::GBP))
}

/// The deals, likewise.
pub(super) fn deals() -> Vec<RateAgreement> {
    let deal = |(contract, unit, transfer, rate): &(&str, &str, &str, &str)| {
        let pair = CurrencyPair { unit: unit.parse().ok()?, transfer: transfer.parse().ok()? };
        let deal = AgreedRate { rate: rate.parse::<ConversionRate>().ok()?, contract: (*contract).to_owned() };
        Some(RateAgreement { pair, deal, holder: None })
    };
    DEALS.iter().filter_map(deal).collect()
}
