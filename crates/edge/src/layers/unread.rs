//! Refuses further requests of callers that have too many unread responses or too many requests in progress.

use super::meters::BeforeRoute;
use crate::listener::{CallerQuota, OpenedResponse, UnreadResponses};
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::sync::Arc;

pub(super) const REFUSALS: &str = "lombard_http_unread_refusals_total";

/// Seconds after which a caller may try again.
const RETRY_AFTER_SECS: u64 = 1;

/// Responds with 429 while the caller's quota of unread bytes is used up: before the request is processed if the quota is full, or in place
/// of a response that exceeds it. It does the same while too many requests of the caller are in progress. The 429 has no body, so that its
/// stream ends even if the caller gives it no window. Source: RW-112, TLS-016.
pub(super) async fn bound<A: Future<Output = OpenedResponse>>(
    mut request: Request,
    answer: impl FnOnce(Request) -> A,
) -> Response {
    let extensions = request.extensions();
    let (Some(quota), Some(unread)) = (extensions.get::<Arc<CallerQuota>>(), extensions.get::<UnreadResponses>())
    else {
        return answer(request).await.into_response();
    };
    let unread = unread.clone();
    let under_way = match quota.begin_request() {
        Ok(under_way) if !unread.is_full() => Arc::new(under_way),
        _ => return (Extension(BeforeRoute), refuse()).into_response(),
    };
    request.extensions_mut().insert(Arc::clone(&under_way));
    let response = answer(request).await;
    unread.admit(response, under_way).unwrap_or_else(|_| refuse())
}

fn refuse() -> Response {
    metrics::counter!(REFUSALS).increment(1);
    tracing::info!(
        limit.refusal = "TLS-016",
        "a caller does not read its responses, or has too many requests under way"
    );
    let refused =
        RefusedBy::new("TLS-016", "The caller does not read its answers, or has too many requests under way.");
    (StatusCode::TOO_MANY_REQUESTS, Extension(refused), [(RETRY_AFTER, RETRY_AFTER_SECS)]).into_response()
}
