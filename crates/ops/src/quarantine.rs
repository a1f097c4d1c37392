//! Quarantined work, as operators see it and have it tried again.

use super::operations::{OperationError, Ops};
use super::response::answer;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_ports::store::{FailedWork, QuarantinedWork};
use lombard_service::workers::QuarantineContents;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Work that workers found and cannot do: the same on every node, until it is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantineView {
    /// How much of each kind there is.
    pub counts: BTreeMap<String, u64>,
    /// The work, the oldest first; the first thousand of it.
    pub work: Vec<QuarantinedWorkView>,
}

/// A piece of work in quarantine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedWorkView {
    /// What it is named by: a number, of the bank's core with `bank-` before it.
    pub id: String,
    /// Its kind, as [`lombard_ports::store::WorkKind::name`] says.
    pub kind: String,
    /// Which one of its kind.
    pub subject: String,
    /// Why it cannot be done.
    pub cause: String,
    /// Since when (wall clock, RFC 3339).
    pub since: String,
}

/// Work that is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetriedView {
    /// How much.
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
    answer(StatusCode::OK, operations.quarantined().await.map(QuarantineView::from))
}

/// `POST /operations/quarantine/{id}/retry`.
pub(super) async fn retry_one(State(operations): State<Ops>, Path(id): Path<String>, Json(()): Json<()>) -> Response {
    answer(StatusCode::OK, retried(&operations, &id).await)
}

async fn retried(operations: &Ops, id: &str) -> Result<RetriedView, OperationError> {
    match operations.quarantine_release(Some(id)).await? {
        0 => Err(OperationError::Refused("there is no work in quarantine with this id".to_owned())),
        retried => Ok(RetriedView { retried }),
    }
}

/// `POST /operations/quarantine/retry`.
pub(super) async fn retry_all(State(operations): State<Ops>, Json(()): Json<()>) -> Response {
    answer(StatusCode::OK, operations.quarantine_release(None).await.map(|retried| RetriedView { retried }))
}
