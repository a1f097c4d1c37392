//! Base64url, as used by JOSE, and standard Base64.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// The bytes in base64url without padding. Source: RFC 7515 section 2.
pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes in standard Base64 with padding. Source: RFC 4648 section 4.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes base64url. `None` for padding, another alphabet, white space, or non-zero trailing bits, so that every byte string has exactly
/// one accepted encoding.
pub fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Decodes standard Base64; `None` without its padding, for another alphabet, white space, or non-zero trailing bits.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_one_strict_form_is_read() {
        let table: [(&str, Option<&[u8]>); 8] = [
            ("", Some(b"")),
            ("A-z_4ECBAw", Some(&[3, 236, 255, 224, 64, 129, 3])),
            ("_w", Some(&[255])),
            ("_x", None),   // bits left over
            ("_w==", None), // padding
            ("+/8", None),  // the other alphabet
            ("_w ", None),
            ("_", None),
        ];
        for (text, bytes) in table {
            assert_eq!(from_base64url(text).as_deref(), bytes, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(bytes: Vec<u8>) {
            prop_assert_eq!(from_base64url(&base64url(&bytes)), Some(bytes.clone()));
            prop_assert_eq!(from_base64(&base64(&bytes)), Some(bytes));
        }

        #[test]
        fn what_is_read_was_written(text in "[A-Za-z0-9_=+/-]{0,12}") {
            if let Some(bytes) = from_base64url(&text) {
                prop_assert_eq!(&base64url(&bytes), &text);
            }
            if let Some(bytes) = from_base64(&text) {
                prop_assert_eq!(base64(&bytes), text);
            }
        }
    }
}
