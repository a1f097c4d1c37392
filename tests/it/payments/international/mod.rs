//! The particular rules of international payments. Rules common to all products are tested in `payments`.
//! Source: section 5.

mod deadlines;
mod orders;
mod rates;
mod refusals;

use super::{with, without};
use crate::harness::paying::{ABROAD, consents, orders};
use crate::harness::{Bank, PayingTpp};
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

const NOW: PaymentProduct = ABROAD[0];
const LATER: PaymentProduct = ABROAD[1];

/// The products that can be asked for a rate.
const QUOTED: [PaymentProduct; 2] = [NOW, LATER];

/// Where a rate is asked for.
const EXCHANGE: &str = "/Data/Initiation/ExchangeRateInformation";

/// What was agreed with the sandbox's customers beforehand.
fn deal() -> Value {
    json!({"UnitCurrency": "GBP", "RateType": "Agreed", "ExchangeRate": 1.17, "ContractIdentification": "LSB-FX-0001"})
}

/// The bank's own price for pounds, of this kind.
fn price(kind: &str) -> Value {
    json!({"UnitCurrency": "GBP", "RateType": kind})
}

/// What asks for a payment at a rate.
fn asking_at(paying: &PayingTpp, product: PaymentProduct, rate: Value) -> Value {
    with(paying.asking(product), EXCHANGE, rate)
}
