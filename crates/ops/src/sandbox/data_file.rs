//! Exports and imports the data file over HTTP, the same file that `lombard seed` writes and reads.

use super::control_call::Sandbox;
use super::request::{ImportOptions, InvalidControlRequest, PostedFile};
use super::response::ControlResponder;
use crate::index::IndexedRoutes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use http::header;

/// The most bytes of a data file, which suffice for some 300,000 entries.
pub(crate) const FILE_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The routes of the data file, with their own size limit.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .get("/sandbox/seed", "customers and histories as a data file", export)
        .post("/sandbox/seed", "add the customers of a data file", import)
        .with_body_limit(FILE_BYTES_MAX)
}

async fn export(State(controls): State<Sandbox>, answerer: ControlResponder) -> Response {
    match controls.data_export().await {
        Ok(file) => ([(header::CONTENT_TYPE, "application/json")], file).into_response(),
        Err(error) => answerer.answer::<()>(Err(error)),
    }
}

async fn import(
    State(controls): State<Sandbox>,
    answerer: ControlResponder,
    options: Result<Query<ImportOptions>, QueryRejection>,
    PostedFile(file): PostedFile,
) -> Response {
    let Ok(Query(options)) = options else {
        return answerer.invalid_command(InvalidControlRequest::new("say ?rebase=true or nothing"));
    };
    match file {
        Ok(file) => answerer.answer(controls.data_import(file.into(), options.rebase).await),
        Err(bad) => answerer.invalid_command(bad),
    }
}
