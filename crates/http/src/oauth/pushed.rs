//! `POST /par`: an authorisation request its client pushes ahead. Source: AS-151.

use super::request::PostedForm;
use super::response::{self, OAuthErrorResponse};
use crate::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lombard_auth::authorisation::push_request;
use lombard_auth::endpoints::OAuthEndpoint;

/// Most bytes of a pushed request: no more than a browser may carry. Source: AS-066, AS-151.
pub(super) const BODY_BYTES_MAX: usize = 16 * 1024;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(OAuthEndpoint::PushedAuthorization.path(), post(pushed).fallback(response::method_not_allowed))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn pushed(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::PushedAuthorization).await?;
    let pushed = push_request(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::CREATED, response::json(&pushed)).into_response())
}
