//! Keeps web pages away from the ops listener: a browser says by which name it came and from which page.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, Uri, header};
use std::net::IpAddr;
use std::sync::Arc;

/// The names the ops listener goes by, without ports.
#[derive(Debug, Clone)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The loopback names, the address bound to, and these.
    pub fn new(bound: IpAddr, further: &[String]) -> Self {
        let own = if bound.is_unspecified() { None } else { Some(bracketed(bound)) };
        let loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        Self(loopback.into_iter().chain(own).chain(further.iter().map(|name| name.to_ascii_lowercase())).collect())
    }

    /// Whether `host` or `host:port` names us.
    fn include(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<http::uri::Authority>() else { return false };
        let plain = !authority.as_str().contains('@');
        plain && self.0.iter().any(|name| name.eq_ignore_ascii_case(authority.host()))
    }
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Refuses requests made under another name (DNS rebinding) or from a page of another origin.
pub(super) async fn refuse_foreign(State(hosts): State<Arc<AllowedHosts>>, request: Request, next: Next) -> Response {
    let Some(host) = host_of(request.headers(), request.uri()).filter(|host| hosts.include(host)) else {
        return (StatusCode::MISDIRECTED_REQUEST, "address this listener by a loopback name\n").into_response();
    };
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    if origins.any(|origin| origin.to_str().ok().and_then(|text| text.strip_prefix("http://")) != Some(host)) {
        return (StatusCode::FORBIDDEN, "requests from other origins are refused\n").into_response();
    }
    next.run(request).await
}

/// The one name the request was made under: the target's if it has one, else the one `Host` header.
fn host_of<'r>(headers: &'r HeaderMap, uri: &'r Uri) -> Option<&'r str> {
    let mut named = headers.get_all(header::HOST).iter();
    let first = named.next().map(|value| value.to_str().ok());
    if named.next().is_some() {
        return None;
    }
    match (uri.authority(), first) {
        (Some(authority), _) => Some(authority.as_str()),
        (None, Some(host)) => host,
        (None, None) => None,
    }
}
