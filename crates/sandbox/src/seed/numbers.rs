//! Computes account and card numbers with valid check digits, so that they pass a TPP's validation.

/// A card number: the test prefix and body with its Luhn digit at the end.
pub(super) fn card_number(body: &str) -> String {
    let check = (0..10).map(|digit| format!("{body}{digit}")).find(|number| passes_luhn(number));
    check.unwrap_or_default()
}

/// Whether the Luhn digit of a card number is correct. Source: ISO/IEC 7812-1, annex B.
pub(super) fn passes_luhn(number: &str) -> bool {
    let sum = number.chars().rev().enumerate().try_fold(0_u32, |sum, (place, digit)| {
        let digit = digit.to_digit(10)?;
        let doubled = digit.checked_mul(2)?;
        let counted = match (place.is_multiple_of(2), doubled > 9) {
            (true, _) => digit,
            (false, true) => doubled.checked_sub(9)?,
            (false, false) => doubled,
        };
        sum.checked_add(counted)
    });
    sum.is_some_and(|sum| sum.is_multiple_of(10))
}

/// An IBAN: the country's account number with its two check digits. Source: ISO 13616-1, section 6.
pub(super) fn iban(country: &str, bban: &str) -> String {
    let remainder = iban_remainder(&format!("{country}00{bban}")).unwrap_or(0);
    format!("{country}{:02}{bban}", 98_u32.saturating_sub(remainder))
}

/// The remainder of an IBAN by 97, which is 1 if the check digits are correct. `None` for characters that no IBAN has.
pub(super) fn iban_remainder(iban: &str) -> Option<u32> {
    let (head, tail) = iban.split_at_checked(4)?;
    tail.chars().chain(head.chars()).try_fold(0_u32, |remainder, character| {
        let value = character.to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        remainder.checked_mul(shift)?.checked_add(value)?.checked_rem(97)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_numbers_check() {
        assert!(passes_luhn("4111111111111111") && passes_luhn("5555555555554444"));
        assert!(!passes_luhn("4111111111111112") && !passes_luhn("411111111111111x"));
        assert_eq!(iban("GB", "WEST12345698765432"), "GB82WEST12345698765432");
        assert_eq!(iban("DE", "370400440532013000"), "DE89370400440532013000");
        assert_eq!(iban_remainder("GB82WEST12345698765433").map(|rest| rest == 1), Some(false));
    }

    proptest! {
        #[test]
        fn every_number_made_here_passes_its_check(body in "[0-9]{15}", bban in "[A-Z]{4}[0-9]{14}") {
            let card = card_number(&body);
            prop_assert!(card.len() == 16 && passes_luhn(&card));
            let iban = iban("GB", &bban);
            prop_assert_eq!((iban.len(), iban_remainder(&iban)), (22, Some(1)));
        }
    }
}
