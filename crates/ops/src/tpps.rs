//! The handlers with which an operator lists, shows and changes TPPs. Source: AS-113, AS-154, DCR-042, DCR-043.

use super::operations::{OperationError, Ops};
use super::response::render_result;
use super::staff::act::with_reason;
use super::staff::{Act, Staff};
use super::tpp_views::{
    TppChange, TppListView, TppProfileCommand, TppRedirectUrisCommand, TppRolesCommand, TppSignedMessagesCommand,
    TppStatusCommand,
};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::ClientId;
use lombard_domain::staff::StaffAct;
use lombard_service::clients::PAGE_CLIENTS_MAX;
use serde::Deserialize;

/// The default number of TPPs on a page of the list.
const PAGE_CLIENTS: u32 = 100;

/// The query parameters of a page of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TppPage {
    #[serde(default)]
    after: Option<ClientId>,
    #[serde(default)]
    limit: Option<u32>,
}

/// `GET /operations/tpps`.
pub(super) async fn list(State(operations): State<Ops>, Query(page): Query<TppPage>) -> Response {
    render_result(StatusCode::OK, list_page(&operations, page).await)
}

async fn list_page(operations: &Ops, TppPage { after, limit }: TppPage) -> Result<TppListView, OperationError> {
    let limit = limit.unwrap_or(PAGE_CLIENTS);
    if !(1..=PAGE_CLIENTS_MAX).contains(&limit) {
        return Err(OperationError::Refused(format!("limit: a number from 1 to {PAGE_CLIENTS_MAX}")));
    }
    operations.list_tpps(after, limit).await
}

/// `GET /operations/tpps/{id}`.
pub(super) async fn show(State(operations): State<Ops>, Path(id): Path<String>) -> Response {
    render_result(StatusCode::OK, operations.find_tpp(&id).await)
}

/// `POST /operations/tpps/{id}/disable`. Source: AS-113.
pub(super) async fn disable(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppStatusCommand { reason }): Json<TppStatusCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::Disable).await
}

/// `POST /operations/tpps/{id}/enable`.
pub(super) async fn enable(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppStatusCommand { reason }): Json<TppStatusCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::Enable).await
}

/// `POST /operations/tpps/{id}/approve`. Source: DCR-042.
pub(super) async fn approve(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppStatusCommand { reason }): Json<TppStatusCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::Approve).await
}

/// `POST /operations/tpps/{id}/refuse`. Source: DCR-042.
pub(super) async fn refuse(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppStatusCommand { reason }): Json<TppStatusCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::Refuse).await
}

/// `POST /operations/tpps/{id}/login`.
pub(super) async fn login(State(operations): State<Ops>, Path(id): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::CREATED, operations.tpp_login(&act, &id).await)
}

/// `PUT /operations/tpps/{id}/roles`. Source: DCR-042.
pub(super) async fn set_roles(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppRolesCommand { roles, reason }): Json<TppRolesCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::SetRoles(roles)).await
}

/// `PUT /operations/tpps/{id}/redirect-uris`. Source: DCR-042.
pub(super) async fn set_redirect_uris(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppRedirectUrisCommand { redirect_uris, reason }): Json<TppRedirectUrisCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::SetRedirectUris(redirect_uris)).await
}

/// `PUT /operations/tpps/{id}/profile`. Source: AS-154.
pub(super) async fn set_profile(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppProfileCommand { profile, reason }): Json<TppProfileCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::SetProfile(profile)).await
}

/// `PUT /operations/tpps/{id}/signed-messages`. Source: AS-182.
pub(super) async fn set_signed_messages(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppSignedMessagesCommand { signed_messages, reason }): Json<TppSignedMessagesCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::SetSignedMessages(signed_messages)).await
}

/// `DELETE /operations/tpps/{id}`. Source: DCR-043.
pub(super) async fn delete(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    Json(TppStatusCommand { reason }): Json<TppStatusCommand>,
) -> Response {
    change(&operations, (act, reason), &id, TppChange::Delete).await
}

/// Changes a TPP for the reason in the body of the request.
async fn change(operations: &Ops, (act, reason): (StaffAct, Option<String>), id: &str, change: TppChange) -> Response {
    let changed = match with_reason(act, reason) {
        Ok(act) => operations.tpp_change(&act, id, change).await,
        Err(error) => Err(error),
    };
    render_result(StatusCode::OK, changed)
}
