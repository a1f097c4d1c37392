//! An exact exchange rate between two currencies, and conversion by it.

use crate::money::{Amount, Currency};
use crate::stored::{self, StoredValue};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::str::FromStr;

/// The exclusive bound of a rate's significant digits: the smallest number with 16 digits.
const DIGITS_BOUND: u128 = 1_000_000_000_000_000;

/// The largest number of decimals of a rate.
const SCALE_MAX: u32 = 12;

/// The largest number of digits before the decimal point of an amount. Source: PIS-120.
const WHOLE_DIGITS_MAX: u32 = 13;

/// Units of the currency of transfer per unit of the debtor's currency: exact, greater than zero, at most 15
/// significant digits and 12 decimals. Source: INT-011, PIS-125.
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

/// Why a number is not a valid rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadRate {
    /// The text is not a decimal number.
    #[error("a rate is a decimal number")]
    Form,
    /// The number is zero or negative.
    #[error("a rate is more than zero")]
    NotPositive,
    /// The number has too many significant digits or decimals.
    #[error("a rate has at most 15 significant digits and 12 decimals")]
    Digits,
}

/// Why an amount cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConversionError {
    /// The amount is in neither of the two currencies.
    #[error("the amount is in neither currency of the exchange")]
    ThirdCurrency,
    /// A leg has more than 13 digits before its point.
    #[error("the amount is too large to exchange")]
    TooLarge,
    /// A leg rounds to zero.
    #[error("the amount is too small to exchange")]
    TooSmall,
    /// The charges that the payee bears leave nothing to send.
    #[error("the charges leave nothing of the amount")]
    ChargesTooHigh,
}

impl ConversionRate {
    /// The rate of one, without an exchange.
    pub const ONE: Self = Self(Decimal::ONE);

    /// The number without trailing zeros.
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// The valid rate nearest to a computed number. An agreed rate is never rounded.
    ///
    /// # Errors
    /// [`BadRate`] if there is none.
    pub fn from_nearest(number: Decimal) -> Result<Self, BadRate> {
        const STRATEGY: RoundingStrategy = RoundingStrategy::MidpointNearestEven;
        let number = number.round_sf_with_strategy(15, STRATEGY).ok_or(BadRate::Digits)?;
        number.round_dp_with_strategy(SCALE_MAX, STRATEGY).try_into()
    }

    /// Converts an amount of the debtor's currency into the currency of transfer, half to even at the minor unit.
    /// Source: INT-023.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn convert_to_transfer_currency(self, sum: Amount, into: Currency) -> Result<Amount, ConversionError> {
        let (digits, scale) = self.fraction();
        // At most 20 digits of minor units, 15 of the rate and 4 of the currency's scale: up to 39 digits, so the
        // product is checked.
        let number = u128::from(sum.minor()).checked_mul(digits).and_then(|it| it.checked_mul(power(into.digits())));
        let divisor = scale.checked_mul(power(sum.currency().digits()));
        rounded(number, divisor, into)
    }

    /// Converts an amount of the currency of transfer into the debtor's currency, half to even at the minor unit.
    /// Source: INT-023.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn convert_to_unit_currency(self, sum: Amount, into: Currency) -> Result<Amount, ConversionError> {
        let (digits, scale) = self.fraction();
        let number = u128::from(sum.minor()).checked_mul(scale).and_then(|it| it.checked_mul(power(into.digits())));
        let divisor = digits.checked_mul(power(sum.currency().digits()));
        rounded(number, divisor, into)
    }

    /// The rate as an integer over a power of ten, so that a conversion is one division with one rounding.
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

/// A quotient in minor units of a currency, rounded half to even.
fn rounded(number: Option<u128>, divisor: Option<u128>, currency: Currency) -> Result<Amount, ConversionError> {
    let minor = number.zip(divisor).and_then(|(number, divisor)| half_even(number, divisor));
    let bound = power(currency.digits()).saturating_mul(10_u128.saturating_pow(WHOLE_DIGITS_MAX));
    let minor = minor.filter(|minor| *minor < bound).and_then(|minor| u64::try_from(minor).ok());
    Ok(Amount::from_minor(minor.ok_or(ConversionError::TooLarge)?, currency))
}

fn half_even(number: u128, divisor: u128) -> Option<u128> {
    let quotient = number.checked_div(divisor)?;
    let rest = number.checked_rem(divisor)?;
    let up = match rest.checked_mul(2)?.cmp(&divisor) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => quotient % 2,
        std::cmp::Ordering::Greater => 1,
    };
    quotient.checked_add(up)
}
