//! `Cache-Control`: no answer is stored by a cache unless its handler says for how long it may be.

use axum::response::Response;
use http::HeaderValue;
use http::header::CACHE_CONTROL;

/// Adds `no-store` to an answer that says nothing about caches: every resource, page and error. Static files and public
/// keys say how long they may be kept. Source: EVT-013, AS-036, AS-140, RFC 9111 section 5.2.2.5.
pub(super) fn default_to_no_store(mut response: Response) -> Response {
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
