//! Step 7: chooses the media type of the response by the header `Accept`. Source: RW-069, RW-070, RW-072, RFC 9110
//! section 12.5.1.

use super::media_type::MediaType;
use http::HeaderMap;
use http::header::ACCEPT;
use lombard_edge::endpoint_facts::ResponseMedia;
use lombard_edge::error::ApiError;

/// Chooses the media type by the `Accept` headers. Without any, or if they are empty, the first one on offer is chosen. A caller that
/// requests JSON where a file is offered gets the file, unless the headers refuse its type, because generated clients request JSON
/// everywhere.
///
/// # Errors
/// [`ApiError::NotAcceptable`].
pub(super) fn choose_media_type(
    headers: &HeaderMap,
    offered: &'static [ResponseMedia],
) -> Result<ResponseMedia, ApiError> {
    let ranges = ranges(headers);
    let weight = |media: ResponseMedia| if names_ranges(headers) { weight(media, &ranges) } else { 1_000 };
    // Of several media types with the same weight, the first one on offer is chosen.
    let better = |best: Option<(u16, ResponseMedia)>, media: ResponseMedia| match (best, weight(media)) {
        (_, 0) => best,
        (Some((most, _)), found) if found <= most => best,
        (_, found) => Some((found, media)),
    };
    let chosen = offered.iter().copied().fold(None, better);
    let unnamed = |media: &ResponseMedia| ranges.iter().all(|range| specificity(*media, range).is_none());
    let by_json = || {
        let file = offered.iter().copied().find(unnamed);
        file.filter(|_| weight(ResponseMedia::Json) > 0)
    };
    chosen.map(|(_, media)| media).or_else(by_json).ok_or(ApiError::NotAcceptable { offered })
}

/// Whether an `Accept` header has an element. An empty list means the same as no header.
fn names_ranges(headers: &HeaderMap) -> bool {
    let is_empty = |byte: &u8| matches!(byte, b' ' | b'\t' | b',');
    headers.get_all(ACCEPT).iter().any(|value| !value.as_bytes().iter().all(is_empty))
}

/// The media ranges of the `Accept` headers.
fn ranges(headers: &HeaderMap) -> Vec<MediaType<'_>> {
    let texts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).filter_map(MediaType::parse).filter(MediaType::in_utf_8).collect()
}

/// Whether the caller names this media type with at least the weight of JSON.
pub fn names_media_type(headers: &HeaderMap, (main, sub): (&str, &str)) -> bool {
    let ranges = ranges(headers);
    let weight_of =
        |main: &str, sub: &str| ranges.iter().filter(|range| range.is(main, sub)).map(wanted).max().unwrap_or_default();
    let named = weight_of(main, sub);
    named > 0 && named >= weight_of("application", "json")
}

/// Whether the caller accepts JSON.
pub fn accepts_json(headers: &HeaderMap) -> bool {
    choose_media_type(headers, &[ResponseMedia::Json]).is_ok()
}

/// The weight of a media type, in thousandths. The most specific matching range applies; of several equally specific ranges, the one with
/// the largest weight.
fn weight(media: ResponseMedia, ranges: &[MediaType<'_>]) -> u16 {
    let covering = ranges.iter().filter_map(|range| Some((specificity(media, range)?, wanted(range))));
    covering.max().map_or(0, |(_, weight)| weight)
}

fn specificity(media: ResponseMedia, range: &MediaType<'_>) -> Option<u8> {
    let (main, sub) = media.name();
    if range.is(main, sub) {
        Some(2)
    } else if range.is(main, "*") {
        Some(1)
    } else {
        range.is("*", "*").then_some(0)
    }
}

/// The range's weight in thousandths; a malformed weight counts as absent.
fn wanted(range: &MediaType<'_>) -> u16 {
    let Some(text) = range.parameter("q") else { return 1_000 };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|digit| digit.is_ascii_digit());
    match whole {
        "0" if digits => format!("{fraction:0<3}").parse().unwrap_or(1_000),
        _ => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[ResponseMedia] = &[ResponseMedia::Pdf, ResponseMedia::Csv];

    fn chosen(offered: &'static [ResponseMedia], accept: &str) -> Option<ResponseMedia> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        choose_media_type(&headers, offered).ok()
    }

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
            ("", true),
            (" , ", true),
        ] {
            assert_eq!(chosen(&[ResponseMedia::Json], value).is_some(), acceptable, "{value}");
        }
        assert_eq!(choose_media_type(&HeaderMap::new(), &[ResponseMedia::Json]).unwrap(), ResponseMedia::Json);
    }

    #[test]
    fn ais_156_and_rw_072_which_file_is_wanted() {
        for (accept, expected) in [
            ("*/*", Some(ResponseMedia::Pdf)),
            ("application/pdf", Some(ResponseMedia::Pdf)),
            ("application/*", Some(ResponseMedia::Pdf)),
            ("text/csv", Some(ResponseMedia::Csv)),
            ("text/csv; charset=utf-8", Some(ResponseMedia::Csv)),
            ("text/*, application/json", Some(ResponseMedia::Csv)),
            ("application/pdf;q=0.1, text/csv;q=0.25", Some(ResponseMedia::Csv)),
            ("application/pdf;q=0.5, text/csv;q=0.5", Some(ResponseMedia::Pdf)),
            ("text/csv;q=0, */*;q=0.1", Some(ResponseMedia::Pdf)),
            ("application/pdf;q=0, */*;q=0.1", Some(ResponseMedia::Csv)),
            ("application/pdf;q=0.000, text/csv;q=1.000", Some(ResponseMedia::Csv)),
            ("application/json", Some(ResponseMedia::Pdf)),
            ("application/json;q=0.5, text/html", Some(ResponseMedia::Pdf)),
            ("application/json, text/csv;q=0.1", Some(ResponseMedia::Csv)),
            ("application/json, application/pdf;q=0", Some(ResponseMedia::Csv)),
            ("application/json, application/pdf;q=0, text/csv;q=0", None),
            ("application/json;q=0", None),
            ("text/html", None),
            ("application/pdf;q=0, text/csv;q=0.000", None),
            ("text/csv; charset=iso-8859-1", None),
        ] {
            assert_eq!(chosen(FILE, accept), expected, "{accept}");
        }
        assert_eq!(choose_media_type(&HeaderMap::new(), FILE).unwrap(), ResponseMedia::Pdf);
    }
}
