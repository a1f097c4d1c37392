//! What an operator sees of the queues of events. Source: EVT-042.

use super::operations::{OperationError, Operations};
use super::{Ops, answer};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::{ClientId, EventId};
use lombard_ports::store::ParkedEvent;
use lombard_wire::events::event_type;
use serde::Serialize;
use std::sync::Arc;

/// The queues, as far as they need somebody.
#[derive(Debug, Serialize)]
struct Queues {
    /// Polls that this node holds.
    held: usize,
    parked: Vec<Parked>,
}

/// An event that is no longer offered. What the client said is escaped already.
#[derive(Debug, Serialize)]
struct Parked {
    jti: EventId,
    client_id: ClientId,
    types: Vec<&'static str>,
    about: String,
    recorded_at: String,
    parked_at: String,
    deliveries: i64,
    reports: i64,
    err: Option<String>,
    description: Option<String>,
}

impl From<ParkedEvent> for Parked {
    fn from(event: ParkedEvent) -> Self {
        Self {
            jti: event.id,
            client_id: event.client,
            types: event.types.into_iter().map(event_type).collect(),
            about: event.about,
            recorded_at: event.recorded_at.to_string(),
            parked_at: event.parked_at.to_string(),
            deliveries: event.deliveries,
            reports: event.reports,
            err: event.err,
            description: event.description,
        }
    }
}

#[derive(Debug, Serialize)]
struct Requeued {
    jti: EventId,
}

/// `GET /operations/events`.
pub(super) async fn show(State(operations): State<Ops>) -> Response {
    let held = operations.events_held();
    let shown = operations.events_parked().await;
    let queues = shown.map(|parked| Queues { held, parked: parked.into_iter().map(Parked::from).collect() });
    answer(StatusCode::OK, queues)
}

/// `POST /operations/events/{jti}/requeue`.
pub(super) async fn requeue(State(operations): State<Ops>, Path(jti): Path<String>, Json(()): Json<()>) -> Response {
    answer(StatusCode::OK, requeued(operations, EventId::new(jti)).await)
}

async fn requeued(operations: Arc<dyn Operations>, jti: EventId) -> Result<Requeued, OperationError> {
    if operations.event_requeue(&jti).await? {
        Ok(Requeued { jti })
    } else {
        Err(OperationError::Refused("there is no parked event with this jti".to_owned()))
    }
}
