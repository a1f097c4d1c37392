//! `POST /par`: an authorisation request its client pushes ahead. Source: AS-151.

use super::answer::{self, Refused};
use super::posted::Posted;
use crate::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lombard_auth::authorisation::push;
use lombard_auth::endpoints::Endpoint;

/// Most bytes of a pushed request: no more than a browser may carry. Source: AS-066, AS-151.
pub(super) const BODY_BYTES_MAX: usize = 16 * 1024;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(Endpoint::PushedAuthorization.path(), post(pushed).fallback(answer::method_not_allowed))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn pushed(State(app): State<App>, posted: Posted) -> Result<Response, Refused> {
    let authenticated = posted.authenticate(&app, Endpoint::PushedAuthorization).await?;
    let pushed = push(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::CREATED, answer::json(&pushed)).into_response())
}
