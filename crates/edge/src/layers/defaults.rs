//! Sets the headers for caches and browsers on every response.

use axum::response::Response;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};

/// Adds `no-store` to a response without a caching header: every resource, page and error. Static files and public keys state how long they
/// may be cached. Browsers must not guess the media type of any response. Source: EVT-013, AS-036, AS-140, RFC 9111 section 5.2.2.5, Fetch
/// (WHATWG) section 3.6.
pub(super) fn add_defaults(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
