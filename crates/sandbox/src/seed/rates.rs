//! Exchange rates of the history: a table of middle rates, a small daily movement and the bank's spread, all as integers.

use super::random::SeededRandom;
use jiff::Timestamp;
use lombard_domain::account::{CurrencyExchange, ExchangeRate};
use lombard_domain::money::{Amount, Currency};
use rust_decimal::Decimal;

/// The amount of each foreign currency for one pound in ten-thousandths, before movement and spread. All have two minor digits.
const MIDDLE: [(Currency, i64); 2] = [(Currency::EUR, 11_640), (Currency::USD, 12_730)];

/// The largest daily deviation from the middle rate, in ten-thousandths.
const MOVEMENT: i64 = 80;

/// The bank's spread, in ten-thousandths.
const SPREAD: i64 = 45;

/// The bank's exchange rate at one time, in foreign units for one pound.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoricPrice {
    foreign: Currency,
    ten_thousandths: i64,
    at: Timestamp,
}

/// Whether the bank buys or sells foreign currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TradeSide {
    /// The customer buys foreign currency for pounds.
    BankSells,
    /// The customer sells foreign currency for pounds.
    BankBuys,
}

impl HistoricPrice {
    /// The rate at this time; `None` for a currency that the bank does not trade.
    pub(super) fn new(foreign: Currency, side: TradeSide, at: Timestamp, chance: &mut SeededRandom) -> Option<Self> {
        let (_, middle) = MIDDLE.into_iter().find(|(currency, _)| *currency == foreign)?;
        let moved = middle.saturating_add(chance.between(MOVEMENT.saturating_neg(), MOVEMENT));
        let ten_thousandths = match side {
            TradeSide::BankSells => moved.saturating_sub(SPREAD),
            TradeSide::BankBuys => moved.saturating_add(SPREAD),
        };
        Some(Self { foreign, ten_thousandths, at })
    }

    /// Converts foreign minor units to pence; half a penny rounds up.
    pub(super) fn pounds(self, foreign_minor: i64) -> i64 {
        let half = self.ten_thousandths.checked_div(2).unwrap_or(0);
        foreign_minor.saturating_mul(10_000).saturating_add(half).checked_div(self.ten_thousandths).unwrap_or(0)
    }

    /// The `CurrencyExchange` of an entry, with the rate for one pound.
    pub(super) fn exchange(self, foreign_minor: i64) -> CurrencyExchange {
        CurrencyExchange {
            source: self.foreign,
            target: Currency::GBP,
            unit: Currency::GBP,
            rate: ExchangeRate(Decimal::new(self.ten_thousandths, 4)),
            quoted_at: Some(self.at),
            instructed: Some(Amount::from_minor(foreign_minor.unsigned_abs(), self.foreign)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pounds_are_foreign_money_over_the_rate_to_the_penny() {
        let quote = HistoricPrice { foreign: Currency::EUR, ten_thousandths: 11_600, at: Timestamp::UNIX_EPOCH };
        for (euro_cents, pence) in [(0, 0), (116, 100), (1_160_000, 1_000_000), (1, 1), (2_400, 2_069)] {
            assert_eq!(quote.pounds(euro_cents), pence, "{euro_cents}");
        }
        assert_eq!(quote.exchange(2_400).rate.0.to_string(), "1.1600");
    }

    #[test]
    fn the_bank_gives_fewer_pounds_than_it_asks() {
        let price = |side| {
            HistoricPrice::new(Currency::USD, side, Timestamp::UNIX_EPOCH, &mut SeededRandom::named(1, "rate")).unwrap()
        };
        assert!(price(TradeSide::BankBuys).pounds(100_000) < price(TradeSide::BankSells).pounds(100_000));
        let mut chance = SeededRandom::named(1, "rate");
        assert!(HistoricPrice::new(Currency::GBP, TradeSide::BankSells, Timestamp::UNIX_EPOCH, &mut chance).is_none());
    }
}
