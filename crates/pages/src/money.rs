//! Formats amounts and account numbers for customers.

use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::money::{Amount, CreditDebit, SignedAmount};

/// Formats an amount, such as `£1,234.50`, `€20.00` or `1,500 JPY`.
pub fn amount(amount: Amount) -> String {
    let figures = grouped(&amount.decimal());
    match amount.currency().code() {
        "GBP" => format!("£{figures}"),
        "EUR" => format!("€{figures}"),
        "USD" => format!("US${figures}"),
        other => format!("{figures} {other}"),
    }
}

/// Formats a signed amount; a negative one has a minus sign, such as `−£12.00`.
pub fn format_signed_amount(sum: SignedAmount) -> String {
    let figures = amount(sum.amount());
    match sum.direction() {
        CreditDebit::Credit => figures,
        CreditDebit::Debit => format!("\u{2212}{figures}"),
    }
}

/// Inserts commas between the thousands.
fn grouped(decimal: &str) -> String {
    let (whole, fraction) = decimal.split_once('.').map_or((decimal, None), |(whole, rest)| (whole, Some(rest)));
    let mut text = String::new();
    for (left, digit) in (0..whole.len()).rev().zip(whole.chars()) {
        text.push(digit);
        if left > 0 && left % 3 == 0 {
            text.push(',');
        }
    }
    match fraction {
        Some(fraction) => format!("{text}.{fraction}"),
        None => text,
    }
}

/// The minimum number of digits of a card number whose first six digits may be shown besides the last four.
const LONG_CARD_DIGITS: usize = 13;

/// Formats a payee's account number in full, in the groups by which people compare it. A roll number, which identifies the payee in a
/// collecting account, follows it. Of a card number, only the first six and the last four digits are shown, or only the last four if the
/// number is short.
pub(super) fn number(of: &AccountIdentification) -> String {
    match &of.secondary {
        Some(roll) => format!("{}, roll number {}", plain(of), super::text::message(roll)),
        None => plain(of),
    }
}

fn plain(of: &AccountIdentification) -> String {
    let characters: Vec<char> = of.number.chars().collect();
    match (of.scheme, characters.as_slice()) {
        (AccountScheme::SortCodeAccountNumber, [a, b, c, d, e, f, account @ ..]) => {
            format!("{a}{b}-{c}{d}-{e}{f} {}", account.iter().collect::<String>())
        }
        (AccountScheme::Iban, all) => {
            let groups: Vec<String> = all.chunks(4).map(|group| group.iter().collect()).collect();
            groups.join(" ")
        }
        (AccountScheme::Pan, [first @ .., a, b, c, d]) if characters.len() >= LONG_CARD_DIGITS => {
            let first: String = first.iter().take(6).collect();
            format!("Card {first}… ending {a}{b}{c}{d}")
        }
        (AccountScheme::Pan, [_, .., a, b, c, d]) => format!("Card ending {a}{b}{c}{d}"),
        (AccountScheme::Pan, _) => "Card".to_owned(),
        (
            AccountScheme::SortCodeAccountNumber | AccountScheme::Bban | AccountScheme::Paym | AccountScheme::Wallet,
            _,
        ) => super::text::name(&of.number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::money::Currency;

    #[test]
    fn amounts_are_grouped_and_carry_their_currency() {
        for (minor, currency, text) in [
            (0, Currency::GBP, "£0.00"),
            (123, Currency::GBP, "£1.23"),
            (12_345_678, Currency::EUR, "€123,456.78"),
            (100_000, Currency::USD, "US$1,000.00"),
            (1_500, "JPY".parse().unwrap(), "1,500 JPY"),
        ] {
            assert_eq!(amount(Amount::from_minor(minor, currency)), text);
        }
        assert_eq!(format_signed_amount(SignedAmount::from_minor(-100_050, Currency::GBP)), "\u{2212}£1,000.50");
    }

    #[test]
    fn numbers_are_whole_but_for_cards() {
        let of = |scheme, number: &str| super::number(&AccountIdentification::new(scheme, number));
        assert_eq!(of(AccountScheme::SortCodeAccountNumber, "08080021325698"), "08-08-00 21325698");
        assert_eq!(of(AccountScheme::Iban, "GB33BUKB20201555555555"), "GB33 BUKB 2020 1555 5555 55");
        assert_eq!(of(AccountScheme::Pan, "4000123412341234"), "Card 400012… ending 1234");
        assert_eq!(of(AccountScheme::Pan, "400012341234"), "Card ending 1234", "too short to show its beginning");
        assert_eq!(of(AccountScheme::Pan, "1234"), "Card");
        assert_eq!(of(AccountScheme::Paym, "+44-7700900123"), "+44-7700900123");
    }
}
