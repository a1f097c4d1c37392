//! The controls of snapshots over HTTP.

use super::control_call::Sandbox;
use super::request::InvalidControlRequest;
use super::response::ControlResponder;
use crate::index::IndexedRoutes;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_ports::controls::{ControlError, Snapshot, SnapshotAction, SnapshotName};
use serde::Serialize;

/// The routes of these controls.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .get("/sandbox/snapshots", "the snapshots of the sandbox", list)
        .put("/sandbox/snapshots/{name}", "save the sandbox as it is", save)
        .delete("/sandbox/snapshots/{name}", "remove a snapshot", delete)
        .post("/sandbox/snapshots/{name}/load", "return to a snapshot", load)
}

async fn list(State(controls): State<Sandbox>, responder: ControlResponder) -> Response {
    let snapshots = controls.snapshots().await;
    responder
        .answer(snapshots.map(|all| SnapshotsBody { snapshots: all.into_iter().map(SnapshotBody::from).collect() }))
}

async fn save(State(controls): State<Sandbox>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    act(controls, SnapshotAction::Save, &name, StatusCode::CREATED, responder).await
}

async fn load(State(controls): State<Sandbox>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    act(controls, SnapshotAction::Load, &name, StatusCode::OK, responder).await
}

async fn delete(State(controls): State<Sandbox>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    act(controls, SnapshotAction::Delete, &name, StatusCode::OK, responder).await
}

async fn act(
    controls: Sandbox,
    action: SnapshotAction,
    name: &str,
    done: StatusCode,
    responder: ControlResponder,
) -> Response {
    let Some(name) = SnapshotName::parse(name) else {
        return responder.invalid_command(InvalidControlRequest::new(SnapshotName::RULE));
    };
    // The work runs in its own task, so that a caller that disconnects does not leave bank and server, which may have separate databases,
    // in different states.
    let acted = tokio::spawn(async move { controls.snapshot(action, &name).await }).await;
    let acted = acted.unwrap_or_else(|ended| Err(ControlError::Broken(ended.into())));
    responder.answer_with(done, acted.map(SnapshotBody::from))
}

/// The snapshots, in the order in which they were saved.
#[derive(Debug, Serialize)]
struct SnapshotsBody {
    snapshots: Vec<SnapshotBody>,
}

/// A snapshot.
#[derive(Debug, Serialize)]
struct SnapshotBody {
    name: String,
    /// When the snapshot was saved, on the wall clock.
    saved_at: String,
    /// The time of the bank's clock in the snapshot, which a load restores.
    clock: String,
}

impl From<Snapshot> for SnapshotBody {
    fn from(snapshot: Snapshot) -> Self {
        let Snapshot { name, saved_at, bank_time } = snapshot;
        Self { name: name.to_string(), saved_at: saved_at.to_string(), clock: bank_time.to_string() }
    }
}
