//! Refuses requests for the host of another listener.
//!
//! A client may send requests on a connection for every host that the server's certificate names (RFC 9113 section 9.1.1). Listeners that
//! share a certificate and a public address accept different client certificates, so one listener must not serve requests for the other.

use super::meters::BeforeRoute;
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::HOST;
use http::uri::Authority;
use url::Url;

/// The host of another listener, whose requests this listener refuses. Source: TLS-008.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHost {
    host: String,
    /// The port that a request must name, if both listeners have the same host; `None` if the hosts differ, because proxies often forward
    /// the host without its port.
    port: Option<u16>,
}

impl OtherHost {
    /// Makes the host of the `other` listener; `None` if it equals the listener's `own`, or if one of the two is not an https address.
    pub fn new(own: &str, other: &str) -> Option<Self> {
        let own = host_and_port(own)?;
        let other = host_and_port(other)?;
        let port = (own.0 == other.0).then_some(other.1);
        (own != other).then_some(Self { host: other.0, port })
    }

    /// Whether an authority is this host. It runs for every request, so nothing is copied.
    fn is_same(&self, authority: &str) -> bool {
        let with_port =
            authority.rsplit_once(':').and_then(|(host, port)| Some((host, Some(port.parse::<u16>().ok()?))));
        let (host, port) = with_port.unwrap_or((authority, None));
        let host = host.strip_suffix('.').unwrap_or(host);
        (self.port.is_none() || port == self.port) && host.eq_ignore_ascii_case(&self.host)
    }

    /// Whether a request names this host: in `:authority`, in the target, or in `Host`.
    fn is_named_by(&self, request: &Request) -> bool {
        let host = || request.headers().get(HOST).and_then(|host| host.to_str().ok());
        let authority = request.uri().authority().map(Authority::as_str).or_else(host);
        authority.is_some_and(|authority| self.is_same(authority))
    }
}

/// The host and port of an https address.
fn host_and_port(address: &str) -> Option<(String, u16)> {
    let url = Url::parse(address).ok().filter(|url| url.scheme() == "https")?;
    Some((url.host_str()?.to_owned(), url.port_or_known_default()?))
}

/// Returns 421 for a request that names the other listener, so that the client repeats it on another connection. Source: TLS-008, RFC 9110
/// section 15.5.20.
pub(super) fn refusal(other: &OtherHost, request: &Request) -> Option<Response> {
    if !other.is_named_by(request) {
        return None;
    }
    tracing::info!(security.refusal = "TLS-008", "a request for the host of another listener");
    let refused = RefusedBy::new("TLS-008", "The request names the host of another listener.");
    Some((StatusCode::MISDIRECTED_REQUEST, Extension(BeforeRoute), Extension(refused)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn tls_008_the_other_listener_is_known_by_its_host_or_its_port() {
        let named = |other: &OtherHost, target: &str, host: Option<&str>| {
            let request = host.into_iter().fold(Request::builder().uri(target), |it, host| it.header(HOST, host));
            other.is_named_by(&request.body(Body::empty()).unwrap())
        };
        let other = OtherHost::new("https://bank.example", "https://api.bank.example").unwrap();
        for (target, host, is_other) in [
            ("/a", Some("api.bank.example"), true),
            ("/a", Some("API.Bank.example:443"), true),
            ("https://api.bank.example/a", None, true),
            ("https://api.bank.example/a", Some("bank.example"), true),
            ("/a", Some("api.bank.example.:8444"), true),
            ("/a", Some("bank.example"), false),
            ("https://bank.example/a", Some("api.bank.example"), false),
            ("/a", Some("10.0.1.1:8444"), false),
            ("/a", Some("not a host"), false),
            ("/a", None, false),
        ] {
            assert_eq!(named(&other, target, host), is_other, "{target} {host:?}");
        }
        let local = OtherHost::new("https://localhost:8443", "https://localhost:8444").unwrap();
        assert!(named(&local, "/a", Some("localhost:8444")) && !named(&local, "/a", Some("localhost")));
        let behind = OtherHost::new("https://bank.example:8443", "https://bank.example").unwrap();
        assert!(!named(&behind, "/a", Some("bank.example")), "a proxy may have left the port out");
        assert!(named(&behind, "/a", Some("bank.example:443")));
        for (own, other) in [("https://bank.example", "https://Bank.example:443"), ("https://bank.example", "nowhere")]
        {
            assert_eq!(OtherHost::new(own, other), None, "{own} {other}");
        }
    }
}
