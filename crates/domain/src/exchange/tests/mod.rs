//! Rates, quotes, legs, charges and movements.

mod judge;
mod money;
mod quotes;

use super::Rate;
use crate::money::Currency;

const GBP: Currency = Currency::GBP;
const EUR: Currency = Currency::EUR;
const USD: Currency = Currency::USD;

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

fn yen() -> Currency {
    "JPY".parse().unwrap()
}

fn dinar() -> Currency {
    "BHD".parse().unwrap()
}
