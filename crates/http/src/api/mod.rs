//! The handlers of the Read/Write API: read the question, call the use-case, write the answer.

pub(crate) mod accounts;
pub(crate) mod consents;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod funds;
pub(crate) mod payments;
#[cfg(test)]
mod tests;
pub(crate) mod vrp;

use crate::App;
use crate::catalogue;
use crate::error::{ApiError, JSON};
use crate::signing::{self, Recipient};
use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{Method, StatusCode};

/// The routes of everything built. Whoever assembles the listener gives [`undefined`] as its fallback.
pub(crate) fn routes(app: &App) -> Router<App> {
    catalogue::router(app)
}

/// Answers for paths that are not defined, not built or switched off, before any token is looked at.
/// Source: RW-008, RW-009, RW-131.
pub(crate) async fn undefined(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    let answer = ApiError::NotDefined.respond(&app, catalogue::version_of(path));
    let signs = signing::are_signed(path) && request.method() != Method::HEAD;
    if signs { signing::signed(&app, &Recipient::of(request.extensions()), answer).await } else { answer }
}

/// A JSON answer. Source: RW-071.
fn json(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(CONTENT_TYPE, JSON)], body).into_response()
}
