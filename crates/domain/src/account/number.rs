//! Account identifications: their form in each scheme, and the comparison of two of them. Source: PIS-114 to PIS-118.

use super::{AccountIdentification, AccountScheme};
use std::borrow::Cow;

impl AccountScheme {
    /// Every scheme.
    pub const ALL: [Self; 6] =
        [Self::Bban, Self::Iban, Self::Pan, Self::Paym, Self::SortCodeAccountNumber, Self::Wallet];

    /// Whether the text is a valid identification in the scheme, by its form and check digits. White space and
    /// separators are not removed first. Source: PIS-114.
    pub fn accepts_number(self, number: &str) -> bool {
        match self {
            Self::SortCodeAccountNumber => number.len() == 14 && all_digits(number),
            Self::Iban => is_iban(number),
            Self::Bban => (1..=30).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_alphanumeric()),
            Self::Pan => (12..=19).contains(&number.len()) && all_digits(number) && passes_luhn(number),
            Self::Paym => is_mobile_number(number),
            Self::Wallet => (1..=256).contains(&number.chars().count()),
        }
    }

    /// Whether the scheme allows a secondary identification. Source: PIS-116.
    pub const fn accepts_secondary(self) -> bool {
        match self {
            Self::SortCodeAccountNumber | Self::Iban | Self::Bban => true,
            Self::Pan | Self::Paym | Self::Wallet => false,
        }
    }
}

impl AccountIdentification {
    /// An identification without anything that the standard leaves optional.
    pub fn new(scheme: AccountScheme, number: impl Into<String>) -> Self {
        Self { scheme, number: number.into(), name: None, secondary: None, proxy: None }
    }

    /// Whether both certainly identify the same account: equal identification and secondary identification, in the same
    /// scheme or as a British IBAN and the sort code and account number that it contains. Source: PIS-118.
    pub fn is_same_account(&self, other: &Self) -> bool {
        self.secondary == other.secondary && self.bare() == other.bare()
    }

    /// The scheme and identification in their simplest form. Source: PIS-118.
    fn bare(&self) -> (AccountScheme, Cow<'_, str>) {
        match self.scheme {
            AccountScheme::Iban => match british(&self.number) {
                Some(number) => (AccountScheme::SortCodeAccountNumber, Cow::Borrowed(number)),
                None => (self.scheme, Cow::Borrowed(&self.number)),
            },
            AccountScheme::Bban
            | AccountScheme::Pan
            | AccountScheme::Paym
            | AccountScheme::SortCodeAccountNumber
            | AccountScheme::Wallet => (self.scheme, Cow::Borrowed(&self.number)),
        }
    }
}

/// The sort code and account number in a British IBAN: the last 14 of 22 characters.
fn british(iban: &str) -> Option<&str> {
    let inside = iban.strip_prefix("GB").filter(|_| iban.len() == 22)?.get(6..)?;
    all_digits(inside).then_some(inside)
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

/// Checks the country, the check digits, the length of 11 to 30 letters and digits, and ISO 7064 (mod 97-10).
fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((head, body)) = bytes.split_at_checked(4) else { return false };
    let form = matches!(head, [a, b, c, d] if a.is_ascii_uppercase() && b.is_ascii_uppercase()
        && c.is_ascii_digit() && d.is_ascii_digit())
        && (11..=30).contains(&body.len())
        && body.iter().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    // A letter counts as two digits: A is 10, Z is 35.
    let remainder = body.iter().chain(head).try_fold(0_u32, |sum, it| {
        let value = char::from(*it).to_digit(36)?;
        let shifted = sum.checked_mul(if value < 10 { 10 } else { 100 })?;
        shifted.checked_add(value).map(|sum| sum % 97)
    });
    form && remainder == Some(1)
}

/// The check digit of ISO/IEC 7812-1, annex B.
fn passes_luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .chars()
        .rev()
        .filter_map(|it| it.to_digit(10))
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit) {
            (0, digit) => digit,
            (_, digit @ 0..=4) => digit.saturating_mul(2),
            (_, digit) => digit.saturating_mul(2).saturating_sub(9),
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A British mobile number, national or international.
fn is_mobile_number(text: &str) -> bool {
    let rest = text.strip_prefix("+44").or_else(|| text.strip_prefix('0'));
    rest.is_some_and(|rest| rest.len() == 10 && rest.starts_with('7') && all_digits(rest))
}

#[cfg(test)]
mod tests {
    use super::AccountScheme as S;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pis_114_each_scheme_accepts_its_own_numbers() {
        for (scheme, good, bad) in [
            (
                S::SortCodeAccountNumber,
                &["08080021325698", "00000000000000"][..],
                &["", "0808002132569", "080800213256981", "08-08-00 21325698", "0808002132569٨", "0808002132569a"][..],
            ),
            (
                S::Iban,
                &[
                    "GB33BUKB20201555555555",
                    "DE89370400440532013000",
                    "NO9386011117947",
                    "MT84MALT011000012345MTLCAST001S",
                ],
                &[
                    "",
                    "GB33",
                    "GB33BUKB20201555555556",
                    "GB33 BUKB 2020 1555 5555 55",
                    "gb33BUKB20201555555555",
                    "GB33bukb20201555555555",
                    "1233BUKB20201555555555",
                ],
            ),
            (S::Bban, &["1", "BUKB20201555555555", "a"], &["", "12-34", "1234567890123456789012345678901", "é"]),
            (
                S::Pan,
                &["4111111111111111", "5555555555554444", "378282246310005", "6011000990139424"],
                &["", "4111111111111112", "4111 1111 1111 1111", "41111111", "41111111111111111111111"],
            ),
            (S::Paym, &["+447700900123", "07700900123"], &["", "0770090012", "+337700900123", "01234567890"]),
            (S::Wallet, &["w"], &[""]),
        ] {
            assert!(good.iter().all(|number| scheme.accepts_number(number)), "{scheme:?}");
            assert!(!bad.iter().any(|number| scheme.accepts_number(number)), "{scheme:?}");
        }
    }

    #[test]
    fn pis_116_roll_numbers_go_with_bank_accounts_only() {
        let with: Vec<_> = S::ALL.into_iter().filter(|scheme| scheme.accepts_secondary()).collect();
        assert_eq!(with, [S::Bban, S::Iban, S::SortCodeAccountNumber]);
    }

    #[test]
    fn pis_118_a_british_iban_names_the_account_inside_it() {
        let account = |scheme, number: &str, secondary: Option<&str>| AccountIdentification {
            scheme,
            number: number.into(),
            name: Some("Anybody".into()),
            secondary: secondary.map(str::to_owned),
            proxy: None,
        };
        let iban = account(S::Iban, "GB33BUKB20201555555555", None);
        let plain = account(S::SortCodeAccountNumber, "20201555555555", None);
        assert!(iban.is_same_account(&plain) && plain.is_same_account(&iban) && plain.is_same_account(&plain));
        assert!(!plain.is_same_account(&account(S::SortCodeAccountNumber, "20201555555556", None)));
        assert!(!plain.is_same_account(&account(S::SortCodeAccountNumber, "20201555555555", Some("roll 7"))));
        assert!(!plain.is_same_account(&account(S::Bban, "20201555555555", None)));
    }

    proptest! {
        #[test]
        fn any_single_wrong_digit_of_a_card_or_an_iban_is_detected(at in 0_usize..14, by in 1_u32..10) {
            let change = |number: &str, from: usize| -> String {
                number.chars().enumerate().map(|(index, letter)| match letter.to_digit(10) {
                    Some(digit) if index == from.saturating_add(at) => char::from_digit(digit.saturating_add(by) % 10, 10).unwrap(),
                    _ => letter,
                }).collect()
            };
            prop_assert!(!S::Pan.accepts_number(&change("4111111111111111", 1)));
            prop_assert!(!S::Iban.accepts_number(&change("GB33BUKB20201555555555", 8)));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}") {
            for scheme in S::ALL { let _ = scheme.accepts_number(&text); }
        }
    }
}
