//! Finds the numbers of accounts and cards in a text, however their digits are grouped.

use std::ops::Range;

/// The number of digits from which on they count as an account or card number: a sort code and an account number have 14.
const NUMBER_DIGITS: usize = 13;
/// The most bytes between two groups of a number: three characters that are not ASCII.
const BETWEEN_MAX: usize = 9;
/// The length of an IBAN. Source: ISO 13616.
const IBAN_CHARS: std::ops::RangeInclusive<usize> = 15..=34;
/// The length of each country's IBANs. Source: ISO 13616, the registry of SWIFT.
#[rustfmt::skip]
const IBAN_LENGTHS: [(&[u8; 2], usize); 89] = [
    (b"AD", 24), (b"AE", 23), (b"AL", 28), (b"AT", 20), (b"AZ", 28), (b"BA", 20), (b"BE", 16), (b"BG", 22),
    (b"BH", 22), (b"BI", 27), (b"BR", 29), (b"BY", 28), (b"CH", 21), (b"CR", 22), (b"CY", 28), (b"CZ", 24),
    (b"DE", 22), (b"DJ", 27), (b"DK", 18), (b"DO", 28), (b"EE", 20), (b"EG", 29), (b"ES", 24), (b"FI", 18),
    (b"FK", 18), (b"FO", 18), (b"FR", 27), (b"GB", 22), (b"GE", 22), (b"GI", 23), (b"GL", 18), (b"GR", 27),
    (b"GT", 28), (b"HN", 28), (b"HR", 21), (b"HU", 28), (b"IE", 22), (b"IL", 23), (b"IQ", 23), (b"IS", 26),
    (b"IT", 27), (b"JO", 30), (b"KW", 30), (b"KZ", 20), (b"LB", 28), (b"LC", 32), (b"LI", 21), (b"LT", 20),
    (b"LU", 20), (b"LV", 21), (b"LY", 25), (b"MC", 27), (b"MD", 24), (b"ME", 22), (b"MK", 19), (b"MN", 20),
    (b"MR", 27), (b"MT", 31), (b"MU", 30), (b"NI", 28), (b"NL", 18), (b"NO", 15), (b"OM", 23), (b"PK", 24),
    (b"PL", 28), (b"PS", 29), (b"PT", 25), (b"QA", 29), (b"RO", 24), (b"RS", 22), (b"RU", 33), (b"SA", 24),
    (b"SC", 31), (b"SD", 18), (b"SE", 24), (b"SI", 19), (b"SK", 24), (b"SM", 27), (b"SO", 23), (b"ST", 25),
    (b"SV", 28), (b"TL", 23), (b"TN", 24), (b"TR", 26), (b"UA", 29), (b"VA", 22), (b"VG", 24), (b"XK", 20),
    (b"YE", 30),
];
/// The lengths of the groups of a UUID.
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
/// The number of characters of a UUID.
const UUID_CHARS: usize = 36;

/// The positions of account and card numbers, in order. A UUID does not count, even if it consists of digits.
pub(super) fn account_numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut place = 0_usize;
    while let Some(byte) = bytes.get(place) {
        let before = place.checked_sub(1).and_then(|before| bytes.get(before));
        let begins = !before.is_some_and(u8::is_ascii_alphanumeric);
        let rest = bytes.get(place..).unwrap_or_default();
        let length = match byte {
            b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' if begins && is_uuid(rest) => {
                place = place.saturating_add(UUID_CHARS);
                continue;
            }
            b'A'..=b'Z' if begins => iban(rest).or_else(|| iban_of_any_case(rest)),
            b'a'..=b'z' if begins => iban_of_any_case(rest),
            b'0'..=b'9' => number(rest),
            _ => None,
        };
        let end = place.saturating_add(length.unwrap_or(1));
        if length.is_some() {
            numbers.push(place..end);
        }
        place = end;
    }
    numbers
}

/// The length of the number at the start of the text, if it has enough digits. The number ends with a digit.
fn number(text: &[u8]) -> Option<usize> {
    let mut digits = 0_usize;
    let mut end = 0_usize;
    for (place, byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            digits = digits.saturating_add(1);
            end = place.saturating_add(1);
        } else if !is_between(*byte) || place.saturating_sub(end) >= BETWEEN_MAX {
            break;
        }
    }
    (digits >= NUMBER_DIGITS).then_some(end)
}

/// As [`iban`], in any case of letters. Because ids contain such letters too, the length must be that of the country's IBANs.
fn iban_of_any_case(text: &[u8]) -> Option<usize> {
    let [first, second, b'0'..=b'9', b'0'..=b'9', ..] = text else { return None };
    let country = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let (_, length) = IBAN_LENGTHS.iter().find(|(of, _)| **of == country)?;
    let mut end = 0_usize;
    let mut compact: Vec<u8> = Vec::new();
    for (place, byte) in text.iter().enumerate() {
        if byte.is_ascii_alphanumeric() {
            compact.push(byte.to_ascii_uppercase());
            end = place.saturating_add(1);
            if compact.len() >= *length {
                break;
            }
        } else if !is_between(*byte) || place.saturating_sub(end) >= BETWEEN_MAX {
            break;
        }
    }
    let ends = !text.get(end).is_some_and(u8::is_ascii_alphanumeric);
    (ends && compact.len() == *length && is_iban(&compact)).then_some(end)
}

/// The length of the IBAN at the start of the text, if its check digits are correct.
fn iban(text: &[u8]) -> Option<usize> {
    let mut compact: Vec<u8> = Vec::new();
    let mut end = 0_usize;
    let mut found = None;
    for (place, byte) in text.iter().enumerate() {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            compact.push(*byte);
            end = place.saturating_add(1);
            let ends = !text.get(end).is_some_and(u8::is_ascii_alphanumeric);
            if compact.len() > *IBAN_CHARS.end() {
                break;
            }
            if ends && IBAN_CHARS.contains(&compact.len()) && is_iban(&compact) {
                found = Some(end);
            }
        } else if !is_between(*byte) || place.saturating_sub(end) >= BETWEEN_MAX {
            break;
        }
    }
    found
}

/// Whether the text begins with two letters and two digits, and its remainder modulo 97 is 1. Source: ISO 7064, MOD 97-10.
fn is_iban(compact: &[u8]) -> bool {
    let Some((head, tail)) = compact.split_at_checked(4) else { return false };
    let has_head = matches!(head, [a, b, c, d]
        if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit());
    let remainder = tail.iter().chain(head).fold(0_u32, |rest, byte| match char::from(*byte).to_digit(36) {
        Some(value) if value > 9 => rest.saturating_mul(100).saturating_add(value) % 97,
        Some(value) => rest.saturating_mul(10).saturating_add(value) % 97,
        None => rest,
    });
    has_head && remainder == 1
}

fn is_uuid(text: &[u8]) -> bool {
    let Some(text) = text.get(..UUID_CHARS) else { return false };
    let mut groups = text.split(|byte| *byte == b'-');
    UUID_GROUPS.iter().all(|length| {
        groups.next().is_some_and(|group| group.len() == *length && group.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Whether a byte may group digits. All non-ASCII bytes count, because Unicode has many spaces and dashes, and so do control characters.
const fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'-' | b'.' | b'_' | b'+' | b'*' | b'~') || !byte.is_ascii() || byte.is_ascii_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_accounts_are_found_however_they_are_grouped() {
        for (text, found) in [
            ("20000012345671", "20000012345671"),
            ("of 20-00-00 12345671.", "20-00-00 12345671"),
            ("20\u{2013}00\u{2013}00\u{a0}12345671", "20\u{2013}00\u{2013}00\u{a0}12345671"),
            ("4929 0000 0000 6 x", "4929 0000 0000 6"),
            ("20\t00\r\n00\u{2009}\u{2013}\u{2009}12345671", "20\t00\r\n00\u{2009}\u{2013}\u{2009}12345671"),
            ("to NL91 ABNA 0417 1643 00 now", "NL91 ABNA 0417 1643 00"),
            ("NL91ABNA0417164300", "NL91ABNA0417164300"),
            ("NL92ABNA0417164300", ""),
            ("nl91abna0417164300", "nl91abna0417164300"),
            ("of nl91 Abna 0417 1643 00 now", "nl91 Abna 0417 1643 00"),
            ("nl92abna0417164300", ""),
            ("nl91abna04171643000", ""),
            ("12345678-1234-1234-1234-123456789012", ""),
            ("2026-01-02T03:04:05.678+00:00", ""),
            ("192.168.100.100", ""),
        ] {
            let numbers: Vec<&str> = account_numbers(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(numbers, if found.is_empty() { vec![] } else { vec![found] }, "{text}");
        }
    }
}
