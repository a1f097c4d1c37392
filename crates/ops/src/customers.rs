//! The records of one customer: hold, release, export and erase. Each request says why it is made.

use super::customer_views::CustomerChange;
use super::operations::Ops;
use super::response::render_result;
use super::staff::{ReasonGiven, Staff};
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::PsuId;
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::staff::StaffAct;

/// `GET /operations/customers/{id}/export`.
pub(super) async fn export(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.customer_export(&act, &PsuId::new(id)).await)
}

/// `POST /operations/customers/{id}/hold`.
pub(super) async fn hold(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    change(&operations, act, reason, &id, CustomerChange::Hold).await
}

/// `POST /operations/customers/{id}/release`.
pub(super) async fn release(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    change(&operations, act, reason, &id, CustomerChange::Release).await
}

/// `POST /operations/customers/{id}/erase`.
pub(super) async fn erase(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    change(&operations, act, reason, &id, CustomerChange::Erase).await
}

async fn change(operations: &Ops, act: StaffAct, reason: ChangeReason, id: &str, change: CustomerChange) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.customer_change(&act, &PsuId::new(id), change).await)
}
