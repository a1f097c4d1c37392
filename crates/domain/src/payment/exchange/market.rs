//! A table of middle rates, and the customer's price derived from one.

use super::{ConversionRate, CurrencyPair};
use crate::money::Currency;
use rust_decimal::{Decimal, RoundingStrategy};

/// The number of significant digits of a price.
const PRICE_DIGITS: u32 = 8;

/// Middle rates, in units of each currency per unit of a base currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MiddleRates {
    base: Currency,
    of: Vec<(Currency, ConversionRate)>,
}

/// A currency occurs twice in a table of rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a currency has two rates")]
pub struct BadRates;

impl MiddleRates {
    /// A table of rates; the base is not among the other currencies.
    ///
    /// # Errors
    /// [`BadRates`].
    pub fn new(base: Currency, of: Vec<(Currency, ConversionRate)>) -> Result<Self, BadRates> {
        let once = |currency: Currency| of.iter().filter(|(it, _)| *it == currency).count() <= 1;
        let sound = of.iter().all(|(currency, _)| *currency != base && once(*currency));
        sound.then_some(Self { base, of }).ok_or(BadRates)
    }

    /// A table that contains the base alone.
    pub const fn base_only(base: Currency) -> Self {
        Self { base, of: Vec::new() }
    }

    /// The middle rate of two currencies, through the base if it is neither of them. `None` for a currency that is not
    /// in the table, and for a rate outside the range of [`ConversionRate`].
    pub fn middle_rate(&self, pair: CurrencyPair) -> Option<ConversionRate> {
        let unit = self.of_base(pair.unit)?;
        let transfer = self.of_base(pair.transfer)?;
        if pair.is_single_currency() {
            return Some(ConversionRate::ONE);
        }
        ConversionRate::from_nearest(transfer.decimal().checked_div(unit.decimal())?).ok()
    }

    fn of_base(&self, currency: Currency) -> Option<ConversionRate> {
        if currency == self.base {
            return Some(ConversionRate::ONE);
        }
        self.of.iter().find(|(it, _)| *it == currency).map(|(_, rate)| *rate)
    }
}

/// The bank's margin on a rate, in ten-thousandths of it; less than 10,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateSpread(u16);

impl RateSpread {
    /// No margin.
    pub const NONE: Self = Self(0);

    /// A margin in ten-thousandths, below 10,000.
    pub const fn from_ten_thousandths(count: u16) -> Option<Self> {
        if count < 10_000 { Some(Self(count)) } else { None }
    }

    /// The customer's price: the middle rate less the margin, truncated (not rounded) to eight significant digits, so
    /// that it is never better than the middle rate. `None` if the result is not a valid rate.
    pub fn apply_to(self, middle: ConversionRate) -> Option<ConversionRate> {
        let kept = Decimal::new(10_000_i64.saturating_sub(i64::from(self.0)), 4);
        let price = middle.decimal().checked_mul(kept)?;
        let price = price.round_sf_with_strategy(PRICE_DIGITS, RoundingStrategy::ToZero)?;
        price.round_dp_with_strategy(12, RoundingStrategy::ToZero).try_into().ok()
    }
}
