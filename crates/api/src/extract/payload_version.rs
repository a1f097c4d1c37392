//! The header `payload-version`, which names the schema that the body of a VRP request follows. Source: V4-029.

use http::HeaderMap;
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_domain::version::Version;
use lombard_edge::error::ApiError;
use lombard_service::payments::orders::PAYLOAD_VERSION;

/// The version of a body that was sent to a path of this version: that of the path if the header is absent. Paths of v3.1 ignore the
/// header.
///
/// # Errors
/// 400 for a value that is not a known version, and for two values.
pub(super) fn read(headers: &HeaderMap, endpoint_version: Version) -> Result<Version, ApiError> {
    if endpoint_version == Version::V3_1 {
        return Ok(endpoint_version);
    }
    let mut sent = headers.get_all(PAYLOAD_VERSION).iter();
    let Some(first) = sent.next() else { return Ok(endpoint_version) };
    let known = first.to_str().ok().and_then(version_of).filter(|_| sent.all(|other| other == first));
    known.ok_or_else(|| {
        let message = "Must be a version known here, such as 4.0.1 or 3.1.11.";
        ApiError::fault(FaultCode::HeaderInvalid, FaultLocation::Header(PAYLOAD_VERSION), message)
    })
}

/// Parses a version: `3.1.0` to `3.1.11`, `4.0.0` or `4.0.1`.
fn version_of(text: &str) -> Option<Version> {
    let (line, patch) = text.rsplit_once('.')?;
    let is_plain = patch.bytes().all(|byte| byte.is_ascii_digit()) && (patch == "0" || !patch.starts_with('0'));
    let patch: u8 = patch.parse().ok().filter(|_| is_plain)?;
    match line {
        "3.1" if patch <= 11 => Some(Version::V3_1),
        "4.0" if patch <= 1 => Some(Version::V4_0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn v4_029_versions_of_payloads() {
        let read_values = |values: &[&'static str], endpoint| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PAYLOAD_VERSION, HeaderValue::from_static(value));
            }
            read(&headers, endpoint).ok()
        };
        for (values, version) in [
            (&[][..], Some(Version::V4_0)),
            (&["4.0.1"], Some(Version::V4_0)),
            (&["4.0.0"], Some(Version::V4_0)),
            (&["3.1.0"], Some(Version::V3_1)),
            (&["3.1.11"], Some(Version::V3_1)),
            (&["3.1.11", "3.1.11"], Some(Version::V3_1)),
            (&["3.1.11", "4.0.1"], None),
            (&["3.1.12"], None),
            (&["3.1.01"], None),
            (&["3.1"], None),
            (&["4.0.2"], None),
            (&["4.1.0"], None),
            (&["v4.0.1"], None),
            (&[""], None),
        ] {
            assert_eq!(read_values(values, Version::V4_0), version, "{values:?}");
            assert_eq!(read_values(values, Version::V3_1), Some(Version::V3_1), "{values:?}: ignored");
        }
    }
}
