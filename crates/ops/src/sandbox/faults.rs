//! Lists, replaces and removes the faults that testers inject into the calls of TPPs.

use super::request::PostedFile;
use super::response::ControlResponder;
use crate::index::IndexedRoutes;
use crate::operations::{OperationError, Ops};
use crate::response::render_result;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::ids::ClientId;
use lombard_edge::faults::{FaultInjection, list_client_names, read_faults, write_faults};
use std::collections::{BTreeSet, HashMap};

/// The routes of faults; empty outside a sandbox.
pub(super) fn routes(operations: Ops, injection: Option<FaultInjection>) -> IndexedRoutes {
    let Some(injection) = injection else { return IndexedRoutes::new() };
    IndexedRoutes::new()
        .get("/sandbox/faults", "the faults that TPPs meet", list)
        .put("/sandbox/faults", "replace the faults that TPPs meet", replace)
        .delete("/sandbox/faults", "remove all faults", remove)
        .with_state(FaultTools { operations, injection })
}

/// The state of the routes.
#[derive(Debug, Clone)]
struct FaultTools {
    /// The operations, which find the TPPs that faults name.
    operations: Ops,
    injection: FaultInjection,
}

async fn list(State(FaultTools { injection, .. }): State<FaultTools>) -> Response {
    show(&injection)
}

async fn replace(
    State(FaultTools { operations, injection }): State<FaultTools>,
    responder: ControlResponder,
    PostedFile(body): PostedFile,
) -> Response {
    let read = match body {
        Ok(body) => {
            let clients = find_clients(&operations, list_client_names(&body)).await;
            match clients {
                Ok(clients) => read_faults(&body, &injection, |name| clients.get(name).cloned()),
                Err(error) => return render_result::<()>(StatusCode::OK, Err(error)),
            }
        }
        Err(bad) => return responder.invalid_command(bad),
    };
    match read {
        Ok(rules) => {
            injection.replace(rules);
            show(&injection)
        }
        Err(faults) => responder.bad_document("the list cannot be used; nothing has changed", faults),
    }
}

/// Finds the clients with these names by [`Operations::find_tpp`](crate::operations::Operations::find_tpp).
///
/// # Errors
/// [`OperationError::Failed`].
async fn find_clients(operations: &Ops, names: BTreeSet<String>) -> Result<HashMap<String, ClientId>, OperationError> {
    let mut found = HashMap::new();
    for name in names {
        match operations.find_tpp(&name).await {
            Ok(tpp) => drop(found.insert(name, tpp.client_id)),
            Err(OperationError::Refused(_)) => {}
            Err(failed) => return Err(failed),
        }
    }
    Ok(found)
}

async fn remove(State(FaultTools { injection, .. }): State<FaultTools>) -> Response {
    injection.clear();
    show(&injection)
}

fn show(injection: &FaultInjection) -> Response {
    Json(write_faults(&injection.list())).into_response()
}
