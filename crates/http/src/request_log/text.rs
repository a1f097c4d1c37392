//! Masks of text: words that could be credentials, parameters of forms and addresses.

use http::Uri;
use std::borrow::Cow;
use url::form_urlencoded;

/// Stands for what is not shown.
pub(super) const MASKED: &str = "[masked]";

/// Words from this length on are taken for credentials: tokens and codes have 43 characters, ids at most 40.
const CREDENTIAL_CHARS: usize = 41;

/// Runs of digits from this length on are taken for numbers of accounts or cards; those of a UUID have at most 12.
const NUMBER_DIGITS: usize = 13;

/// How many characters at the end of an account's number are shown.
const TAIL_CHARS: usize = 4;
/// A shorter number is not shown at all.
const TAIL_OF_CHARS_MIN: usize = 8;

/// The parameters of forms and addresses whose values are shown; all others are masked.
const SHOWN_PARAMETERS: [&str; 21] = [
    "acr_values",
    "client_assertion_type",
    "client_id",
    "code_challenge_method",
    "error",
    "error_description",
    "fromBookingDateTime",
    "fromStatementDateTime",
    "grant_type",
    "iss",
    "max_age",
    "prompt",
    "redirect_uri",
    "requested_expiry",
    "response_mode",
    "response_type",
    "scope",
    "toBookingDateTime",
    "toStatementDateTime",
    "token_type_hint",
    "ui_locales",
];

/// The text, with a mask in the place of every word that could be a credential or the number of an account.
pub(super) fn without_secrets(text: &str) -> Cow<'_, str> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_-+=".contains(character);
    let mut shown = String::new();
    let mut rest = text;
    let mut is_masked = false;
    while !rest.is_empty() {
        let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let gap =
            rest.get(word..).and_then(|after| after.find(is_word)).map_or(rest.len(), |at| word.saturating_add(at));
        let (here, after) = rest.split_at(gap);
        let (word, between) = here.split_at(word);
        if word.len() >= CREDENTIAL_CHARS || holds_number(word) {
            is_masked = true;
            shown.push_str(MASKED);
        } else {
            shown.push_str(word);
        }
        shown.push_str(between);
        rest = after;
    }
    if is_masked { Cow::Owned(shown) } else { Cow::Borrowed(text) }
}

fn holds_number(word: &str) -> bool {
    word.split(|character: char| !character.is_ascii_digit()).any(|digits| digits.len() >= NUMBER_DIGITS)
}

/// The end of a number of an account, behind a mask.
pub(super) fn tail(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() < TAIL_OF_CHARS_MIN {
        return MASKED.to_owned();
    }
    let end: String = characters.iter().skip(characters.len().saturating_sub(TAIL_CHARS)).collect();
    if end.chars().all(|character| character.is_ascii_digit()) { format!("{MASKED}{end}") } else { MASKED.to_owned() }
}

/// The target of a request, as far as it is shown.
pub(super) fn target(uri: &Uri) -> String {
    let path = without_secrets(uri.path());
    match uri.query() {
        None => path.into_owned(),
        Some(query) => format!("{path}?{}", query_string(query)),
    }
}

/// An address, its parameters masked as those of a form are.
pub(super) fn address(text: &str) -> String {
    let (text, fragment) = text.split_once('#').map_or((text, None), |(before, after)| (before, Some(after)));
    let (base, query) = text.split_once('?').map_or((text, None), |(before, after)| (before, Some(after)));
    let mut shown = without_secrets(base).into_owned();
    for (sign, parameters) in [('?', query), ('#', fragment)] {
        if let Some(parameters) = parameters {
            shown.push(sign);
            shown.push_str(&query_string(parameters));
        }
    }
    shown
}

fn query_string(encoded: &str) -> String {
    let pairs = parameters(encoded.as_bytes()).map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<_>>().join("&")
}

/// The parameters of a form, decoded and masked.
pub(super) fn parameters(encoded: &[u8]) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(encoded).map(|(name, value)| {
        let shown = parameter(&name, &value);
        (without_secrets(&name).into_owned(), shown)
    })
}

fn parameter(name: &str, value: &str) -> String {
    match name {
        "redirect_uri" => address(value),
        name if SHOWN_PARAMETERS.contains(&name) => without_secrets(value).into_owned(),
        _ => MASKED.to_owned(),
    }
}
