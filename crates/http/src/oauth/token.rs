//! `POST /token`, `/revoke` and `/introspect`: posted forms of authenticated clients. Source: AS-035, AS-120, AS-121, AS-154.

use super::request::{BODY_BYTES_MAX, PostedForm};
use super::response::{self, OAuthErrorResponse};
use crate::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::tokens::{self, introspection, revocation};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(OAuthEndpoint::Token.path(), post(token).fallback(response::method_not_allowed))
        .route(OAuthEndpoint::Revocation.path(), post(revoke).fallback(response::method_not_allowed))
        .route(OAuthEndpoint::Introspection.path(), post(introspect).fallback(response::method_not_allowed))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn token(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Token).await?;
    let tokens = tokens::issue_tokens(&app.auth, authenticated, &posted.form).await?;
    Ok(response::json(&tokens))
}

async fn revoke(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Revocation).await?;
    revocation::revoke_token(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::OK, response::NOT_STORED).into_response())
}

async fn introspect(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::Introspection).await?;
    let client = authenticated.client().id.clone();
    let introspection = introspection::introspect_token(&app.auth, authenticated, &posted.form).await?;
    if !posted.asks_for_signed_introspection {
        return Ok(response::json(&introspection));
    }
    let signed = introspection::sign_introspection(&app.auth, &client, &introspection).await?;
    Ok((response::NOT_STORED, [(CONTENT_TYPE, introspection::SIGNED_TYPE)], signed).into_response())
}
