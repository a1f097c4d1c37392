//! Foreign exchange at the built-in bank: prices from a table of middle rates and a spread, and the rates that were agreed
//! beforehand. Source: section 5.1.
//!
//! A price follows from the currencies and the day in London, and from nothing else: every node tells the same, a restart
//! forgets nothing, and what was due while nobody looked is priced as of its own day.

mod table;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "the days and rates of tests are small")]
mod tests;

pub use table::{DEALS, MIDDLE, MOVEMENT, SPREAD};

use super::names;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::calendar::london_date;
use lombard_domain::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeLimits, ExchangeRateRequest, MiddleRates, Quote, RateAgreement,
    RateSpread, RequestedRate,
};
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency};
use rust_decimal::Decimal;

/// What every sandbox has agreed to ([`DEALS`]).
pub fn sandbox_deals() -> Vec<RateAgreement> {
    table::deals()
}

/// What the bank asks for foreign money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeMarket {
    rates: MiddleRates,
    spread: RateSpread,
    /// How much more or less than in the table a currency may be worth on a day, in ten-thousandths.
    movement: u16,
    deals: Vec<RateAgreement>,
    lifetime: SignedDuration,
}

/// The sandbox's: its table, its spread, its movement and its deals.
impl Default for ExchangeMarket {
    fn default() -> Self {
        let spread = RateSpread::from_ten_thousandths(SPREAD).unwrap_or(RateSpread::NONE);
        Self::new(table::rates(), spread).with_movement(MOVEMENT).with_agreed_rates(table::deals())
    }
}

impl ExchangeMarket {
    /// Prices that follow from a table and a spread and are the same every day. Nothing is agreed to.
    pub fn new(rates: MiddleRates, spread: RateSpread) -> Self {
        Self { rates, spread, movement: 0, deals: Vec::new(), lifetime: ExchangeLimits::default().lifetime }
    }

    /// The same with prices that move from day to day: each currency is worth at most so many ten-thousandths more or less
    /// than in the table.
    #[must_use]
    pub fn with_movement(self, ten_thousandths: u16) -> Self {
        Self { movement: ten_thousandths, ..self }
    }

    /// The same with other rates agreed to.
    #[must_use]
    pub fn with_agreed_rates(self, deals: Vec<RateAgreement>) -> Self {
        Self { deals, ..self }
    }

    /// The same that holds its prices for so long. Source: INT-021.
    #[must_use]
    pub fn with_lifetime(self, lifetime: SignedDuration) -> Self {
        Self { lifetime, ..self }
    }

    /// The rate the bank covers itself at on the day of a time; none for a currency that is not in the table.
    pub(super) fn middle(&self, pair: CurrencyPair, at: Timestamp) -> Option<ConversionRate> {
        let middle = self.rates.middle_rate(pair)?;
        if pair.is_single_currency() || self.movement == 0 {
            return Some(middle);
        }
        let day = london_date(at);
        let moved = middle.decimal().checked_mul(self.drift(pair.transfer, day))?;
        ConversionRate::from_nearest(moved.checked_div(self.drift(pair.unit, day))?).ok()
    }

    /// The price for customers on the day of a time; none for a currency that is not in the table.
    pub fn customer_rate(&self, pair: CurrencyPair, at: Timestamp) -> Option<ConversionRate> {
        let middle = self.middle(pair, at)?;
        if pair.is_single_currency() { Some(ConversionRate::ONE) } else { self.spread.apply_to(middle) }
    }

    /// The quote for a requested rate. Source: INT-013, INT-021.
    pub(super) fn quote(&self, wish: &ExchangeRateRequest, transfer: Currency, now: Timestamp) -> Option<Quote> {
        let pair = wish.currency_pair(transfer);
        let rate = match &wish.basis {
            RequestedRate::Agreed(deal) => {
                self.deals.iter().find(|it| it.pair == pair && it.deal == *deal).map(|it| it.deal.rate)
            }
            RequestedRate::Actual | RequestedRate::Indicative => self.customer_rate(pair, now),
        };
        rate.map(|rate| wish.quote(transfer, rate, self.lifetime, now))
    }

    /// Whether a rate was agreed with a customer. Source: INT-013.
    pub(super) fn has_agreed_rate(&self, psu: &PsuId, deal: &AgreedRate) -> bool {
        self.deals.iter().any(|it| it.deal == *deal && it.holder.as_ref().is_none_or(|holder| holder == psu))
    }

    /// What a tariff comes to in another currency: at the table's rate whatever the day, up to a whole unit, so that it is
    /// the same tomorrow. None for a currency the bank does not deal in.
    pub(super) fn tariff(&self, amount: Amount, currency: Currency) -> Option<Amount> {
        if amount.currency() == currency {
            return Some(amount);
        }
        let rate = self.rates.middle_rate(CurrencyPair { unit: amount.currency(), transfer: currency })?;
        let exact = rate.convert_to_transfer_currency(amount, currency).ok()?.minor();
        let whole = 10_u64.checked_pow(u32::from(currency.digits()))?;
        Some(Amount::from_minor(exact.checked_next_multiple_of(whole)?, currency))
    }

    /// How much of its table's rate a currency is worth on a day.
    fn drift(&self, currency: Currency, day: Date) -> Decimal {
        let most = i64::from(self.movement);
        let drawn = names::derive_number(&format!("rate/{currency}/{day}"), most.saturating_neg(), most);
        Decimal::new(drawn.saturating_add(10_000), 4)
    }
}
