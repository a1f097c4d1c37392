//! A panic in a handler ends that request with 500, not the connection, and is logged once.

use crate::request_log::RefusedBy;
use axum::Extension;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::Route;
use futures_util::FutureExt;
use http::StatusCode;
use lombard_domain::ids::FapiInteractionId;
use std::panic::AssertUnwindSafe;
use tower::Service;

/// Answers 500 without naming the cause; the panic hook has written where it happened.
pub(super) async fn catch(request: Request, mut route: Route) -> Response {
    let id = request.extensions().get::<FapiInteractionId>().cloned();
    // The state a handler shares with others is behind locks that poison or transactions that roll back.
    match AssertUnwindSafe(async move { route.call(request).await }).catch_unwind().await {
        Ok(Ok(response)) => response,
        Err(_) => {
            tracing::error!(interaction.id = id.as_ref().map(FapiInteractionId::as_str), "a handler panicked");
            let refused = RefusedBy::new("RW-114", "Something failed on our side; the server's log has the cause.");
            (StatusCode::INTERNAL_SERVER_ERROR, Extension(refused)).into_response()
        }
    }
}
