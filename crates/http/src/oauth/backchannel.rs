//! `POST /bc-authorize`: a client asks a customer who is not in its browser. Source: AS-160.

use super::pushed::BODY_BYTES_MAX;
use super::request::PostedForm;
use super::response::{self, OAuthErrorResponse};
use crate::App;
use axum::Extension;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Response;
use axum::routing::post;
use lombard_auth::authorisation::backchannel::start_backchannel;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::FapiInteractionId;
use lombard_ports::bank::CallContext;

pub(super) fn routes() -> Router<App> {
    let path = OAuthEndpoint::BackchannelAuthentication.path();
    Router::new()
        .route(path, post(authorise).fallback(response::method_not_allowed))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn authorise(
    State(app): State<App>,
    reference: Option<Extension<FapiInteractionId>>,
    posted: PostedForm,
) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::BackchannelAuthentication).await?;
    let interaction = reference.map(|Extension(reference)| reference);
    let auth = app.auth.for_call(CallContext { interaction, ..CallContext::default() });
    let started = start_backchannel(&auth, authenticated, &posted.form).await;
    Ok(response::json(&started.map_err(|error| OAuthErrorResponse::from(error).forbidding_denied_access())?))
}
