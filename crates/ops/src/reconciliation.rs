//! Compares the server's orders with those that the bank's core holds, a batch at a time.

use super::operations::Ops;
use super::reconciliation_views::Reconciliation;
use super::response::render_result;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::OrderId;

/// `POST /operations/reconcile`.
pub(super) async fn reconcile(State(operations): State<Ops>, Json(order): Json<Reconciliation>) -> Response {
    render_result(StatusCode::OK, operations.reconcile(order).await)
}

/// `POST /operations/orders/{id}/resubmit`.
pub(super) async fn resubmit(State(operations): State<Ops>, Path(id): Path<String>, Json(()): Json<()>) -> Response {
    render_result(StatusCode::OK, operations.resubmit(&OrderId::new(id)).await)
}
