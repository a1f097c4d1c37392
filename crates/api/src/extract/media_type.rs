//! Checks the media type of a body, which must be in UTF-8. Source: RW-067 to RW-070.

use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_edge::error::ApiError;
use lombard_jose::SignedPayload;

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

    /// Whether the character set is UTF-8 or not stated.
    pub(super) fn in_utf_8(&self) -> bool {
        self.parameter("charset").is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
    }
}

/// Whether there is exactly one content type and it is one of these (type and subtype), with any parameters.
pub fn has_content_type(headers: &HeaderMap, types: &[(&str, &str)]) -> bool {
    let mut sent = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (sent.next(), sent.next()) else { return false };
    let parsed = value.to_str().ok().and_then(MediaType::parse);
    parsed.is_some_and(|parsed| types.iter().any(|(main, sub)| parsed.is(main, sub)))
}

/// The content type of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentType {
    /// The accepted media type that matched.
    name: &'static str,
    sent: String,
}

impl ContentType {
    /// The type and subtype, in lower case.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The content type as it was sent, with its parameters.
    pub(super) fn sent(&self) -> &str {
        &self.sent
    }

    /// The media type as the signature of the body names it. Source: T5, PIS-074.
    pub(super) fn signed_as(&self) -> SignedPayload<'static> {
        match self.name {
            "application/json" => SignedPayload::Json,
            other => SignedPayload::Other(other),
        }
    }

    fn read(value: &HeaderValue, read: &'static [&'static str]) -> Option<Self> {
        let sent = value.to_str().ok()?;
        let media = MediaType::parse(sent).filter(MediaType::in_utf_8)?;
        let is = |name: &&&str| name.split_once('/').is_some_and(|(main, sub)| media.is(main, sub));
        read.iter().find(is).map(|name| Self { name, sent: sent.to_owned() })
    }
}

/// Step 8: checks that the content type of the body is one of the accepted ones, in UTF-8.
///
/// # Errors
/// 400 if there is no content type or several; 415 for another content type, or a compressed body (EVT-012).
pub(super) fn check(headers: &HeaderMap, read: &'static [&'static str]) -> Result<ContentType, ApiError> {
    let mut sent = headers.get_all(CONTENT_TYPE).iter();
    let Some(first) = sent.next() else {
        let message = format!("The body's media type is required: {}.", read.join(" or "));
        return Err(ApiError::fault(FaultCode::HeaderMissing, FaultLocation::Header("Content-Type"), message));
    };
    if sent.any(|other| other != first) {
        let message = "This header occurs twice with different values.";
        return Err(ApiError::fault(FaultCode::HeaderInvalid, FaultLocation::Header("Content-Type"), message));
    }
    let content = ContentType::read(first, read).filter(|_| is_plain(headers));
    content.ok_or(ApiError::UnsupportedMediaType { read })
}

fn is_plain(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(headers: &HeaderMap) -> Result<ContentType, ApiError> {
        check(headers, &["application/json"])
    }

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
            assert_eq!(json(&headers).is_ok(), accepted, "{value}");
        }
        assert!(matches!(json(&HeaderMap::new()), Err(ApiError::Refused(_))), "absent is 400, not 415");
    }

    #[test]
    fn file_007_one_of_several_media_types_and_how_its_signature_names_it() {
        let read = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
            check(&headers, &["text/xml", "application/json"])
        };
        let xml = read("TEXT/XML; Charset=UTF-8").unwrap();
        assert_eq!((xml.name(), xml.sent()), ("text/xml", "TEXT/XML; Charset=UTF-8"));
        assert_eq!(xml.signed_as(), SignedPayload::Other("text/xml"));
        assert_eq!(read("application/json").unwrap().signed_as(), SignedPayload::Json);
        for value in ["application/xml", "text/xml; charset=iso-8859-1", "text/*", "*/*", "text/xml, application/json"]
        {
            assert!(matches!(read(value), Err(ApiError::UnsupportedMediaType { .. })), "{value}");
        }
    }

    #[test]
    fn evt_012_compressed_bodies_are_not_read() {
        for (coding, accepted) in [("identity", true), ("Identity", true), ("gzip", false), ("identity, gzip", false)] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
            assert_eq!(json(&headers).is_ok(), accepted, "{coding}");
        }
    }

    #[test]
    fn rw_057_two_different_content_types_are_400() {
        let mut headers = HeaderMap::new();
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert!(json(&headers).is_ok());
        headers.append(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        assert!(matches!(json(&headers), Err(ApiError::Refused(_))));
    }
}
