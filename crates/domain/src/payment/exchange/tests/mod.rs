//! Rates, quotes, legs, charges and movements.

mod money;
mod quotes;
mod validation;

use super::ConversionRate;
use crate::money::Currency;

const GBP: Currency = Currency::GBP;
const EUR: Currency = Currency::EUR;
const USD: Currency = Currency::USD;

fn rate(text: &str) -> ConversionRate {
    text.parse().unwrap()
}

fn yen() -> Currency {
    "JPY".parse().unwrap()
}

fn dinar() -> Currency {
    "BHD".parse().unwrap()
}
