//! The operations of operators on signing keys. Source: AS-007, AS-008.

use super::key_views::{KeyImportCommand, KeyRequestCommand, KeyRetirementCommand};
use super::operations::Ops;
use super::response::render_result;
use super::staff::{Act, Staff};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::KeyId;

/// `GET /operations/keys`.
pub(super) async fn list(State(operations): State<Ops>) -> Response {
    render_result(StatusCode::OK, operations.list_keys().await)
}

/// `POST /operations/keys/rotate`.
pub(super) async fn rotate(State(operations): State<Ops>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.keys_rotate(&act).await)
}

/// `POST /operations/keys/csr`.
pub(super) async fn request(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(order): Json<KeyRequestCommand>,
) -> Response {
    render_result(StatusCode::OK, operations.key_request(&act, order).await)
}

/// `POST /operations/keys/import`.
pub(super) async fn import(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(order): Json<KeyImportCommand>,
) -> Response {
    render_result(StatusCode::OK, operations.key_import(&act, order).await)
}

/// `POST /operations/keys/reseal`.
pub(super) async fn reseal(State(operations): State<Ops>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.keys_reseal(&act).await)
}

/// `POST /operations/keys/login`.
pub(super) async fn login(State(operations): State<Ops>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.keys_login(&act).await)
}

/// `POST /operations/keys/{kid}/retire`.
pub(super) async fn retire(
    State(operations): State<Ops>,
    Path(kid): Path<String>,
    Staff(act): Staff,
    Json(order): Json<KeyRetirementCommand>,
) -> Response {
    render_result(StatusCode::OK, operations.key_retire(&act, &KeyId::new(kid), order).await)
}

/// `POST /operations/keys/{kid}/withdraw`.
pub(super) async fn withdraw(State(operations): State<Ops>, Path(kid): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.key_withdraw(&act, &KeyId::new(kid)).await)
}
