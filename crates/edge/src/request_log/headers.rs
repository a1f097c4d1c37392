//! Headers of a message, which are masked when they are recorded and parsed when they are shown.

use super::text::{self, MASKED, without_secrets};
use http::HeaderMap;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most recorded bytes of a header's value, or of its name.
const VALUE_BYTES_MAX: usize = 1024;
/// The number of recorded characters of a signature after its header.
const SIGNATURE_CHARS: usize = 8;
/// The known schemes of credentials; any other text before a space may be part of a credential.
const SCHEMES: [&[u8]; 3] = [b"bearer", b"basic", b"dpop"];

/// The recorded part of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderForm {
    /// The value.
    Plain,
    /// The scheme of the credentials.
    Scheme,
    /// The header of a detached signature and the beginning of the signature.
    Signature,
    /// An address without the values of its parameters.
    Address,
    /// The name only.
    Hidden,
}

/// The recorded part of a header with this name. Only the listed headers are known to contain neither secrets nor personal data; others are
/// hidden.
#[rustfmt::skip]
fn form(name: &str) -> HeaderForm {
    match name {
        "accept" | "accept-charset" | "accept-encoding" | "accept-language" | "allow" | "cache-control" | "connection"
        | "content-encoding" | "content-language" | "content-length" | "content-type" | "date" | "expect" | "host"
        | "payload-version" | "pragma" | "ratelimit" | "ratelimit-policy" | "retry-after" | "te" | "traceparent"
        | "transfer-encoding" | "user-agent" | "vary" | "www-authenticate" | "x-client-id" | "x-fapi-auth-date"
        | "x-fapi-interaction-id" | "x-idempotency-key" | "x-lombard-fault" => HeaderForm::Plain,
        "authorization" | "proxy-authorization" => HeaderForm::Scheme,
        "x-jws-signature" => HeaderForm::Signature,
        "location" => HeaderForm::Address,
        _ => HeaderForm::Hidden,
    }
}

/// The masked headers of a message: one line for each, with name, colon and value, or with the name alone.
#[derive(Debug, Clone, Default)]
pub(super) struct MaskedHeaders(Vec<u8>);

impl MaskedHeaders {
    /// Masks these headers.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let lengths = headers.iter().flat_map(|(name, value)| [name.as_str().len(), value.len(), ":\n".len()]);
        let mut lines = Vec::with_capacity(lengths.fold(0, usize::saturating_add));
        for (name, value) in headers {
            lines.extend_from_slice(cut(name.as_str().as_bytes()));
            if let Some(value) = shown_value(form(name.as_str()), value.as_bytes()) {
                lines.push(b':');
                lines.extend_from_slice(cut(&value));
            }
            lines.push(b'\n');
        }
        Self(lines)
    }

    /// The memory of the headers, in bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.0.capacity()
    }

    /// The headers by name, several values of one name joined by commas.
    pub(super) fn view(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::<String, String>::new();
        for line in String::from_utf8_lossy(&self.0).lines() {
            let (name, value) = match line.split_once(':') {
                Some((name, value)) => (
                    Cow::Borrowed(name),
                    match form(name) {
                        // These parts were masked when they were recorded; the rest of a value is masked word by word.
                        HeaderForm::Signature | HeaderForm::Address => Cow::Borrowed(value),
                        HeaderForm::Plain | HeaderForm::Scheme | HeaderForm::Hidden => without_secrets(value),
                    },
                ),
                None => (without_secrets(line), Cow::Borrowed(MASKED)),
            };
            let joined = shown.entry(name.into_owned()).or_default();
            if !joined.is_empty() {
                joined.push_str(", ");
            }
            joined.push_str(&value);
        }
        shown
    }
}

/// Truncates a text to the recorded length.
fn cut(text: &[u8]) -> &[u8] {
    text.get(..VALUE_BYTES_MAX).unwrap_or(text)
}

/// The recorded part of a value; `None` if it is hidden.
fn shown_value(form: HeaderForm, value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let text = || String::from_utf8_lossy(value);
    Some(match form {
        HeaderForm::Plain => Cow::Borrowed(value),
        HeaderForm::Scheme => {
            let scheme = value.split(|byte| *byte == b' ').next().filter(|scheme| scheme.len() < value.len());
            let is_scheme = |text: &&[u8]| SCHEMES.iter().any(|it| it.eq_ignore_ascii_case(text));
            scheme.filter(is_scheme).map_or(Cow::Borrowed(MASKED.as_bytes()), |scheme| {
                Cow::Owned([scheme, b" ", MASKED.as_bytes()].concat())
            })
        }
        HeaderForm::Signature => Cow::Owned(signature(&text()).into_bytes()),
        HeaderForm::Address => Cow::Owned(text::address(&text()).into_bytes()),
        HeaderForm::Hidden => return None,
    })
}

/// The recorded part of a detached signature: its protected header, which names the key, and the beginning of the signature.
fn signature(text: &str) -> String {
    match text.split_once("..") {
        Some((header, signature)) if is_base64url(header) => {
            let begin: String = signature.chars().take(SIGNATURE_CHARS).collect();
            format!("{header}..{begin}{MASKED}")
        }
        _ => MASKED.to_owned(),
    }
}

/// Whether a text can be the encoded header of a signature.
fn is_base64url(header: &str) -> bool {
    header.starts_with("eyJ") && header.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
