//! Foreign exchange: rates, quotes, and the two legs of a payment that changes its currency. Source: section 5.
//!
//! A [`ConversionRate`] is units of the currency of transfer for one unit of the payer's currency. What a TPP asks for is an
//! [`ExchangeRateRequest`]; what the bank answers is a [`Quote`]; what it makes of an amount are [`CurrencyLegs`], each exact in minor
//! units; with the charges they are a [`TotalDebit`], whose [`Movement`]s sum to zero in each currency.
//! Where prices come from is the bank's business: nothing here knows a market.

mod booking;
mod charges;
mod currency_legs;
mod fault;
mod field;
mod international;
mod market;
mod quote;
mod rate;
mod rate_request;
#[cfg(test)]
mod tests;
mod validation;

pub use booking::{Movement, MovementAccount};
pub use charges::{TotalDebit, charge_bearers_on, default_charge_bearer};
pub use currency_legs::{CurrencyLegs, CurrencyPair, InstructedLeg};
pub use fault::ExchangeFault;
pub use field::ExchangeField;
pub use international::{AgentCode, International, PayeeAgent, Priority};
pub use market::{BadRates, MiddleRates, RateSpread};
pub use quote::{Quote, QuoteBasis};
pub use rate::{BadRate, ConversionError, ConversionRate};
pub use rate_request::{AgreedRate, ExchangeRateRequest, ExchangeRateType, RateAgreement, RequestedRate};
pub use validation::ExchangeLimits;
