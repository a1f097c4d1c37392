//! Numbers of payment requests, parsed without floating point. Source: PIS-125.

use crate::parse::{FaultCollector, FromJson, JsonMember, JsonPath, kind_of_notation};
use rust_decimal::Decimal;

/// An exact JSON number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) Decimal);

impl FromJson for Number {
    const WANTED: &'static str = "a number of at most 28 digits";

    const IS_NOTATION: bool = true;

    fn notation(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> JsonMember<Self> {
        match (text, exact(text)) {
            ("null", _) => JsonMember::Null,
            (_, Some(number)) => JsonMember::Value(Self(number)),
            (_, None) => {
                reader.wrong_type(at, Self::WANTED, kind_of_notation(text));
                JsonMember::Faulty
            }
        }
    }
}

/// The value of a JSON number's text; `None` for other texts, and if it cannot be represented exactly.
pub(super) fn exact(text: &str) -> Option<Decimal> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let power: i64 = power.parse().ok()?;
    let number = Decimal::from_str_exact(mantissa).ok()?.normalize();
    if number.is_zero() {
        return Some(Decimal::ZERO);
    }
    let scale = i64::from(number.scale()).checked_sub(power)?;
    let shift = u32::try_from(scale.min(0).checked_neg()?).ok()?;
    let digits = number.mantissa().checked_mul(10_i128.checked_pow(shift)?)?;
    Decimal::try_from_i128_with_scale(digits, u32::try_from(scale.max(0)).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pis_125_numbers_are_read_to_their_last_digit() {
        for (text, value) in [
            ("1.34", "1.34"),
            ("134e-2", "1.34"),
            ("0.134E+1", "1.34"),
            ("1e3", "1000"),
            ("0", "0"),
            ("-0.0", "0"),
            ("0e999", "0"),
            ("-12.50", "-12.5"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("12345678901234567890.12345678", "12345678901234567890.12345678"),
        ] {
            assert_eq!(exact(text), Some(value.parse().unwrap()), "{text}");
        }
        for lost in ["1e29", "1e-29", "1e999999999999", "99999999999999999999999999999.1", "\"1\"", "true", "[1]", ""] {
            assert_eq!(exact(lost), None, "{lost}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_parsed_exactly(digits in -1_000_000_000_000_i64..1_000_000_000_000, scale in 0_u32..10, power in -6_i32..6) {
            let written = Decimal::new(digits, scale);
            let shifted = exact(&format!("{written}e{power}")).unwrap();
            let by = Decimal::from(10_u64.pow(power.unsigned_abs()));
            prop_assert_eq!(if power < 0 { shifted.checked_mul(by) } else { written.checked_mul(by) },
                if power < 0 { Some(written) } else { Some(shifted) });
        }
    }
}
