//! Refuses requests of web pages to the ops listener, by the `Host` and the `Origin` that a browser sends.

use crate::staff::CALLBACK_PATH;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use std::net::IpAddr;
use std::sync::Arc;

/// The host names of the ops listener, without ports, and the scheme of its pages.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Vec<String>,
    scheme: &'static str,
}

impl AllowedHosts {
    /// Allows the loopback names, the bound address, and these names. Pages have the scheme `http`.
    pub fn new<'n>(bound: IpAddr, further: impl IntoIterator<Item = &'n str>) -> Self {
        let own = if bound.is_unspecified() { None } else { Some(bracketed(bound)) };
        let loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let names = loopback.into_iter().chain(own).chain(further.into_iter().map(str::to_ascii_lowercase)).collect();
        Self { names, scheme: "http://" }
    }

    /// The same names on a listener with TLS, if it has TLS.
    #[must_use]
    pub fn with_tls(self, is_secure: bool) -> Self {
        Self { scheme: if is_secure { "https://" } else { "http://" }, ..self }
    }

    /// Whether `host` or `host:port` names this listener.
    fn include(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<http::uri::Authority>() else { return false };
        let plain = !authority.as_str().contains('@');
        plain && self.names.iter().any(|name| name.eq_ignore_ascii_case(authority.host()))
    }
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses requests made under another name (DNS rebinding) or from a page of another origin.
pub(super) async fn refuse_foreign(State(hosts): State<Arc<AllowedHosts>>, request: Request, next: Next) -> Response {
    match refusal(&hosts, request.method(), request.headers(), request.uri()) {
        Some(refused) => refused.into_response(),
        None => next.run(request).await,
    }
}

fn refusal(
    hosts: &AllowedHosts,
    method: &Method,
    headers: &HeaderMap,
    uri: &Uri,
) -> Option<(StatusCode, &'static str)> {
    let Some(host) = host_of(headers, uri).filter(|host| hosts.include(host)) else {
        return Some((
            StatusCode::MISDIRECTED_REQUEST,
            "address this listener by a loopback name, or by one in server.ops_hosts\n",
        ));
    };
    let is_own =
        |origin: &HeaderValue| origin.to_str().ok().and_then(|text| text.strip_prefix(hosts.scheme)) == Some(host);
    // Requests from a page of this listener or from the address bar are allowed. Programs other than browsers do not send this header.
    // Source: Fetch Metadata Request Headers (W3C), section 2.3.
    // The identity provider of staff sends browsers back to one page, which trusts nothing but the browser's own cookie.
    let is_return = uri.path() == CALLBACK_PATH && *method == Method::GET;
    let is_same_site = |site: &HeaderValue| is_return || matches!(site.as_bytes(), b"same-origin" | b"none");
    let is_foreign = headers.get_all(header::ORIGIN).iter().any(|origin| !is_own(origin))
        || headers.get_all(SEC_FETCH_SITE).iter().any(|site| !is_same_site(site));
    is_foreign.then_some((StatusCode::FORBIDDEN, "requests from other origins are refused\n"))
}

/// The host of the request: that of the target or of the only `Host` header. `None` if both are present and differ, or there are several headers.
fn host_of<'r>(headers: &'r HeaderMap, uri: &'r Uri) -> Option<&'r str> {
    let mut named = headers.get_all(header::HOST).iter();
    let first = named.next().map(|value| value.to_str().ok());
    if named.next().is_some() {
        return None;
    }
    match (uri.authority().map(Authority::as_str), first) {
        (Some(target), Some(host)) => host.filter(|host| host.eq_ignore_ascii_case(target)),
        (Some(target), None) => Some(target),
        (None, host) => host.flatten(),
    }
}
