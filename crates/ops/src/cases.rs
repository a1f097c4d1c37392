//! Serves searches, and consents, orders and customers as staff see them.

use crate::operations::Ops;
use crate::response::render_result;
use crate::staff::{Act, ReasonGiven, Staff};
use crate::support::SearchCommand;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::PsuId;
use lombard_domain::staff::StaffAct;

/// `POST /operations/search`. The text is in the body, because addresses are kept in histories and logs.
pub(crate) async fn search(
    State(operations): State<Ops>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
    Json(SearchCommand { text }): Json<SearchCommand>,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.support_search(&act, &text).await)
}

/// `GET /operations/orders/{id}`.
pub(crate) async fn order(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.order_story(&act, &id).await)
}

/// `GET /operations/consents/{id}`.
pub(crate) async fn consent(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.consent_story(&act, &id).await)
}

/// `GET /operations/customers/{id}`.
pub(crate) async fn customer(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, operations.customer(&act, &PsuId::from(id)).await)
}

/// `POST /operations/customers/{id}/revoke`.
pub(crate) async fn revoke_customer(State(operations): State<Ops>, Path(id): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.customer_revoke(&act, &PsuId::from(id)).await)
}
