//! Turns a panic in a handler into a 500 of that request, without ending the connection, and logs it once.

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

/// Responds with 500 without the cause; the panic hook logs the place of the panic.
pub(super) async fn catch(request: Request, mut route: Route) -> Response {
    let id = request.extensions().get::<FapiInteractionId>().cloned();
    // State that handlers share is behind poisoning locks or in transactions that roll back.
    match AssertUnwindSafe(async move { route.call(request).await }).catch_unwind().await {
        Ok(Ok(response)) => response,
        Err(_) => {
            tracing::error!(interaction.id = id.as_ref().map(FapiInteractionId::as_str), "a handler panicked");
            let refused = RefusedBy::new("RW-114", "Something failed on our side; the server's log has the cause.");
            (StatusCode::INTERNAL_SERVER_ERROR, Extension(refused)).into_response()
        }
    }
}
