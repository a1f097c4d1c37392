//! Notices of maintenance: list, announce, begin, end and withdraw.

use super::maintenance_views::{AnnounceCommand, BeginCommand, MaintenanceCommand, NoticeCommand};
use super::operations::Ops;
use super::response::render_result;
use super::staff::Staff;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use lombard_domain::staff::StaffAct;

/// `GET /operations/maintenance`.
pub(super) async fn list(State(operations): State<Ops>) -> Response {
    render_result(StatusCode::OK, operations.maintenance_notices().await)
}

/// `POST /operations/maintenance/announce`.
pub(super) async fn announce(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(command): Json<AnnounceCommand>,
) -> Response {
    change(&operations, &act, MaintenanceCommand::Announce(command)).await
}

/// `POST /operations/maintenance/begin`.
pub(super) async fn begin(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(command): Json<BeginCommand>,
) -> Response {
    change(&operations, &act, MaintenanceCommand::Begin(command)).await
}

/// `POST /operations/maintenance/end`.
pub(super) async fn end(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(command): Json<NoticeCommand>,
) -> Response {
    change(&operations, &act, MaintenanceCommand::End(command)).await
}

/// `POST /operations/maintenance/withdraw`.
pub(super) async fn withdraw(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(command): Json<NoticeCommand>,
) -> Response {
    change(&operations, &act, MaintenanceCommand::Withdraw(command)).await
}

async fn change(operations: &Ops, act: &StaffAct, command: MaintenanceCommand) -> Response {
    render_result(StatusCode::OK, operations.maintenance_change(act, command).await)
}
