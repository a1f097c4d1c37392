//! The headers of a message: packed when they are recorded, unpacked when they are shown.

use super::text::{self, MASKED, without_secrets};
use http::HeaderMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Most bytes that are kept of the value of a header, or of its name.
const VALUE_BYTES_MAX: usize = 1024;
/// How much of a signature is kept behind its header.
const SIGNATURE_CHARS: usize = 8;
/// Schemes of credentials; anything else before a space may be part of a credential.
const SCHEMES: [&[u8]; 3] = [b"bearer", b"basic", b"dpop"];

/// What is kept of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderForm {
    /// Its value.
    Plain,
    /// The scheme of its credentials.
    Scheme,
    /// The header of a detached signature and the beginning of the signature.
    Signature,
    /// An address without its parameters' values.
    Address,
}

/// Deny by default: only these headers are known to hold neither secrets nor personal data. Of all others the name is kept. The place
/// in this list stands for the name in a pack.
pub(super) const KNOWN_HEADERS: [(&str, HeaderForm); 34] = [
    ("accept", HeaderForm::Plain),
    ("accept-charset", HeaderForm::Plain),
    ("accept-encoding", HeaderForm::Plain),
    ("accept-language", HeaderForm::Plain),
    ("allow", HeaderForm::Plain),
    ("authorization", HeaderForm::Scheme),
    ("cache-control", HeaderForm::Plain),
    ("connection", HeaderForm::Plain),
    ("content-encoding", HeaderForm::Plain),
    ("content-language", HeaderForm::Plain),
    ("content-length", HeaderForm::Plain),
    ("content-type", HeaderForm::Plain),
    ("date", HeaderForm::Plain),
    ("expect", HeaderForm::Plain),
    ("host", HeaderForm::Plain),
    ("location", HeaderForm::Address),
    ("payload-version", HeaderForm::Plain),
    ("pragma", HeaderForm::Plain),
    ("proxy-authorization", HeaderForm::Scheme),
    ("ratelimit", HeaderForm::Plain),
    ("ratelimit-policy", HeaderForm::Plain),
    ("retry-after", HeaderForm::Plain),
    ("te", HeaderForm::Plain),
    ("traceparent", HeaderForm::Plain),
    ("transfer-encoding", HeaderForm::Plain),
    ("user-agent", HeaderForm::Plain),
    ("vary", HeaderForm::Plain),
    ("www-authenticate", HeaderForm::Plain),
    ("x-client-id", HeaderForm::Plain),
    ("x-fapi-auth-date", HeaderForm::Plain),
    ("x-fapi-interaction-id", HeaderForm::Plain),
    ("x-idempotency-key", HeaderForm::Plain),
    ("x-jws-signature", HeaderForm::Signature),
    ("x-lombard-fault", HeaderForm::Plain),
];

/// Stands for a name that is not in the list.
const OTHER_HEADER: u8 = u8::MAX;

/// The places of the names in the list, by the length of the name: few are equally long, and to compare these costs less than a hash.
static NUMBERS_BY_LENGTH: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let numbered = || KNOWN_HEADERS.iter().zip(0_u8..);
    let longest = KNOWN_HEADERS.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let of_length = |length| numbered().filter(|((name, _), _)| name.len() == length).map(|(_, it)| it).collect();
    (0..=longest).map(of_length).collect()
});

/// Packed headers, in the log's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) struct PackedHeaders<'r>(&'r [u8]);

impl Serialize for PackedHeaders<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Writes the headers of a message behind what is there, masked: each a number for its name, and its value behind the value's length; of
/// a header that is not known to be harmless the name instead.
pub(super) fn pack(headers: &HeaderMap, memory: &mut Vec<u8>) {
    let by_length = &*NUMBERS_BY_LENGTH;
    for (name, value) in headers {
        let equally_long = by_length.get(name.as_str().len()).into_iter().flatten();
        let mut known = equally_long.filter_map(|number| Some((number, KNOWN_HEADERS.get(usize::from(*number))?)));
        match known.find(|(_, (known, _))| *known == name.as_str()) {
            Some((number, (_, form))) => push_value(memory, *number, *form, value.as_bytes()),
            None => push(memory, OTHER_HEADER, &[cut(name.as_str().as_bytes())]),
        }
    }
}

fn push_value(memory: &mut Vec<u8>, number: u8, form: HeaderForm, value: &[u8]) {
    let text = || String::from_utf8_lossy(value);
    match form {
        HeaderForm::Plain => push(memory, number, &[cut(value)]),
        HeaderForm::Scheme => {
            let scheme = value.split(|byte| *byte == b' ').next().filter(|scheme| scheme.len() < value.len());
            let is_scheme = |text: &&[u8]| SCHEMES.iter().any(|it| it.eq_ignore_ascii_case(text));
            match scheme.filter(is_scheme) {
                Some(scheme) => push(memory, number, &[scheme, b" ", MASKED.as_bytes()]),
                None => push(memory, number, &[MASKED.as_bytes()]),
            }
        }
        HeaderForm::Signature => push(memory, number, &[cut(signature(&text()).as_bytes())]),
        HeaderForm::Address => push(memory, number, &[cut(text::address(&text()).as_bytes())]),
    }
}

/// As much of it as is kept.
fn cut(text: &[u8]) -> &[u8] {
    text.get(..VALUE_BYTES_MAX).unwrap_or(text)
}

/// Writes a header whose text has these parts.
fn push(memory: &mut Vec<u8>, number: u8, parts: &[&[u8]]) {
    let length = parts.iter().map(|part| part.len()).fold(0, usize::saturating_add);
    // At most a KiB: what is longer was cut.
    let [low, high] = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    memory.extend_from_slice(&[number, low, high]);
    for part in parts {
        memory.extend_from_slice(part);
    }
}

impl<'r> PackedHeaders<'r> {
    /// The headers that are written here.
    pub(super) const fn of(written: &'r [u8]) -> Self {
        Self(written)
    }

    /// The headers by name, several values of one name joined by commas.
    pub(super) fn view(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::<String, String>::new();
        let mut rest = self.0;
        while let Some((number, text)) = pop(&mut rest) {
            let (name, value) = match KNOWN_HEADERS.get(usize::from(number)) {
                // These were masked when they were recorded; the rest of a value is shown word by word.
                Some((name, HeaderForm::Signature | HeaderForm::Address)) => ((*name).to_owned(), text),
                Some((name, _)) => ((*name).to_owned(), without_secrets(&text).into_owned()),
                None => (without_secrets(&text).into_owned(), MASKED.to_owned()),
            };
            let joined = shown.entry(name).or_default();
            if !joined.is_empty() {
                joined.push_str(", ");
            }
            joined.push_str(&value);
        }
        shown
    }
}

/// The number and the text of the next header, taken off.
fn pop(rest: &mut &[u8]) -> Option<(u8, String)> {
    let ([number, low, high], after) = rest.split_first_chunk::<3>()?;
    let (text, after) = after.split_at_checked(usize::from(u16::from_le_bytes([*low, *high])))?;
    *rest = after;
    Some((*number, String::from_utf8_lossy(text).into_owned()))
}

/// The protected header of a detached signature, which names its key, and the beginning of the signature.
fn signature(text: &str) -> String {
    match text.split_once("..") {
        Some((header, signature)) if is_base64url(header) => {
            let begin: String = signature.chars().take(SIGNATURE_CHARS).collect();
            format!("{header}..{begin}{MASKED}")
        }
        _ => MASKED.to_owned(),
    }
}

/// Whether it can be the header of a signature, which is JSON.
fn is_base64url(header: &str) -> bool {
    header.starts_with("eyJ") && header.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
