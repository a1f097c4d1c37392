//! The ops listener: health, metrics, operations that must go through the running server, and the sandbox's controls.
//!
//! Plain HTTP for the machine itself. A web page open in an operator's browser must not reach it: foreign `Host` and
//! `AttemptOrigin` are refused, and operations take JSON only.

mod events;
mod guard;
mod index;
mod operations;
mod quarantine;
mod sandbox;

#[cfg(test)]
mod tests;

pub use guard::Hosts;
pub use operations::{KeyRotated, NewTpp, OperationError, Operations, TppAuthentication, TppCreated};
pub use quarantine::{Quarantine, QuarantinedWorkView, RetriedView};

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use http::{StatusCode, header};
use lombard_domain::ids::{ConsentId, FapiInteractionId};
use lombard_ports::controls::Controls;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

type Ops = Arc<dyn Operations>;

/// Routes of the ops listener; those of the controls only in a sandbox.
pub(crate) fn routes(operations: Ops, controls: Option<Arc<dyn Controls>>, hosts: Hosts) -> Router {
    let is_sandbox = controls.is_some();
    Router::new()
        .route("/", get(move || index::show(is_sandbox)))
        .route("/favicon.ico", get(crate::pages::mark))
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/operations/keys/rotate", post(keys_rotate))
        .route("/operations/tpps", post(tpp_create))
        .route("/operations/consents/{id}/revoke", post(consent_revoke))
        .route("/operations/events", get(events::show))
        .route("/operations/events/{jti}/requeue", post(events::requeue))
        .route("/operations/quarantine", get(quarantine::show))
        .route("/operations/quarantine/retry", post(quarantine::retry_all))
        .route("/operations/quarantine/{id}/retry", post(quarantine::retry_one))
        .with_state(operations)
        .merge(sandbox::routes(controls))
        .layer(middleware::from_fn_with_state(Arc::new(hosts), guard::refuse_foreign))
}

/// How long whatever is asked may take to say whether it is there: less than who asks `/readyz` usually waits.
const READY_WITHIN: Duration = Duration::from_secs(2);

async fn ready(State(operations): State<Ops>) -> Response {
    let missing = timeout(READY_WITHIN, operations.missing()).await.unwrap_or_else(|_| vec!["an answer in time"]);
    if missing.is_empty() {
        return "ready\n".into_response();
    }
    (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}\n", missing.join(", "))).into_response()
}

async fn metrics(State(operations): State<Ops>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], operations.metrics()).into_response()
}

async fn keys_rotate(State(operations): State<Ops>, Json(()): Json<()>) -> Response {
    answer(StatusCode::OK, operations.keys_rotate().await)
}

async fn tpp_create(State(operations): State<Ops>, Json(order): Json<NewTpp>) -> Response {
    answer(StatusCode::CREATED, operations.tpp_create(order).await)
}

/// The bank ends access, for reasons of its own. Source: AIS-070.
async fn consent_revoke(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    call: Option<Extension<FapiInteractionId>>,
    Json(()): Json<()>,
) -> Response {
    let call = call.map(|Extension(call)| call);
    let ended = operations.consent_revoke(&ConsentId::new(id), call.as_ref()).await;
    answer(StatusCode::OK, ended.map(|()| json!({ "revoked": true })))
}

fn answer<T: serde::Serialize>(done: StatusCode, result: Result<T, OperationError>) -> Response {
    let error = match result {
        Ok(result) => return (done, Json(result)).into_response(),
        Err(error) => error,
    };
    let status = match &error {
        OperationError::Refused(_) => StatusCode::BAD_REQUEST,
        OperationError::Failed(cause) => {
            tracing::error!(error = cause.as_ref() as &dyn std::error::Error, "an operation failed");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    (status, Json(json!({ "error": error.to_string() }))).into_response()
}
