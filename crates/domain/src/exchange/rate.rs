//! An exact rate between two currencies, and what it makes of a sum.

use crate::money::{Amount, Currency};
use crate::stored::{self, StoredValue};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::str::FromStr;

/// The most significant digits of a rate, as the smallest number that has one more.
const DIGITS_BOUND: u128 = 1_000_000_000_000_000;

/// The most digits of a rate after its point.
const SCALE_MAX: u32 = 12;

/// The most digits of an amount before its point. Source: PIS-120.
const WHOLE_DIGITS_MAX: u32 = 13;

/// Units of the currency of transfer for one unit of the payer's currency: more than zero, at most 15 significant digits
/// and 12 decimals, exact. Source: INT-011, PIS-125.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversionRate(Decimal);

impl Serialize for ConversionRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.store(serializer)
    }
}

impl<'de> Deserialize<'de> for ConversionRate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        stored::read_text(deserializer)
    }
}

/// The number cannot be a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadRate {
    /// It is no decimal number.
    #[error("a rate is a decimal number")]
    Form,
    /// It is zero or less.
    #[error("a rate is more than zero")]
    NotPositive,
    /// It has more digits than a rate may have.
    #[error("a rate has at most 15 significant digits and 12 decimals")]
    Digits,
}

/// Why an amount cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConversionError {
    /// It is in neither of the two currencies.
    #[error("the amount is in neither currency of the exchange")]
    ThirdCurrency,
    /// A leg has more than 13 digits before its point.
    #[error("the amount is too large to exchange")]
    TooLarge,
    /// A leg rounds to zero.
    #[error("the amount is too small to exchange")]
    TooSmall,
}

impl ConversionRate {
    /// One for one: no exchange.
    pub const ONE: Self = Self(Decimal::ONE);

    /// The number, without zeros at its end.
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// The rate nearest to a number, for rates that are worked out; one that is agreed is taken as it is.
    ///
    /// # Errors
    /// [`BadRate`] when there is none.
    pub fn from_nearest(number: Decimal) -> Result<Self, BadRate> {
        const STRATEGY: RoundingStrategy = RoundingStrategy::MidpointNearestEven;
        let number = number.round_sf_with_strategy(15, STRATEGY).ok_or(BadRate::Digits)?;
        number.round_dp_with_strategy(SCALE_MAX, STRATEGY).try_into()
    }

    /// A sum of the payer's currency in the currency of transfer, half to even at the last minor unit. Source: INT-023.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn convert_to_transfer_currency(self, sum: Amount, into: Currency) -> Result<Amount, ConversionError> {
        let (digits, scale) = self.fraction();
        // At most 20 digits of minor units, 15 of the rate, 4 of the currency: a u128 holds 38.
        let number = u128::from(sum.minor()).checked_mul(digits).and_then(|it| it.checked_mul(power(into.digits())));
        let divisor = scale.checked_mul(power(sum.currency().digits()));
        rounded(number, divisor, into)
    }

    /// A sum of the currency of transfer in the payer's currency, half to even at the last minor unit. Source: INT-023.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn convert_to_unit_currency(self, sum: Amount, into: Currency) -> Result<Amount, ConversionError> {
        let (digits, scale) = self.fraction();
        let number = u128::from(sum.minor()).checked_mul(scale).and_then(|it| it.checked_mul(power(into.digits())));
        let divisor = digits.checked_mul(power(sum.currency().digits()));
        rounded(number, divisor, into)
    }

    /// The rate as digits over a power of ten, so that a conversion is one division and is rounded once.
    fn fraction(self) -> (u128, u128) {
        (self.0.mantissa().unsigned_abs(), 10_u128.saturating_pow(self.0.scale()))
    }
}

impl TryFrom<Decimal> for ConversionRate {
    type Error = BadRate;

    fn try_from(number: Decimal) -> Result<Self, BadRate> {
        let number = number.normalize();
        if number <= Decimal::ZERO {
            return Err(BadRate::NotPositive);
        }
        let fits = number.mantissa().unsigned_abs() < DIGITS_BOUND && number.scale() <= SCALE_MAX;
        fits.then_some(Self(number)).ok_or(BadRate::Digits)
    }
}

impl FromStr for ConversionRate {
    type Err = BadRate;

    fn from_str(text: &str) -> Result<Self, BadRate> {
        Decimal::from_str_exact(text).map_err(|_| BadRate::Form)?.try_into()
    }
}

fn power(digits: u8) -> u128 {
    10_u128.saturating_pow(u32::from(digits))
}

/// A quotient in minor units of a currency, half to even.
fn rounded(number: Option<u128>, divisor: Option<u128>, currency: Currency) -> Result<Amount, ConversionError> {
    let minor = number.zip(divisor).and_then(|(number, divisor)| half_even(number, divisor));
    let bound = power(currency.digits()).saturating_mul(10_u128.saturating_pow(WHOLE_DIGITS_MAX));
    let minor = minor.filter(|minor| *minor < bound).and_then(|minor| u64::try_from(minor).ok());
    Ok(Amount::from_minor(minor.ok_or(ConversionError::TooLarge)?, currency))
}

fn half_even(number: u128, divisor: u128) -> Option<u128> {
    let (quotient, rest) = (number.checked_div(divisor)?, number.checked_rem(divisor)?);
    let up = match rest.checked_mul(2)?.cmp(&divisor) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => quotient % 2,
        std::cmp::Ordering::Greater => 1,
    };
    quotient.checked_add(up)
}
