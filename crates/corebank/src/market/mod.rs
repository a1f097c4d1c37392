//! Foreign exchange at the built-in bank: rates from a table of middle rates and a spread, and agreed rates. Source: section
//! 5.1.
//!
//! A rate depends only on the currencies and the day in London. The rate is therefore the same on every node and after a restart, and an
//! overdue payment uses the rate of its own day.

mod table;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "the days and rates of tests are small")]
mod tests;

pub use table::{AGREED_RATES, MIDDLE, MOVEMENT, SPREAD};

use super::names;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::calendar::london_date;
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeLimits, ExchangeRateRequest, MiddleRates, Quote, RateAgreement,
    RateSpread, RequestedRate,
};
use rust_decimal::Decimal;

/// The agreed rates of every sandbox ([`AGREED_RATES`]).
pub fn sandbox_agreed_rates() -> Vec<RateAgreement> {
    table::deals()
}

/// The exchange rates of the built-in bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeMarket {
    rates: MiddleRates,
    spread: RateSpread,
    /// The largest daily deviation from the table's rate, in ten-thousandths of that rate.
    movement: u16,
    deals: Vec<RateAgreement>,
    lifetime: SignedDuration,
}

/// The sandbox's market: its table, spread, movement and agreed rates.
impl Default for ExchangeMarket {
    fn default() -> Self {
        let spread = RateSpread::from_ten_thousandths(SPREAD).unwrap_or(RateSpread::NONE);
        Self::new(table::rates(), spread).with_movement(MOVEMENT).with_agreed_rates(table::deals())
    }
}

impl ExchangeMarket {
    /// A market with a table and a spread, without daily movement and without agreed rates.
    pub fn new(rates: MiddleRates, spread: RateSpread) -> Self {
        Self { rates, spread, movement: 0, deals: Vec::new(), lifetime: ExchangeLimits::default().lifetime }
    }

    /// Sets the largest daily deviation of each currency from the table, in ten-thousandths.
    #[must_use]
    pub fn with_movement(self, ten_thousandths: u16) -> Self {
        Self { movement: ten_thousandths, ..self }
    }

    /// Sets the agreed rates.
    #[must_use]
    pub fn with_agreed_rates(self, deals: Vec<RateAgreement>) -> Self {
        Self { deals, ..self }
    }

    /// Sets how long an actual rate is held. Source: INT-021.
    #[must_use]
    pub fn with_lifetime(self, lifetime: SignedDuration) -> Self {
        Self { lifetime, ..self }
    }

    /// The middle rate on the day of a time; `None` for a currency that is not in the table.
    pub(super) fn middle(&self, pair: CurrencyPair, at: Timestamp) -> Option<ConversionRate> {
        let middle = self.rates.middle_rate(pair)?;
        if pair.is_single_currency() || self.movement == 0 {
            return Some(middle);
        }
        let day = london_date(at);
        let moved = middle.decimal().checked_mul(self.daily_deviation(pair.transfer, day))?;
        ConversionRate::from_nearest(moved.checked_div(self.daily_deviation(pair.unit, day))?).ok()
    }

    /// The customer rate on the day of a time; `None` for a currency that is not in the table.
    pub fn customer_rate(&self, pair: CurrencyPair, at: Timestamp) -> Option<ConversionRate> {
        let middle = self.middle(pair, at)?;
        if pair.is_single_currency() { Some(ConversionRate::ONE) } else { self.spread.apply_to(middle) }
    }

    /// The quote for a requested rate. Source: INT-013, INT-021.
    pub(super) fn quote(
        &self,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
        now: Timestamp,
    ) -> Option<Quote> {
        let pair = rate_request.currency_pair(transfer);
        let rate = match &rate_request.basis {
            RequestedRate::Agreed(deal) => {
                self.deals.iter().find(|it| it.pair == pair && it.deal == *deal).map(|it| it.deal.rate)
            }
            RequestedRate::Actual | RequestedRate::Indicative => self.customer_rate(pair, now),
        };
        rate.map(|rate| rate_request.quote(transfer, rate, self.lifetime, now))
    }

    /// Whether this rate was agreed with the customer. Source: INT-013.
    pub(super) fn has_agreed_rate(&self, psu: &PsuId, deal: &AgreedRate) -> bool {
        self.deals.iter().any(|it| it.deal == *deal && it.holder.as_ref().is_none_or(|holder| holder == psu))
    }

    /// Converts a charge to another currency by the table's rate, without daily movement, rounded up to a whole unit. `None`
    /// for a currency that the bank does not trade.
    pub(super) fn convert_charge(&self, amount: Amount, currency: Currency) -> Option<Amount> {
        if amount.currency() == currency {
            return Some(amount);
        }
        let rate = self.rates.middle_rate(CurrencyPair { unit: amount.currency(), transfer: currency })?;
        let exact = rate.convert_to_transfer_currency(amount, currency).ok()?.minor();
        let whole = 10_u64.checked_pow(u32::from(currency.digits()))?;
        Some(Amount::from_minor(exact.checked_next_multiple_of(whole)?, currency))
    }

    /// The factor by which a currency's rate deviates from the table on a day.
    fn daily_deviation(&self, currency: Currency, day: Date) -> Decimal {
        let most = i64::from(self.movement);
        let drawn = names::derive_number(&format!("rate/{currency}/{day}"), most.saturating_neg(), most);
        Decimal::new(drawn.saturating_add(10_000), 4)
    }
}
