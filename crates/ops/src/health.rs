//! Health and metrics of a node: for the ops listener, and for the health listener, which serves nothing else.

use super::index::IndexedRoutes;
use super::operations::Ops;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use std::time::Duration;
use tokio::time::timeout;

/// The path of the liveness check.
pub const LIVENESS_PATH: &str = "/healthz";

/// The time in which the database must answer the check: less than a monitoring program usually waits.
const DATABASE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// The routes, with their lines in the index.
pub(super) fn routes() -> IndexedRoutes<Ops> {
    IndexedRoutes::new()
        .get(LIVENESS_PATH, "the process is alive", || async { "alive\n" })
        .get("/readyz", "this node can serve requests, or what it lacks", ready)
        .get("/health/database", "the database answers", database)
        .get("/metrics", "metrics for Prometheus", metrics)
}

async fn ready(State(operations): State<Ops>) -> Response {
    let missing = operations.unready_parts();
    if missing.is_empty() {
        return "ready\n".into_response();
    }
    (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}\n", missing.join(", "))).into_response()
}

async fn database(State(operations): State<Ops>) -> Response {
    match timeout(DATABASE_ANSWERS_WITHIN, operations.database_answers()).await {
        Ok(Ok(())) => "the database answers\n".into_response(),
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response(),
    }
}

async fn metrics(State(operations): State<Ops>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], operations.metrics()).into_response()
}
