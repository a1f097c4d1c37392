//! Rates, quotes, legs, charges and movements.

mod money;
mod quotes;

use super::ConversionRate;
use crate::money::Currency;

pub(in crate::payment) const GBP: Currency = Currency::GBP;
pub(in crate::payment) const EUR: Currency = Currency::EUR;
pub(in crate::payment) const USD: Currency = Currency::USD;

pub(in crate::payment) fn rate(text: &str) -> ConversionRate {
    text.parse().unwrap()
}

pub(in crate::payment) fn yen() -> Currency {
    "JPY".parse().unwrap()
}

pub(in crate::payment) fn dinar() -> Currency {
    "BHD".parse().unwrap()
}
