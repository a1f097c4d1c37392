//! Shows operators the queues of events, and offers parked events again. Source: EVT-042.

use super::operations::{OperationError, Operations, Ops};
use super::response::render_result;
use super::staff::Act;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::staff::StaffAct;
use lombard_ports::store::EventDetails;
use lombard_wire::events::event_type;
use serde::Serialize;
use std::sync::Arc;

/// The parts of the event queues that may need an operator.
#[derive(Debug, Serialize)]
struct EventQueuesView {
    /// The number of long polls that wait at this node.
    held: usize,
    /// Events that are no longer offered.
    parked: Vec<EventView>,
    /// Events that clients reported and that are still offered.
    reported: Vec<EventView>,
}

/// An event that is parked or was reported. Texts of the client are already escaped.
#[derive(Debug, Serialize)]
struct EventView {
    jti: EventId,
    client_id: ClientId,
    types: Vec<&'static str>,
    about: String,
    recorded_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parked_at: Option<String>,
    deliveries: i64,
    reports: i64,
    err: Option<String>,
    description: Option<String>,
}

impl From<EventDetails> for EventView {
    fn from(event: EventDetails) -> Self {
        Self {
            jti: event.id,
            client_id: event.client,
            types: event.types.into_iter().map(event_type).collect(),
            about: event.about,
            recorded_at: event.recorded_at.to_string(),
            parked_at: event.parked_at.map(|at| at.to_string()),
            deliveries: event.deliveries,
            reports: event.reports,
            err: event.err,
            description: event.description,
        }
    }
}

#[derive(Debug, Serialize)]
struct RequeuedView {
    jti: EventId,
}

/// `GET /operations/events`.
pub(super) async fn show(State(operations): State<Ops>) -> Response {
    render_result(StatusCode::OK, queues(&*operations).await)
}

async fn queues(operations: &dyn Operations) -> Result<EventQueuesView, OperationError> {
    let shown = |events: Vec<EventDetails>| events.into_iter().map(EventView::from).collect();
    Ok(EventQueuesView {
        held: operations.events_held(),
        parked: shown(operations.events_parked().await?),
        reported: shown(operations.events_reported().await?),
    })
}

/// `POST /operations/events/{jti}/requeue`.
pub(super) async fn requeue(State(operations): State<Ops>, Path(jti): Path<String>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, requeued(operations, &act, EventId::new(jti)).await)
}

async fn requeued(
    operations: Arc<dyn Operations>,
    act: &StaffAct,
    jti: EventId,
) -> Result<RequeuedView, OperationError> {
    if operations.event_requeue(act, &jti).await? {
        Ok(RequeuedView { jti })
    } else {
        Err(OperationError::Refused("there is no parked event with this jti".to_owned()))
    }
}
