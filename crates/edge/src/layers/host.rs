//! Checks that a request names exactly one valid host, because a proxy and this server could read different ones of several.

use super::meters::BeforeRoute;
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::header::HOST;
use http::{HeaderValue, StatusCode, Version};

/// The default port of https.
const DEFAULT_PORT: &str = ":443";

/// Returns 400 for a request without a host, with several hosts, or with an invalid one. Source: TLS-015, RFC 9112 section 3.2, RFC 9113
/// section 8.3.1.
pub(super) fn refusal(request: &Request) -> Option<Response> {
    let reason = fault(request)?;
    let refused = Extension(RefusedBy::new("TLS-015", reason));
    Some((StatusCode::BAD_REQUEST, Extension(BeforeRoute), refused).into_response())
}

fn fault(request: &Request) -> Option<&'static str> {
    let mut hosts = request.headers().get_all(HOST).iter().map(HeaderValue::as_bytes);
    let header = hosts.next();
    let second = hosts.next();
    let target = request.uri().authority().map(|authority| authority.as_str().as_bytes());
    match (target, header) {
        _ if second.is_some() => Some("The request names more than one host."),
        // HTTP/1.0 permits requests without a host.
        (None, None) if request.version() < Version::HTTP_11 => None,
        (None, None) => Some("The request names no host."),
        (target, header) if !target.is_none_or(is_host) || !header.is_none_or(is_host) => {
            Some("The request names a host that cannot be one.")
        }
        // In HTTP/1.1 the target takes precedence.
        (Some(target), Some(header)) if request.version() >= Version::HTTP_2 && !is_same(target, header) => {
            Some("The request names more than one host.")
        }
        _ => None,
    }
}

/// Whether a text is a host, with or without a port. It runs for every request, so nothing is copied. Source: RFC 3986 section 3.2.2.
fn is_host(text: &[u8]) -> bool {
    let end = match text {
        [b'[', literal @ ..] => literal.iter().position(|it| *it == b']').map(|end| end + 2),
        _ => text.iter().position(|it| *it == b':').or(Some(text.len())),
    };
    let Some((host, port)) = end.and_then(|end| text.split_at_checked(end)) else { return false };
    let is_port = match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    let is_name = match host {
        [] => false,
        [b'[', address @ .., b']'] => address.iter().all(|it| it.is_ascii_hexdigit() || matches!(it, b':' | b'.')),
        name => name.iter().all(|it| it.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(it)),
    };
    is_port && is_name
}

fn is_same(one: &[u8], other: &[u8]) -> bool {
    let without_port = |host: &[u8]| host.strip_suffix(DEFAULT_PORT.as_bytes()).unwrap_or(host).to_ascii_lowercase();
    without_port(one) == without_port(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    const NONE: Option<&str> = Some("The request names no host.");
    const NOT_ONE: Option<&str> = Some("The request names a host that cannot be one.");
    const SEVERAL: Option<&str> = Some("The request names more than one host.");

    #[test]
    fn tls_015_a_request_names_one_host_and_one_that_can_be() {
        let one = Version::HTTP_11;
        let two = Version::HTTP_2;
        for (version, target, hosts, expected) in [
            (one, "/a", &["bank.example"][..], None),
            (one, "/a", &["Bank.example:8443"], None),
            (one, "/a", &["127.0.0.1:"], None),
            (one, "/a", &["[::1]:8443"], None),
            (one, "/a", &["[2001:db8::7]"], None),
            (one, "/a", &[], NONE),
            (Version::HTTP_10, "/a", &[], None),
            (one, "/a", &[""], NOT_ONE),
            (one, "/a", &[":8443"], NOT_ONE),
            (one, "/a", &["a b"], NOT_ONE),
            (one, "/a", &["x@y"], NOT_ONE),
            (one, "/a", &["a/b"], NOT_ONE),
            (one, "/a", &["a:b"], NOT_ONE),
            (one, "/a", &["a:1:2"], NOT_ONE),
            (one, "/a", &["[::1"], NOT_ONE),
            (one, "/a", &["[::1]x"], NOT_ONE),
            (one, "/a", &["[x]"], NOT_ONE),
            (one, "/a", &["é"], NOT_ONE),
            (one, "/a", &["a", "a"], SEVERAL),
            (one, "https://a/a", &["b"], None),
            (one, "https://a/a", &["b b"], NOT_ONE),
            (two, "https://a/a", &[], None),
            (two, "https://a/a", &["A:443"], None),
            (two, "https://a/a", &["b"], SEVERAL),
            (two, "https://a:8443/a", &["a"], SEVERAL),
            (two, "https://x@a/a", &[], NOT_ONE),
            (two, "/a", &["a"], None),
            (two, "/a", &[], NONE),
        ] {
            let request = Request::builder().version(version).uri(target);
            let value = |host: &&str| HeaderValue::from_bytes(host.as_bytes()).unwrap();
            let request = hosts.iter().fold(request, |request, host| request.header(HOST, value(host)));
            assert_eq!(fault(&request.body(Body::empty()).unwrap()), expected, "{version:?} {target} {hosts:?}");
        }
    }
}
