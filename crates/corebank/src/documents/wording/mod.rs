//! The texts of a statement: dates, amounts, codes in words, and addresses.

mod codes;

pub(super) use codes::{
    about_fee, about_interest, amount_kind, benefit_kind, date_kind, fee_kind, interest_kind, rate_kind, title,
    value_kind,
};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lombard_domain::account::{
    AccountIdentification, AccountParty, AccountScheme, PartyType, PostalAddress, Transaction,
};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::text::without_hidden_characters;

/// The minus sign. Screen readers read it, but skip a hyphen.
const MINUS: char = '\u{2212}';

/// The day of an instant. The bank's days are UTC.
pub(super) fn date(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// A date such as `3 October 2026`.
pub(super) fn long_date(at: Timestamp) -> String {
    date(at).strftime("%-d %B %Y").to_string()
}

/// A date such as `3 Oct 2026`.
pub(super) fn short_date(at: Timestamp) -> String {
    date(at).strftime("%-d %b %Y").to_string()
}

/// An amount without its currency, such as `1,234.56`.
pub(super) fn amount(amount: Amount) -> String {
    let decimal = amount.decimal();
    let (whole, fraction) = decimal.split_once('.').map_or((decimal.as_str(), ""), |parts| parts);
    let mut written = String::with_capacity(decimal.len().saturating_mul(2));
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && whole.len().saturating_sub(index).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    if !fraction.is_empty() {
        written.push('.');
        written.push_str(fraction);
    }
    written
}

/// A signed amount without its currency, such as `1,234.56` or `−1,234.56`.
pub(super) fn signed(sum: SignedAmount) -> String {
    let written = amount(sum.amount());
    if sum.minor() < 0 { format!("{MINUS}{written}") } else { written }
}

/// A signed amount with its currency, such as `£1,234.56`, `−£1,234.56` or `CHF 1.00`.
pub(super) fn money(sum: SignedAmount) -> String {
    let sign = if sum.minor() < 0 { MINUS.to_string() } else { String::new() };
    format!("{sign}{}{}", unit(sum.currency()), amount(sum.amount()))
}

/// An amount with its currency, such as `£1,234.56`.
pub(super) fn unsigned_money(sum: Amount) -> String {
    format!("{}{}", unit(sum.currency()), amount(sum))
}

/// The prefix of an amount: the currency's symbol or its code.
fn unit(currency: Currency) -> String {
    match currency.code() {
        "GBP" => "£".to_owned(),
        "EUR" => "€".to_owned(),
        "USD" => "US$".to_owned(),
        code => format!("{code} "),
    }
}

/// A text on one line without control characters and without bidirectional or invisible formatting characters.
pub(super) fn printable(text: &str) -> String {
    let blank = |character: char| if character.is_control() || character.is_whitespace() { ' ' } else { character };
    let flat: String = without_hidden_characters(text).chars().map(blank).collect();
    flat.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The description of an entry: the entry's own text, or else the words for its code.
pub(super) fn what(entry: &Transaction) -> String {
    let said = entry.information.as_deref().or_else(|| other_party(entry)).or(entry.reference.as_deref());
    said.map(printable)
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| if entry.sum.minor() < 0 { "Money out" } else { "Money in" }.to_owned())
}

/// The counterparty of an entry.
pub(super) fn other_party(entry: &Transaction) -> Option<&str> {
    let merchant = entry.merchant.as_ref().map(|merchant| merchant.name.as_str());
    merchant.or_else(|| entry.other_party.as_ref()?.account.as_ref()?.name.as_deref())
}

/// The additional lines of an entry: counterparty, reference, card, conversion and charge.
pub(super) fn notes(entry: &Transaction) -> Vec<String> {
    let mut notes = Vec::new();
    let shown = what(entry);
    for text in [other_party(entry), entry.reference.as_deref()].into_iter().flatten().map(printable) {
        if !text.is_empty() && !shown.contains(&text) {
            notes.push(text);
        }
    }
    let card = entry.card.as_ref().and_then(|card| card.number.as_deref()).map(last_four);
    if let Some(last) = card.filter(|last| !last.is_empty()) {
        notes.push(format!("Card ending {last}"));
    }
    if let Some(exchange) = &entry.exchange {
        let instructed = exchange.instructed.map(|sum| format!("{} ", unsigned_money(sum))).unwrap_or_default();
        let (source, target, rate) = (exchange.source, exchange.target, exchange.rate.0);
        notes.push(format!("{instructed}converted from {source} to {target} at {rate}"));
    }
    if let Some(charge) = entry.charge {
        notes.push(format!("Charge {}", unsigned_money(charge)));
    }
    notes
}

/// A card number masked except for its last four digits. Source: AIS-052, AIS-053.
pub(super) fn masked(number: &str) -> String {
    format!("**** **** **** {}", last_four(number)).trim_end().to_owned()
}

/// The last four digits of a number, or nothing if the number has fewer than four other digits.
fn last_four(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    let last = digits.len().checked_sub(4).filter(|hidden| *hidden >= 4);
    last.and_then(|hidden| digits.get(hidden..)).unwrap_or_default().iter().collect()
}

/// The labelled, formatted numbers of an account identification.
pub(super) fn numbers(identification: &AccountIdentification) -> Vec<(&'static str, String)> {
    let number = printable(&identification.number);
    match identification.scheme {
        AccountScheme::SortCodeAccountNumber => match number.split_at_checked(6) {
            Some((sort_code, account)) if number.is_ascii() => {
                vec![("Sort code", in_groups(sort_code, 2, "-")), ("Account number", account.to_owned())]
            }
            _ => vec![("Account number", number)],
        },
        AccountScheme::Iban => vec![("IBAN", in_groups(&number, 4, " "))],
        AccountScheme::Pan => vec![("Card number", masked(&number))],
        AccountScheme::Bban => vec![("Account number", number)],
        AccountScheme::Paym => vec![("Mobile number", number)],
        AccountScheme::Wallet => vec![("Wallet", number)],
    }
}

fn in_groups(text: &str, size: usize, between: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(between)
}

/// The addressees of a statement: the owners' names and the first address found.
pub(super) fn addressed_to(parties: &[AccountParty]) -> (Vec<String>, Vec<String>) {
    let owners = || parties.iter().filter(|party| !matches!(party.kind, PartyType::Delegate)).map(|own| &own.party);
    let names = owners().filter_map(|party| party.full_legal_name.clone().or_else(|| party.name.clone()));
    let place = owners().find_map(|party| party.addresses.first()).map(address).unwrap_or_default();
    (shown(names), shown(place.into_iter()))
}

fn shown(lines: impl Iterator<Item = String>) -> Vec<String> {
    lines.map(|line| printable(&line)).filter(|line| !line.is_empty()).collect()
}

/// The lines of an address. The country is left out for the United Kingdom.
fn address(of: &PostalAddress) -> Vec<String> {
    let street: Vec<_> = [&of.building, &of.street].into_iter().flatten().cloned().collect();
    let mut lines: Vec<_> = [&of.department, &of.sub_department].into_iter().flatten().cloned().collect();
    lines.extend(of.lines.iter().cloned());
    lines.push(street.join(" "));
    lines.extend([&of.town, &of.county, &of.post_code].into_iter().flatten().cloned());
    lines.extend(of.country.iter().filter(|country| country.as_str() != "GB").cloned());
    lines.dedup();
    lines
}
