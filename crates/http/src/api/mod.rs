//! The handlers of the Read/Write API: read the question, call the use-case, write the answer.

pub(crate) mod accounts;
pub(crate) mod consents;
pub(crate) mod events;
#[cfg(test)]
mod tests;

use crate::App;
use crate::app::Settings;
use crate::catalogue;
use crate::error::{ApiError, JSON};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{StatusCode, Uri};

/// The routes of everything built. Whoever assembles the listener gives [`undefined`] as its fallback.
pub(crate) fn routes(settings: &Settings) -> Router<App> {
    catalogue::router(settings)
}

/// Answers for paths that are not defined, not built or switched off, before any token is looked at.
/// Source: RW-008, RW-009, RW-131.
pub(crate) async fn undefined(State(app): State<App>, uri: Uri) -> Response {
    ApiError::NotDefined.respond(&app, catalogue::version_of(uri.path()))
}

/// A JSON answer. Source: RW-071.
fn json(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(CONTENT_TYPE, JSON)], body).into_response()
}
