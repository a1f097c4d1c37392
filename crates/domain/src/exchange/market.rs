//! A table of middle rates, and the price a bank makes of one.

use super::{ConversionRate, CurrencyPair};
use crate::money::Currency;
use rust_decimal::{Decimal, RoundingStrategy};

/// Significant digits of a price, as banks quote it.
const PRICE_DIGITS: u32 = 8;

/// Middle rates: units of each currency for one unit of a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MiddleRates {
    base: Currency,
    of: Vec<(Currency, ConversionRate)>,
}

/// A currency stands twice in a table of rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a currency has two rates")]
pub struct BadRates;

impl MiddleRates {
    /// The table; its base is not among the others.
    ///
    /// # Errors
    /// [`BadRates`].
    pub fn new(base: Currency, of: Vec<(Currency, ConversionRate)>) -> Result<Self, BadRates> {
        let once = |currency: Currency| of.iter().filter(|(it, _)| *it == currency).count() <= 1;
        let sound = of.iter().all(|(currency, _)| *currency != base && once(*currency));
        sound.then_some(Self { base, of }).ok_or(BadRates)
    }

    /// A table of nothing but its base.
    pub const fn base_only(base: Currency) -> Self {
        Self { base, of: Vec::new() }
    }

    /// The middle rate of two currencies, through the base where neither is it. None for a currency that is not in the
    /// table, and for rates too far apart to be told in the digits of a rate.
    pub fn middle_rate(&self, pair: CurrencyPair) -> Option<ConversionRate> {
        let (unit, transfer) = (self.of_base(pair.unit)?, self.of_base(pair.transfer)?);
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

/// The margin the bank takes from each rate, in ten-thousandths of it; less than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateSpread(u16);

impl RateSpread {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// So many ten-thousandths, fewer than 10,000.
    pub const fn from_ten_thousandths(count: u16) -> Option<Self> {
        if count < 10_000 { Some(Self(count)) } else { None }
    }

    /// The price for a customer: less of what is sent for the same money, cut (not rounded) to eight significant digits,
    /// so that it is never better than the middle. None where nothing is left in the digits of a rate.
    pub fn apply_to(self, middle: ConversionRate) -> Option<ConversionRate> {
        let kept = Decimal::new(10_000_i64.saturating_sub(i64::from(self.0)), 4);
        let price = middle.decimal().checked_mul(kept)?;
        let price = price.round_sf_with_strategy(PRICE_DIGITS, RoundingStrategy::ToZero)?;
        price.round_dp_with_strategy(12, RoundingStrategy::ToZero).try_into().ok()
    }
}
