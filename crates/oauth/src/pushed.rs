//! `POST /par`: a client pushes an authorisation request before it sends the browser. Source: AS-151.

use super::described_routes::DescribedRoutes;
use super::members::{CLIENT, EXAMPLE_JWT, PUSHED, with_client};
use super::operation::{BAD_REQUEST, NOT_THE_CLIENT, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse};
use super::request::PostedForm;
use super::response::{self, OAuthErrorResponse};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lombard_auth::authorisation::{PushedResponse, push_request};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use lombard_wire::describe::schema_of;
use serde_json::json;

/// The most bytes of a pushed request: no more than a browser may send. Source: AS-066, AS-151.
pub const BODY_BYTES_MAX: usize = 16 * 1024;

pub(super) fn routes() -> DescribedRoutes {
    DescribedRoutes::new(BODY_BYTES_MAX).serve(operation(), pushed)
}

fn operation() -> OAuthOperation {
    let examples = vec![("request", json!({ "request": EXAMPLE_JWT, "client_id": CLIENT }))];
    let body = RequestBody::Form { name: "PushedAuthorisationRequest", fields: with_client(PUSHED), examples };
    let endpoint = OAuthEndpoint::PushedAuthorization;
    OAuthOperation::new("PostPushedAuthorisation", HttpMethod::Post, endpoint, RequiredCaller::Client)
        .with_description(
            "Push an authorisation request",
            "Checks an authorisation request and keeps it for 90 seconds. The answer is what the browser of the customer brings to the \
             authorisation endpoint in place of the request.",
        )
        .with_request(body)
        .with_success(SuccessResponse::json(
            StatusCode::CREATED,
            "The request is kept.",
            "PushedAuthorisationResponse",
            schema_of::<PushedResponse>(),
        ))
        .with_errors(&[BAD_REQUEST, NOT_THE_CLIENT])
        .with_rate(RateGroup::PushedRequests)
}

async fn pushed(State(app): State<App>, posted: PostedForm) -> Result<Response, OAuthErrorResponse> {
    let authenticated = posted.authenticate(&app, OAuthEndpoint::PushedAuthorization).await?;
    let pushed = push_request(&app.auth, authenticated, &posted.form).await?;
    Ok((StatusCode::CREATED, response::json(&pushed)).into_response())
}
