//! The response of an operation: its result as JSON, or the reason why it was not carried out.

use super::operations::OperationError;
use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::json;

/// Renders the result with this status, or the error with its status, and logs a failure.
pub(super) fn render_result<T: serde::Serialize>(done: StatusCode, result: Result<T, OperationError>) -> Response {
    let error = match result {
        Ok(result) => return (done, Json(result)).into_response(),
        Err(error) => error,
    };
    let status = match &error {
        OperationError::Refused(_) => StatusCode::BAD_REQUEST,
        OperationError::Failed(cause) => {
            tracing::error!(error = cause.as_ref() as &dyn std::error::Error, "an operation failed");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    (status, Json(json!({ "error": error.to_string() }))).into_response()
}
