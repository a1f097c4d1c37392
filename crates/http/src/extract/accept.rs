//! Step 7: whether the caller takes JSON in UTF-8. Source: RW-069, RW-070, RFC 9110 section 12.5.1.

use super::media_type::MediaType;
use crate::error::ApiError;
use http::HeaderMap;
use http::header::ACCEPT;

/// Checks the `Accept` headers.
///
/// # Errors
/// [`ApiError::NotAcceptable`].
pub(super) fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut sent = headers.get_all(ACCEPT).iter().peekable();
    if sent.peek().is_none() {
        return Ok(());
    }
    let ranges = sent.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    if admits_json(ranges) { Ok(()) } else { Err(ApiError::NotAcceptable) }
}

/// The most specific range that covers JSON decides; of several alike, the kindest.
fn admits_json<'a>(ranges: impl Iterator<Item = &'a str>) -> bool {
    ranges
        .filter_map(MediaType::parse)
        .filter(MediaType::in_utf_8)
        .filter_map(|range| Some((specificity(&range)?, wanted(&range))))
        .max()
        .is_some_and(|(_, wanted)| wanted)
}

fn specificity(range: &MediaType<'_>) -> Option<u8> {
    if range.is("application", "json") {
        Some(2)
    } else if range.is("application", "*") {
        Some(1)
    } else {
        range.is("*", "*").then_some(0)
    }
}

/// Whether the range's weight is above zero.
fn wanted(range: &MediaType<'_>) -> bool {
    range.parameter("q").is_none_or(|weight| weight.bytes().any(|digit| (b'1'..=b'9').contains(&digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_069_and_rw_070_what_is_acceptable() {
        for (value, acceptable) in [
            ("application/json", true),
            ("application/json; charset=utf-8", true),
            ("application/*", true),
            ("*/*", true),
            ("text/html, */*;q=0.1", true),
            ("application/jose+jwe, application/json", true),
            ("APPLICATION/JSON;q=0.001", true),
            ("text/html", false),
            ("application/xml", false),
            ("application/jose+jwe", false),
            ("application/json;q=0", false),
            ("application/json;q=0.000", false),
            ("application/json;q=0, */*", false),
            ("application/json; charset=iso-8859-1", false),
            ("json", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, value.parse().unwrap());
            assert_eq!(check(&headers).is_ok(), acceptable, "{value}");
        }
        assert!(check(&HeaderMap::new()).is_ok());
    }
}
