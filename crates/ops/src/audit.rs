//! Serves the audit log to staff.

use super::audit_views::AuditSearch;
use super::operations::{OperationError, Ops};
use super::response::render_result;
use super::staff::Staff;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;

/// `GET /operations/audit`.
pub(super) async fn list(
    State(operations): State<Ops>,
    Staff(act): Staff,
    search: Result<Query<AuditSearch>, QueryRejection>,
) -> Response {
    let known = "the parameters are target, actor, action, since, until, after, before, limit and reason";
    let search = search.map_err(|_| OperationError::Refused(known.to_owned()));
    let page = match search {
        Ok(Query(search)) => operations.audit_page(&act, search).await,
        Err(error) => Err(error),
    };
    render_result(StatusCode::OK, page)
}
