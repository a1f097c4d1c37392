//! Compares the server's orders with those that the bank's core holds, a batch at a time.

use super::operations::Ops;
use super::reconciliation_views::Reconciliation;
use super::response::render_result;
use super::staff::{Act, Staff};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::OrderId;

/// `POST /operations/reconcile`.
pub(super) async fn reconcile(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(order): Json<Reconciliation>,
) -> Response {
    render_result(StatusCode::OK, operations.reconcile(&act, order).await)
}

/// `POST /operations/orders/{id}/resubmit`.
pub(super) async fn resubmit(State(operations): State<Ops>, Path(id): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.resubmit(&act, &OrderId::new(id)).await)
}
