//! Headers of a message: packed when they are recorded, read when they are shown.

use super::text::{self, MASKED, without_secrets};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Most bytes that are kept of the value of a header.
const VALUE_BYTES_MAX: usize = 1024;
/// How much of a signature is kept behind its header.
const SIGNATURE_CHARS: usize = 8;

/// What is shown of a header.
enum HeaderForm {
    /// Its value.
    Plain,
    /// The scheme of its credentials.
    Scheme,
    /// The header of a detached signature and the beginning of the signature.
    Signature,
    /// An address without its parameters' values.
    Address,
    /// Its name.
    Name,
}

/// Deny by default: only these headers are known to hold neither secrets nor personal data.
fn form(name: &str) -> HeaderForm {
    match name {
        "accept"
        | "accept-charset"
        | "accept-encoding"
        | "accept-language"
        | "allow"
        | "cache-control"
        | "connection"
        | "content-encoding"
        | "content-language"
        | "content-length"
        | "content-type"
        | "date"
        | "expect"
        | "host"
        | "payload-version"
        | "pragma"
        | "ratelimit"
        | "ratelimit-policy"
        | "retry-after"
        | "te"
        | "traceparent"
        | "transfer-encoding"
        | "user-agent"
        | "vary"
        | "www-authenticate"
        | "x-client-id"
        | "x-fapi-auth-date"
        | "x-fapi-interaction-id"
        | "x-idempotency-key"
        | "x-lombard-fault" => HeaderForm::Plain,
        "authorization" | "proxy-authorization" => HeaderForm::Scheme,
        "x-jws-signature" => HeaderForm::Signature,
        "location" => HeaderForm::Address,
        _ => HeaderForm::Name,
    }
}

/// The headers of a message in one allocation, masked: each name and value behind its length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HeaderPack(Vec<u8>);

/// Packed headers, in the log's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) struct PackedHeaders<'r>(&'r [u8]);

impl Serialize for PackedHeaders<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl HeaderPack {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let bytes =
            headers.iter().map(|(name, value)| name.as_str().len() + value.len().min(VALUE_BYTES_MAX) + 4).sum();
        let mut packed = Self(Vec::with_capacity(bytes));
        for (name, value) in headers {
            packed.push(name.as_str().as_bytes());
            packed.push_value(form(name.as_str()), value);
        }
        packed
    }

    pub(super) fn packed(&self) -> PackedHeaders<'_> {
        PackedHeaders(&self.0)
    }

    fn push_value(&mut self, form: HeaderForm, value: &HeaderValue) {
        let text = || String::from_utf8_lossy(value.as_bytes());
        match form {
            HeaderForm::Plain => self.push(value.as_bytes()),
            HeaderForm::Scheme => {
                let text = text();
                let scheme = text.split_once(' ').map_or("", |(scheme, _)| scheme);
                let is_scheme = matches!(scheme.to_ascii_lowercase().as_str(), "bearer" | "basic" | "dpop");
                self.push(if is_scheme { format!("{scheme} {MASKED}") } else { MASKED.to_owned() }.as_bytes());
            }
            HeaderForm::Signature => self.push(signature(&text()).as_bytes()),
            HeaderForm::Address => self.push(text::address(&text()).as_bytes()),
            HeaderForm::Name => self.push(MASKED.as_bytes()),
        }
    }

    fn push(&mut self, text: &[u8]) {
        let kept = text.get(..VALUE_BYTES_MAX).unwrap_or(text);
        // At most a KiB.
        let length = u16::try_from(kept.len()).unwrap_or(u16::MAX);
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(kept);
    }
}

impl PackedHeaders<'_> {
    /// The bytes of names and values.
    pub(super) const fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The headers by name, several values of one name joined by commas.
    pub(super) fn view(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::<String, String>::new();
        let mut rest = self.0;
        while let (Some(name), Some(value)) = (pop(&mut rest), pop(&mut rest)) {
            // A signature and an address were masked when they were recorded; the rest of a value is shown word by word.
            let value = match form(&name) {
                HeaderForm::Signature | HeaderForm::Address => value,
                _ => without_secrets(&value).into_owned(),
            };
            let joined = shown.entry(without_secrets(&name).into_owned()).or_default();
            if !joined.is_empty() {
                joined.push_str(", ");
            }
            joined.push_str(&value);
        }
        shown
    }
}

/// The next text, taken off.
fn pop(rest: &mut &[u8]) -> Option<String> {
    let (length, after) = rest.split_first_chunk::<2>()?;
    let (text, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    *rest = after;
    Some(String::from_utf8_lossy(text).into_owned())
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
