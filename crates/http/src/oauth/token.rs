//! `POST /token`, `/revoke` and `/introspect`: posted forms of authenticated clients. Source: AS-035, AS-120, AS-121.

use super::answer::{self, Refused};
use super::posted::{BODY_BYTES_MAX, Posted};
use crate::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lombard_auth::endpoints::Endpoint;
use lombard_auth::tokens::{self, introspection, revocation};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(Endpoint::Token.path(), post(token).fallback(answer::method_not_allowed))
        .route(Endpoint::Revocation.path(), post(revoke).fallback(answer::method_not_allowed))
        .route(Endpoint::Introspection.path(), post(introspect).fallback(answer::method_not_allowed))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn token(State(app): State<App>, posted: Posted) -> Result<Response, Refused> {
    let authenticated = posted.authenticate(&app, Endpoint::Token).await?;
    let tokens = tokens::token(&app.auth, authenticated, &posted.form).await?;
    Ok(answer::json(&tokens))
}

async fn revoke(State(app): State<App>, posted: Posted) -> Result<Response, Refused> {
    let authenticated = posted.authenticate(&app, Endpoint::Revocation).await?;
    revocation::revoke(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::OK, answer::NOT_STORED).into_response())
}

async fn introspect(State(app): State<App>, posted: Posted) -> Result<Response, Refused> {
    let authenticated = posted.authenticate(&app, Endpoint::Introspection).await?;
    let introspection = introspection::introspect(&app.auth, authenticated, &posted.form).await?;
    Ok(answer::json(&introspection))
}
