//! Foreign exchange: rates, quotes, and the two legs of a payment that changes its currency. Source: section 5.
//!
//! A [`ConversionRate`] is in units of the currency of transfer per unit of the debtor's currency. A TPP sends an
//! [`ExchangeRateRequest`], and the bank answers with a [`Quote`]. A rate converts an amount into [`CurrencyLegs`],
//! each exact in minor units; charges make them a [`TotalDebit`], whose [`Movement`]s sum to zero in each currency.
//! Prices come from the bank; this module contains no market data.

mod booking;
mod currency_legs;
mod fault;
mod limits;
mod market;
mod quote;
mod rate;
mod rate_request;
#[cfg(test)]
pub(super) mod tests;
mod total_debit;

pub use booking::{Movement, MovementAccount};
pub use currency_legs::{CurrencyLegs, CurrencyPair, InstructedLeg};
pub use fault::ExchangeFault;
pub use limits::ExchangeLimits;
pub use market::{BadRates, MiddleRates, RateSpread};
pub use quote::{Quote, QuoteBasis};
pub use rate::{BadRate, ConversionError, ConversionRate};
pub use rate_request::{AgreedRate, ExchangeRateRequest, ExchangeRateType, RateAgreement, RequestedRate};
pub use total_debit::TotalDebit;
