//! Shows operators the quarantined work, and has it tried again.

use super::operations::{OperationError, Ops};
use super::response::render_result;
use super::staff::Act;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::staff::StaffAct;
use lombard_ports::store::{FailedWork, QuarantinedWork};
use lombard_service::workers::QuarantineContents;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The work that failed and was set aside, which is the same on every node until it is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantineView {
    /// The number of items of each kind.
    pub counts: BTreeMap<String, u64>,
    /// The first thousand items, the oldest first.
    pub work: Vec<QuarantinedWorkView>,
}

/// A piece of work in quarantine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedWorkView {
    /// The id of the item: a number, with the prefix `bank-` for work of the built-in bank.
    pub id: String,
    /// The kind of work, by its name [`lombard_ports::store::WorkKind::name`].
    pub kind: String,
    /// The id of the item's subject.
    pub subject: String,
    /// Why the work failed.
    pub cause: String,
    /// When the work was quarantined (wall clock, RFC 3339).
    pub since: String,
}

/// The result of trying work again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetriedView {
    /// The number of items that are tried again.
    pub retried: u64,
}

impl From<QuarantineContents> for QuarantineView {
    fn from(QuarantineContents { work, counts }: QuarantineContents) -> Self {
        let counts = counts.into_iter().map(|(kind, count)| (kind.name().to_owned(), count)).collect();
        Self { counts, work: work.into_iter().map(QuarantinedWorkView::from).collect() }
    }
}

impl From<(String, QuarantinedWork)> for QuarantinedWorkView {
    fn from((id, it): (String, QuarantinedWork)) -> Self {
        let QuarantinedWork { work: FailedWork { kind, subject, cause }, since, .. } = it;
        Self { id, kind: kind.name().to_owned(), subject, cause, since: since.to_string() }
    }
}

/// `GET /operations/quarantine`.
pub(super) async fn show(State(operations): State<Ops>) -> Response {
    render_result(StatusCode::OK, operations.quarantined().await.map(QuarantineView::from))
}

/// `POST /operations/quarantine/{id}/retry`.
pub(super) async fn retry_one(State(operations): State<Ops>, Path(id): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, retried(&operations, &act, &id).await)
}

async fn retried(operations: &Ops, act: &StaffAct, id: &str) -> Result<RetriedView, OperationError> {
    match operations.quarantine_release(act, Some(id)).await? {
        0 => Err(OperationError::Refused("there is no work in quarantine with this id".to_owned())),
        retried => Ok(RetriedView { retried }),
    }
}

/// `POST /operations/quarantine/retry`.
pub(super) async fn retry_all(State(operations): State<Ops>, Act(act): Act) -> Response {
    let released = operations.quarantine_release(&act, None).await;
    render_result(StatusCode::OK, released.map(|retried| RetriedView { retried }))
}
