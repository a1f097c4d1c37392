//! The faults that testers plant on the calls of TPPs: listed, replaced, removed.

use super::request::PostedFile;
use super::response::ControlResponder;
use crate::faults::{FaultInjection, read_faults, write_faults};
use crate::ops::index::IndexedRoutes;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

/// Their routes; none without a sandbox.
pub(super) fn routes(injection: Option<FaultInjection>) -> IndexedRoutes {
    let Some(injection) = injection else { return IndexedRoutes::new() };
    IndexedRoutes::new()
        .get("/sandbox/faults", "the faults that TPPs meet", list)
        .put("/sandbox/faults", "replace the faults that TPPs meet", replace)
        .delete("/sandbox/faults", "remove all faults", remove)
        .with_state(injection)
}

async fn list(State(injection): State<FaultInjection>) -> Response {
    show(&injection)
}

async fn replace(
    State(injection): State<FaultInjection>,
    responder: ControlResponder,
    PostedFile(body): PostedFile,
) -> Response {
    let read = match body {
        Ok(body) => read_faults(&body, &injection),
        Err(bad) => return responder.bad_order(bad),
    };
    match read {
        Ok(rules) => {
            injection.replace(rules);
            show(&injection)
        }
        Err(faults) => responder.bad_document("the list cannot be used; nothing has changed", faults),
    }
}

async fn remove(State(injection): State<FaultInjection>) -> Response {
    injection.clear();
    show(&injection)
}

fn show(injection: &FaultInjection) -> Response {
    Json(write_faults(&injection.list())).into_response()
}
