//! Masks text: words that could be credentials, and parameters of forms and addresses.

use super::numbers::account_numbers;
use http::{Method, Uri};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use url::form_urlencoded;

/// The text in place of a masked value.
pub(super) const MASKED: &str = "[masked]";

/// The length from which on a word counts as a credential: tokens and codes have 43 characters, ids at most 40.
const CREDENTIAL_CHARS: usize = 41;

/// The length from which on a run of digits counts as an account or card number; those of a UUID have at most 12.
const NUMBER_DIGITS: usize = 13;

/// One more than the number of nested percent-encodings that are decoded; a text with more is masked.
const ENCODINGS_MAX: usize = 5;

/// The most characters of a shown parameter or member name.
const NAME_CHARS_MAX: usize = 40;
/// The length from which on a run of digits in a name may be an account number.
const NAME_DIGITS: usize = 8;
/// The most recorded characters of a method. The longest registered standard method has 15.
const METHOD_CHARS_MAX: usize = 15;

/// The number of shown characters at the end of an account number.
const TAIL_CHARS: usize = 4;
/// The length below which an account number is not shown at all.
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

/// Masks every word that could be a credential or an account number.
///
/// Percent-encoded text is decoded first, and numbers are found even if characters group their digits.
pub(super) fn without_secrets(text: &str) -> Cow<'_, str> {
    let Some(decoded) = decoded(text) else { return Cow::Borrowed(MASKED) };
    let numbers = account_numbers(&decoded);
    if numbers.is_empty() && !may_hold_secret(&decoded) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(decoded.len());
    let mut end = 0;
    for number in numbers {
        shown.push_str(&without_credentials(decoded.get(end..number.start).unwrap_or_default()));
        shown.push_str(MASKED);
        end = number.end;
    }
    shown.push_str(&without_credentials(decoded.get(end..).unwrap_or_default()));
    Cow::Owned(shown)
}

/// Decodes all nested percent-encodings of a text; `None` if there are too many.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    let mut decoded = Cow::Borrowed(text);
    for _ in 0..ENCODINGS_MAX {
        match percent_decode_str(&decoded).decode_utf8_lossy() {
            Cow::Borrowed(_) => return Some(decoded),
            Cow::Owned(plainer) => decoded = Cow::Owned(plainer),
        }
    }
    None
}

/// Masks every word that is long enough to be a credential.
fn without_credentials(text: &str) -> Cow<'_, str> {
    if !may_hold_secret(text) {
        return Cow::Borrowed(text);
    }
    let is_word = |character: char| u8::try_from(character).is_ok_and(is_word_byte);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(|character| !is_word(character)).unwrap_or(rest.len()));
        let (between, after) = after.split_at(after.find(is_word).unwrap_or(after.len()));
        shown.push_str(if may_hold_secret(word) { MASKED } else { word });
        shown.push_str(between);
        rest = after;
    }
    Cow::Owned(shown)
}

/// Whether a text has a word that must be masked.
fn may_hold_secret(text: &str) -> bool {
    has_run(text.as_bytes(), CREDENTIAL_CHARS, is_word_byte)
        || has_run(text.as_bytes(), NUMBER_DIGITS, |byte| byte.is_ascii_digit())
}

/// Whether the text has a run of `length` bytes of this kind. For speed most bytes are skipped: a run cannot end earlier than its length
/// after the last byte of another kind.
fn has_run(text: &[u8], length: usize, is_of_kind: impl Fn(u8) -> bool) -> bool {
    let mut end = length;
    while let Some(before) = text.get(..end) {
        let run = before.iter().rev().take(length).take_while(|byte| is_of_kind(**byte)).count();
        if run == length {
            return true;
        }
        end = end.saturating_add(length.saturating_sub(run));
    }
    false
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'=')
}

/// The name of a parameter or member, or a mask if it may be something else. A JSON body that is sent as a form becomes one long name.
pub(super) fn shown_name(name: &str) -> &str {
    let is_name = (1..=NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':'));
    let digits = name.split(|character: char| character.is_ascii_alphabetic());
    let has_number = digits.into_iter().any(|run| run.bytes().filter(u8::is_ascii_digit).count() >= NAME_DIGITS);
    if is_name && !has_number { name } else { MASKED }
}

/// The recorded method; an unknown one is truncated, because it may be as long as a header.
pub(super) fn method(method: &Method) -> Method {
    let beginning = method.as_str().as_bytes().get(..METHOD_CHARS_MAX);
    beginning.and_then(|text| Method::from_bytes(text).ok()).unwrap_or_else(|| method.clone())
}

/// A mask followed by the last characters of an account number.
pub(super) fn tail(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() < TAIL_OF_CHARS_MIN {
        return MASKED.to_owned();
    }
    let end: String = characters.iter().skip(characters.len().saturating_sub(TAIL_CHARS)).collect();
    if end.chars().all(|character| character.is_ascii_digit()) { format!("{MASKED}{end}") } else { MASKED.to_owned() }
}

/// The masked target of a request.
pub(super) fn target(uri: &Uri) -> String {
    let mut shown = String::with_capacity(uri.path_and_query().map_or(0, |it| it.as_str().len()));
    for (place, member) in uri.path().split('/').enumerate() {
        if place > 0 {
            shown.push('/');
        }
        shown.push_str(&path_member(member));
    }
    if let Some(query) = uri.query() {
        shown.push('?');
        push_query(query, &mut shown);
    }
    shown
}

/// A path segment if it has the form of an id or of a known segment, otherwise a mask.
fn path_member(member: &str) -> Cow<'_, str> {
    let is_of_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':');
    if member.len() < CREDENTIAL_CHARS && member.bytes().all(is_of_id) {
        without_secrets(member)
    } else {
        Cow::Borrowed(MASKED)
    }
}

/// An address whose parameters are masked as those of a form.
pub(super) fn address(text: &str) -> String {
    let (text, fragment) = text.split_once('#').map_or((text, None), |(before, after)| (before, Some(after)));
    let (base, query) = text.split_once('?').map_or((text, None), |(before, after)| (before, Some(after)));
    let mut shown = without_secrets(base).into_owned();
    if let Some(query) = query {
        shown.push('?');
        push_query(query, &mut shown);
    }
    match fragment {
        None => {}
        // A fragment without an equals sign names a section of a page; with one it may contain parameters.
        Some(section) if shown_name(section) == section => shown.push_str(&format!("#{section}")),
        Some(parameters) => {
            shown.push('#');
            push_query(parameters, &mut shown);
        }
    }
    shown
}

/// Appends the parameters of an address, decoded and masked.
fn push_query(encoded: &str, shown: &mut String) {
    for (place, (name, value)) in form_urlencoded::parse(encoded.as_bytes()).enumerate() {
        if place > 0 {
            shown.push('&');
        }
        shown.push_str(shown_name(&name));
        shown.push('=');
        shown.push_str(&parameter(&name, &value));
    }
}

/// The parameters of a form, decoded and masked.
pub(super) fn parameters(encoded: &[u8]) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(encoded).map(|(name, value)| {
        let shown = parameter(&name, &value).into_owned();
        (shown_name(&name).to_owned(), shown)
    })
}

fn parameter<'v>(name: &str, value: &'v str) -> Cow<'v, str> {
    match name {
        "redirect_uri" => Cow::Owned(address(value)),
        name if SHOWN_PARAMETERS.contains(&name) => without_secrets(value),
        _ => Cow::Borrowed(MASKED),
    }
}
