//! Money as whole minor units of a currency. No amount is ever a floating-point number.

use crate::code::{Enumerated, StoredCode};
use crate::stored::stored_as_pairs;
use std::fmt;
use std::str::FromStr;

/// An ISO 4217 currency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// Pound sterling.
    pub const GBP: Self = Self(iso_currency::Currency::GBP);
    /// Euro.
    pub const EUR: Self = Self(iso_currency::Currency::EUR);
    /// US dollar.
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// The three-letter code.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// Digits after the decimal point of the currency's minor unit (2 for GBP, 0 for JPY); at most 4.
    pub fn digits(self) -> u8 {
        u8::try_from(self.0.exponent().unwrap_or(0)).unwrap_or(0)
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The text is not a currency of ISO 4217.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an ISO 4217 currency code")]
pub struct UnknownCurrency;

impl FromStr for Currency {
    type Err = UnknownCurrency;
    fn from_str(text: &str) -> Result<Self, UnknownCurrency> {
        iso_currency::Currency::from_code(text).map(Self).ok_or(UnknownCurrency)
    }
}

crate::code::words_in_documents! { Currency }

impl StoredCode for Currency {
    fn code(&self) -> &'static str {
        (*self).code()
    }

    fn from_code(word: &str) -> Option<Self> {
        // The currencies that the bank uses most skip the search through all currencies.
        match word {
            "GBP" => Some(Self::GBP),
            "EUR" => Some(Self::EUR),
            "USD" => Some(Self::USD),
            _ => word.parse().ok(),
        }
    }
}

/// An amount of money without a sign: what the standard writes as `Amount` and `Currency`.
///
/// `minor` counts minor units (pence). Source: RW-251.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    minor: u64,
    currency: Currency,
}

stored_as_pairs! { Amount(minor, currency); SignedAmount(minor, currency); }

/// Why a text is not a valid amount in a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAmount {
    /// The text does not match `^\d{1,13}$|^\d{1,13}\.\d{1,5}$`.
    #[error("an amount has 1 to 13 digits and at most 5 decimals")]
    Form,
    /// The text has more decimals than the currency has minor digits.
    #[error("the currency has fewer decimals than the amount")]
    Precision,
}

impl Amount {
    /// An amount from its minor units.
    pub const fn from_minor(minor: u64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Reads the standard's decimal text. Trailing zeros beyond the currency's minor digits are accepted.
    ///
    /// # Errors
    /// [`BadAmount::Form`] when the text does not match the pattern, [`BadAmount::Precision`] when digits would be lost.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, BadAmount> {
        let (whole, fraction) = text.split_once('.').map_or((text, None), |(w, f)| (w, Some(f)));
        let digits =
            |part: &str, max: usize| (1..=max).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole, 13) || !fraction.is_none_or(|f| digits(f, 5)) {
            return Err(BadAmount::Form);
        }
        let scale = usize::from(currency.digits());
        let fraction = fraction.unwrap_or("");
        let (kept, lost) = fraction.split_at(fraction.len().min(scale));
        if lost.bytes().any(|b| b != b'0') {
            return Err(BadAmount::Precision);
        }
        // 13 + 4 digits fit a u64.
        let digits = whole.bytes().chain(kept.bytes()).map(|digit| u64::from(digit & 0x0f));
        let digits = digits.chain(std::iter::repeat_n(0, scale.saturating_sub(kept.len())));
        let minor = digits.fold(0_u64, |minor, digit| minor.saturating_mul(10).saturating_add(digit));
        Ok(Self { minor, currency })
    }

    /// Minor units.
    pub const fn minor(self) -> u64 {
        self.minor
    }

    /// The currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The decimal text of the standard, always with the currency's minor digits: `12.30`, `500` (JPY).
    pub fn decimal(self) -> String {
        self.decimal_text().as_str().to_owned()
    }

    /// The same text as [`Self::decimal`], without an allocation, because lists have hundreds of amounts.
    pub fn decimal_text(self) -> DecimalText {
        let scale = usize::from(self.currency.digits());
        let mut text = DecimalText { bytes: [b'0'; DECIMAL_BYTES_MAX], start: DECIMAL_BYTES_MAX };
        let mut rest = self.minor;
        let mut digits = 0_usize;
        while rest > 0 || digits <= scale {
            if digits == scale && scale > 0 {
                text.prepend(b'.');
            }
            text.prepend(b'0' | u8::try_from(rest % 10).unwrap_or(0));
            rest /= 10;
            digits = digits.saturating_add(1);
        }
        text
    }
}

/// At least the 20 digits of the largest number of minor units and a point.
const DECIMAL_BYTES_MAX: usize = 24;

/// The text of an amount, written from its end.
#[derive(Debug, Clone, Copy)]
pub struct DecimalText {
    bytes: [u8; DECIMAL_BYTES_MAX],
    start: usize,
}

impl DecimalText {
    /// The text.
    pub fn as_str(&self) -> &str {
        let written = self.bytes.get(self.start..).unwrap_or_default();
        std::str::from_utf8(written).unwrap_or_default()
    }

    fn prepend(&mut self, byte: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.bytes.get_mut(self.start) {
            *place = byte;
        }
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.decimal(), self.currency)
    }
}

/// A signed sum on an account, in minor units: positive is in the account holder's favour (credit).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SignedAmount {
    minor: i64,
    currency: Currency,
}

/// Whether a sum is a credit or a debit, seen from the account holder. Zero is credit (RW-251).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CreditDebit {
    /// In the holder's favour.
    Credit,
    /// Against the holder.
    Debit,
}

impl Enumerated for CreditDebit {
    const VALUES: &'static [Self] = &[Self::Credit, Self::Debit];
}

impl SignedAmount {
    /// A signed sum from its minor units; credit is positive.
    pub const fn from_minor(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Minor units, credit positive.
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The sum without its sign.
    pub const fn amount(self) -> Amount {
        Amount::from_minor(self.minor.unsigned_abs(), self.currency)
    }

    /// Credit or debit, by the sign. Zero is credit.
    pub const fn direction(self) -> CreditDebit {
        if self.minor < 0 { CreditDebit::Debit } else { CreditDebit::Credit }
    }
}

impl fmt::Debug for SignedAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.direction(), self.amount())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rw_251_amounts_match_the_pattern_and_nothing_else() {
        for good in ["0", "1", "12.3", "12.30", "0.01", "9999999999999", "9999999999999.99", "1.50000"] {
            assert!(Amount::parse(good, Currency::GBP).is_ok(), "{good}");
        }
        for bad in ["", ".", "1.", ".5", "-1", "+1", "1,0", " 1", "1e3", "10000000000000", "1.123456", "٣"] {
            assert_eq!(Amount::parse(bad, Currency::GBP), Err(BadAmount::Form), "{bad}");
        }
        assert_eq!(Amount::parse("1.005", Currency::GBP), Err(BadAmount::Precision));
    }

    #[test]
    fn rw_251_zero_is_credit() {
        assert_eq!(SignedAmount::from_minor(0, Currency::GBP).direction(), CreditDebit::Credit);
        assert_eq!(SignedAmount::from_minor(-1, Currency::GBP).direction(), CreditDebit::Debit);
    }

    proptest! {
        #[test]
        fn text_and_minor_units_say_the_same(minor in 0u64..999_999_999_999_999, pick in 0usize..4) {
            let currency = [Currency::GBP, Currency::EUR, "JPY".parse().unwrap(), "BHD".parse().unwrap()][pick];
            let amount = Amount::from_minor(minor.min(9_999_999_999_999), currency);
            prop_assert_eq!(Amount::parse(&amount.decimal(), currency), Ok(amount));
        }
    }
}
