//! The sandbox's controls on the ops listener. Requests, responses and errors are JSON. The controls are absent in production.

mod accounts;
mod control_call;
mod customers;
mod data_file;
mod entries;
mod faults;
mod form_orders;
mod orders;
mod reader_messages;
mod request;
mod response;
mod snapshots;
#[cfg(test)]
mod tests;

pub(crate) use data_file::FILE_BYTES_MAX;
pub use form_orders::NewCustomerFields;
pub use form_orders::read_account_change;
pub use form_orders::read_account_end;
pub use form_orders::read_clock_move;
pub use form_orders::read_customer_change;
pub use form_orders::read_decision;
pub use form_orders::read_entry;
pub use form_orders::read_events_count;
pub use form_orders::read_order_plan;
pub use form_orders::read_outcome;
pub use form_orders::rejection_reasons;
pub use form_orders::write_customer_file;
pub(crate) use request::{ImportOptions, InvalidControlRequest, PostedFile, PostedJson, ResetOptions};
pub(crate) use response::ControlResponder;

use super::index::IndexedRoutes;
use super::operations::Ops;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use control_call::{ControlCall, Sandbox};
use jiff::Timestamp;
use lombard_domain::ids::ConsentId;
use lombard_edge::faults::FaultInjection;
use lombard_ports::controls::{ClockMove, ControlError, SandboxControls};
use request::{ClockRequest, DecisionRequest, EventsRequest};
use response::{ClockBody, ConsentBody, NowBody, RaisedBody};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of a command; a decision that names every account of a customer is far smaller.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// How long a move of the clock waits for the work that becomes due.
const SETTLED_WITHIN: Duration = Duration::from_secs(30);

/// The tools of a sandbox for testers; empty in production.
#[derive(Debug, Clone, Default)]
pub struct SandboxTools {
    /// The controls; `None` if the core supports none.
    pub controls: Option<Arc<dyn SandboxControls>>,
    /// The faults of this process.
    pub faults: Option<FaultInjection>,
}

/// The routes of a sandbox; empty in production.
pub(super) fn routes(operations: Ops, SandboxTools { controls, faults }: SandboxTools) -> IndexedRoutes {
    let of_faults = faults::routes(operations, faults.clone()).with_body_limit(BODY_BYTES_MAX);
    controls_routes(controls, faults).merge(of_faults)
}

/// The routes of the controls. A reset removes the faults too.
fn controls_routes(controls: Option<Sandbox>, faults: Option<FaultInjection>) -> IndexedRoutes {
    let Some(controls) = controls else { return IndexedRoutes::new() };
    let reset = move |State(controls): State<Sandbox>, responder: ControlResponder, options: ResetQuery| {
        reset(controls, faults.clone(), responder, options)
    };
    IndexedRoutes::new()
        .get("/sandbox/clock", "the bank's time", clock)
        .post("/sandbox/clock", "move the bank's time", clock_move)
        .merge(customers::routes())
        .post("/sandbox/reset", "begin anew", reset)
        .post("/sandbox/consents/{id}/authorise", "decide as the customer would", consent_authorise)
        .post("/sandbox/consents/{id}/revoke", "end access as the customer would", consent_revoke)
        .merge(accounts::routes())
        .merge(entries::routes())
        .merge(orders::routes())
        .merge(snapshots::routes())
        .post("/sandbox/events", "raise events for a TPP", events_raise)
        .with_body_limit(BODY_BYTES_MAX)
        .merge(data_file::routes())
        .with_state(controls)
}

async fn clock(State(controls): State<Sandbox>, answerer: ControlResponder) -> Response {
    let shown = async { Ok(ClockBody::new(controls.clock().await?, controls.due_work_list().await?)) };
    answerer.answer(shown.await)
}

async fn clock_move(
    State(controls): State<Sandbox>,
    answerer: ControlResponder,
    order: PostedJson<ClockRequest>,
) -> Response {
    let to = match order.and_then(ClockRequest::read) {
        Ok(to) => to,
        Err(bad) => return answerer.invalid_command(bad),
    };
    answerer.answer(move_clock(controls, to).await.map(|(now, left)| ClockBody::new(now, left)))
}

/// Moves the clock and runs the work that becomes due. Returns the time, and the names of unfinished work.
///
/// # Errors
/// [`ControlError`] of the move or of the due work.
pub async fn move_clock(controls: Sandbox, to: ClockMove) -> Result<(Timestamp, Vec<&'static str>), ControlError> {
    // The work runs in its own task, so that a caller that disconnects does not leave orders half submitted.
    let moved =
        tokio::spawn(
            async move { Ok((controls.clock_move(to).await?, controls.due_work_run_all(SETTLED_WITHIN).await?)) },
        );
    moved.await.unwrap_or_else(|ended| Err(ControlError::Broken(ended.into())))
}

/// The parsed query of a reset.
type ResetQuery = Result<Query<ResetOptions>, QueryRejection>;

async fn reset(
    controls: Sandbox,
    faults: Option<FaultInjection>,
    answerer: ControlResponder,
    options: ResetQuery,
) -> Response {
    match options {
        Ok(Query(options)) => {
            let reset = controls.reset(options.to()).await;
            if let (Ok(_), Some(faults)) = (&reset, faults) {
                faults.clear();
            }
            answerer.answer(reset.map(NowBody::from))
        }
        Err(_) => answerer.invalid_command(InvalidControlRequest::new("say ?empty=true or nothing")),
    }
}

async fn consent_authorise(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
    order: PostedJson<DecisionRequest>,
) -> Response {
    let decision = match order.and_then(DecisionRequest::read) {
        Ok(decision) => decision,
        Err(bad) => return answerer.invalid_command(bad),
    };
    answerer.answer(controls.consent_authorise(&ConsentId::new(id), &decision).await.map(ConsentBody::from))
}

async fn consent_revoke(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    answerer: ControlResponder,
) -> Response {
    answerer.answer(controls.consent_revoke(&ConsentId::new(id)).await.map(ConsentBody::from))
}

async fn events_raise(
    ControlCall(controls): ControlCall,
    answerer: ControlResponder,
    order: PostedJson<EventsRequest>,
) -> Response {
    let order = match order.and_then(Ok) {
        Ok(order) => order,
        Err(bad) => return answerer.invalid_command(bad),
    };
    let raised = controls.events_raise(&order.client_id, order.count.unwrap_or(1)).await;
    answerer.answer(raised.map(RaisedBody::from))
}
