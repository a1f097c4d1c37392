//! Values that are parsed as they are written.

use crate::document::Decimal;

/// The kind of a JSON value, by how it is written, for messages.
pub(crate) fn kind_of_notation(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(b'-') => "a negative number",
        _ if text.contains(['.', 'e', 'E']) => "a number with a fraction or an exponent",
        _ => "this number",
    }
}

/// A JSON number that denotes an integer, in any notation: `2`, `2.0` and `20e-1` are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WholeNumber {
    /// Zero or more.
    Unsigned(u64),
    /// More than a `u64` holds.
    Larger,
    /// Less than zero.
    Negative,
}

impl WholeNumber {
    /// Reads a number; `None` for other texts and for numbers that are no integers.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Decimal::read(text)?.whole()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
