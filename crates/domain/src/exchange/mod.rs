//! Foreign exchange: rates, quotes, and the two legs of a payment that changes its currency. Source: section 5.
//!
//! A [`Rate`] is units of the currency of transfer for one unit of the payer's currency. What a TPP asks for is an
//! [`ExchangeRateRequest`]; what the bank answers is a [`Quote`]; what it makes of an amount are [`CurrencyLegs`], each exact in minor
//! units; with the charges they are a [`TotalDebit`], whose [`Movement`]s sum to zero in each currency.
//! Where prices come from is the bank's business: nothing here knows a market.

mod booking;
mod charges;
mod fault;
mod international;
mod judge;
mod legs;
mod market;
mod quote;
mod rate;
#[cfg(test)]
mod tests;
mod wish;

pub use booking::{Movement, Role};
pub use charges::{TotalDebit, bearers, default_charge_bearer};
pub use fault::{ExchangeFault, ExchangeField};
pub use international::{AgentCode, International, PayeeAgent, Priority};
pub use judge::ExchangeLimits;
pub use legs::{ConversionError, CurrencyLegs, Pair, Side};
pub use market::{BadRates, RateSpread, Rates};
pub use quote::{Quote, QuoteBasis};
pub use rate::{BadRate, Rate};
pub use wish::{AgreedRate, Basis, ExchangeRateRequest, RateAgreement, RateType};
