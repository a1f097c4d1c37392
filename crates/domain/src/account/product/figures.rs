//! The values in product terms: sums, rates, periods, and codes outside an enumeration.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The number has too many digits before or after the decimal point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number has too many digits, or is none")]
pub struct BadFigure;

macro_rules! figure {
    ($($(#[$doc:meta])* $name:ident($counted:ty) below $limit:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Decimal);

        impl $name {
            /// A value in hundredths, with two decimals.
            pub fn hundredths(count: $counted) -> Self {
                Self(Decimal::new(i64::from(count), 2))
            }

            /// The number.
            pub const fn decimal(self) -> Decimal {
                self.0
            }
        }

        impl TryFrom<Decimal> for $name {
            type Error = BadFigure;
            fn try_from(number: Decimal) -> Result<Self, BadFigure> {
                let number = if number.scale() > 4 { number.normalize() } else { number };
                let fits = number.scale() <= 4 && number.abs().trunc() < Decimal::from($limit);
                fits.then_some(Self(number)).ok_or(BadFigure)
            }
        }

        impl FromStr for $name {
            type Err = BadFigure;
            fn from_str(text: &str) -> Result<Self, BadFigure> {
                Decimal::from_str_exact(text).map_err(|_| BadFigure)?.try_into()
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadFigure;
            fn try_from(text: String) -> Result<Self, BadFigure> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(figure: $name) -> Self {
                figure.to_string()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )*};
}

figure! {
    /// A sum in the currency of the account, exact: at most 14 digits and 4 decimals. The standard omits the currency.
    /// Source: `OB_Amount1_0`.
    Sum(i32) below 100_000_000_000_000_i64;
    /// A rate in per cent, exact: at most 3 digits and 4 decimals. Source: `OB_Rate1_0`.
    Rate(i16) below 1_000_i64;
}

/// A value outside the standard's enumerations, with its description. Source: `OB_OtherCodeType1_0`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherCode {
    /// The bank's mnemonic: at most 4 letters, digits or underscores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Its name, 1 to 70 characters.
    pub name: String,
    /// Its description, 1 to 350 characters.
    pub description: String,
}

/// A value of an enumeration, or a value outside it, which the standard writes as `Other` with an explanatory object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CodeOrOther<T> {
    /// A value of the enumeration.
    Listed(T),
    /// A value outside the enumeration.
    Other(OtherCode),
}

impl<T> From<T> for CodeOrOther<T> {
    fn from(word: T) -> Self {
        Self::Listed(word)
    }
}

/// A unit of time. Source: `OB_Period1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeUnit {
    /// A term of a school or university; without a code in business current accounts.
    AcademicTerm,
    /// A day.
    Day,
    /// Six months.
    HalfYear,
    /// A month.
    Month,
    /// Three months.
    Quarter,
    /// A week.
    Week,
    /// A year.
    Year,
}

/// A period of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermLength {
    /// The number of units.
    pub count: u32,
    /// The unit.
    pub period: TimeUnit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_keep_to_the_digits_of_the_standard() {
        for good in ["0", "-1", "99999999999999.9999", "39.90", "1.500000"] {
            assert!(good.parse::<Sum>().is_ok(), "{good}");
        }
        for bad in ["", "x", "100000000000000", "-100000000000000", "1.00001"] {
            assert_eq!(bad.parse::<Sum>(), Err(BadFigure), "{bad}");
        }
        for (text, fits) in [("999.9999", true), ("-999.9999", true), ("1000", false), ("0.00001", false)] {
            assert_eq!(text.parse::<Rate>().is_ok(), fits, "{text}");
        }
        assert_eq!(Rate::hundredths(3_990).to_string(), "39.90");
        assert_eq!(Sum::hundredths(-5).to_string(), "-0.05");
    }

    proptest! {
        #[test]
        fn a_sum_is_read_as_it_was_written(units in -99_999_999_999_999_i64..=99_999_999_999_999, scale in 0u32..=4) {
            let sum = Sum::try_from(Decimal::new(units, scale)).unwrap();
            prop_assert_eq!(sum.to_string().parse::<Sum>(), Ok(sum));
        }
    }
}
