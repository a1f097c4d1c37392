//! Refuses prefetches: requests that a browser sends before its user follows a link.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode};

const SEC_PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

/// Refuses a prefetch, because requesting a page of a journey has effects. The browser drops the response and sends the request again when
/// the person follows the link. Source: Fetch (WHATWG) section 3.9, `Sec-Purpose`.
pub(super) async fn refuse_prefetch(request: Request, next: Next) -> Response {
    let purposes = request.headers().get_all(SEC_PURPOSE).iter();
    let is_prefetch = |value: &str| value.split([',', ';']).any(|word| word.trim().eq_ignore_ascii_case("prefetch"));
    if purposes.filter_map(|value| value.to_str().ok()).any(is_prefetch) {
        return StatusCode::FORBIDDEN.into_response();
    }
    next.run(request).await
}
