//! Decimal numbers of any length, compared by value and not by notation. Source: PIS-052, PIS-125.

/// A decimal number in canonical form: digits without leading and trailing zeros, times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Parses a number such as `-12.50e3`; `None` for any other text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let is_number = |digits: &str| digits.bytes().all(|it| it.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let all = [whole, fraction].concat();
        let digits = all.trim_end_matches('0');
        let zeros = i64::try_from(all.len().checked_sub(digits.len())?).ok()?;
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        let power: i64 = power.parse().ok()?;
        let exponent = power.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(zeros)?;
        Some(Self { negative, digits: digits.to_owned(), exponent })
    }

    /// The value as an integer; `None` for a fraction.
    pub(crate) fn whole(&self) -> Option<WholeNumber> {
        if self.exponent < 0 {
            return None;
        }
        if self.negative {
            return Some(WholeNumber::Negative);
        }
        let scaled = || {
            let power = 10_u64.checked_pow(u32::try_from(self.exponent).ok()?)?;
            let digits: u64 = if self.digits.is_empty() { 0 } else { self.digits.parse().ok()? };
            digits.checked_mul(power)
        };
        Some(scaled().map_or(WholeNumber::Larger, WholeNumber::Unsigned))
    }

    /// The number's canonical text, which is a JSON number.
    pub(crate) fn text(&self) -> String {
        if self.digits.is_empty() {
            return "0".into();
        }
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, self.exponent)
    }
}

/// A JSON number that denotes an integer, in any notation: `2`, `2.0` and `20e-1` are the same integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WholeNumber {
    /// Zero or more.
    Unsigned(u64),
    /// Larger than the maximum of a `u64`.
    Larger,
    /// Less than zero.
    Negative,
}

impl WholeNumber {
    /// Parses a number; `None` for other texts and for fractions.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Decimal::read(text)?.whole()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pis_052_decimals_are_equal_by_value() {
        for same in [
            &["10", "10.0", "10.00", "010", "1e1", "1E+1", "100e-1", "0.1e2"][..],
            &["0", "0.00", "-0", "0e7", "00"],
            &["-1.5", "-1.50", "-15e-1"],
            &["123456789012345678901234567890.1", "123456789012345678901234567890.100"],
        ] {
            let read: Vec<_> = same.iter().map(|text| Decimal::read(text).unwrap()).collect();
            assert!(read.windows(2).all(|pair| pair[0] == pair[1]), "{same:?}");
        }
        assert_ne!(Decimal::read("10"), Decimal::read("10.01"));
        assert_ne!(Decimal::read("0.3"), Decimal::read("0.30000000000000004"), "PIS-125");
        assert_ne!(Decimal::read("1"), Decimal::read("-1"));
        for not in ["", ".", "1.", ".5", "e1", "1e", "+1", "1,0", "٣", "1e99999999999999999999"] {
            assert_eq!(Decimal::read(not), None, "{not}");
        }
    }

    #[test]
    fn an_integer_is_read_in_every_notation() {
        for (text, number) in [
            ("0", 0),
            ("-0", 0),
            ("2", 2),
            ("2.0", 2),
            ("20e-1", 2),
            ("0.2E1", 2),
            ("1e2", 100),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(WholeNumber::read(text), Some(WholeNumber::Unsigned(number)), "{text}");
        }
        for text in ["18446744073709551616", "1e20", "1e9999999999", "99999999999999999999999.0"] {
            assert_eq!(WholeNumber::read(text), Some(WholeNumber::Larger), "{text}");
        }
        for text in ["-1", "-1.0", "-1e9999999999"] {
            assert_eq!(WholeNumber::read(text), Some(WholeNumber::Negative), "{text}");
        }
        for text in ["", "1.5", "-1.5", "15e-1", "1e-9999999999", "\"2\"", "true", "[2]", "null"] {
            assert_eq!(WholeNumber::read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_number_and_its_one_text_are_equal(text in "-?[0-9]{1,30}(\\.[0-9]{1,9})?(e-?[0-9]{1,3})?") {
            let read = Decimal::read(&text).unwrap();
            prop_assert_eq!(Decimal::read(&read.text()), Some(read));
        }
    }
}
