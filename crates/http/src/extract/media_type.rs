//! Media types, as far as JSON in UTF-8 needs them. Source: RW-067 to RW-070.

use crate::error::ApiError;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use lombard_domain::refusal::{FaultCode, Place};

/// A media type or range, borrowed from a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MediaType<'a> {
    pub(super) main: &'a str,
    pub(super) sub: &'a str,
    parameters: &'a str,
}

impl<'a> MediaType<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
        let (main, sub) = essence.trim().split_once('/')?;
        let token = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '/');
        (token(main) && token(sub)).then_some(Self { main, sub, parameters })
    }

    /// The value of a parameter, without its quotes.
    pub(super) fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.split(';').find_map(|parameter| {
            let (found, value) = parameter.split_once('=')?;
            found.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
        })
    }

    pub(super) fn is(&self, main: &str, sub: &str) -> bool {
        self.main.eq_ignore_ascii_case(main) && self.sub.eq_ignore_ascii_case(sub)
    }

    /// Whether it says UTF-8, or nothing about the character set.
    pub(super) fn in_utf_8(&self) -> bool {
        self.parameter("charset").is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
    }
}

/// Step 8: the body must be said to be JSON in UTF-8.
///
/// # Errors
/// 400 if nothing is said, or two things; 415 if something else is, or the body is compressed (EVT-012).
pub(super) fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut sent = headers.get_all(CONTENT_TYPE).iter();
    let Some(first) = sent.next() else {
        let message = "The body's media type is required: application/json.";
        return Err(ApiError::fault(FaultCode::HeaderMissing, Place::Header("Content-Type"), message));
    };
    if sent.any(|other| other != first) {
        let message = "This header occurs twice with different values.";
        return Err(ApiError::fault(FaultCode::HeaderInvalid, Place::Header("Content-Type"), message));
    }
    if is_json(first) && is_plain(headers) { Ok(()) } else { Err(ApiError::UnsupportedMediaType) }
}

fn is_plain(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn is_json(value: &HeaderValue) -> bool {
    value.to_str().ok().and_then(MediaType::parse).is_some_and(|sent| sent.is("application", "json") && sent.in_utf_8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_067_and_rw_068_content_types() {
        for (value, accepted) in [
            ("application/json", true),
            ("Application/JSON ; Charset=\"UTF-8\"", true),
            ("application/json;charset=utf-8", true),
            ("application/json; v=1", true),
            ("application/json; charset=iso-8859-1", false),
            ("application/jose+jwe", false),
            ("application/json-patch", false),
            ("text/plain", false),
            ("json", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
            assert_eq!(check(&headers).is_ok(), accepted, "{value}");
        }
        assert!(matches!(check(&HeaderMap::new()), Err(ApiError::Refused(_))), "absent is 400, not 415");
    }

    #[test]
    fn evt_012_compressed_bodies_are_not_read() {
        for (coding, accepted) in [("identity", true), ("Identity", true), ("gzip", false), ("identity, gzip", false)] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
            assert_eq!(check(&headers).is_ok(), accepted, "{coding}");
        }
    }

    #[test]
    fn rw_057_two_different_content_types_are_400() {
        let mut headers = HeaderMap::new();
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert!(check(&headers).is_ok());
        headers.append(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        assert!(matches!(check(&headers), Err(ApiError::Refused(_))));
    }
}
