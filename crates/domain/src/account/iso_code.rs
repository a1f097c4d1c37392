//! Codes of ISO 20022's external code sets.

use std::fmt;
use std::str::FromStr;

/// A code of four capital letters or digits. The bank stores and shows such codes; none of its decisions depends on one, so
/// the code sets themselves are part of the JSON of the standard (`lombard-wire`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IsoCode([u8; 4]);

/// The text is not a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a code of four capital letters or digits")]
pub struct NotACode;

impl IsoCode {
    /// The code as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for IsoCode {
    type Err = NotACode;

    fn from_str(text: &str) -> Result<Self, NotACode> {
        let bytes = <[u8; 4]>::try_from(text.as_bytes()).map_err(|_| NotACode)?;
        let valid = bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if valid { Ok(Self(bytes)) } else { Err(NotACode) }
    }
}

impl fmt::Debug for IsoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for IsoCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for IsoCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::stored::read_text(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_four_capital_letters_or_digits() {
        assert_eq!("TELE".parse::<IsoCode>().unwrap().as_str(), "TELE");
        for wrong in ["", "TEL", "TELEX", "tele", "TÉL", "TE E"] {
            assert_eq!(wrong.parse::<IsoCode>(), Err(NotACode), "{wrong}");
        }
    }
}
