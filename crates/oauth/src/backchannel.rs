//! `POST /bc-authorize`: a client asks a customer who is not in its browser. Source: AS-160.

use super::described_routes::DescribedRoutes;
use super::members::{BACKCHANNEL, CLIENT, EXAMPLE_JWT, with_client};
use super::operation::{BAD_REQUEST, NOT_THE_CLIENT, OAuthOperation, RequestBody, RequiredCaller, SuccessResponse};
use super::pushed::BODY_BYTES_MAX;
use super::request::PostedForm;
use super::response::{self, OAuthErrorResponse};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use lombard_auth::authorisation::backchannel::{BackchannelResponse, start_backchannel};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::FapiInteractionId;
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use lombard_ports::bank::CallContext;
use lombard_wire::describe::schema_of;
use serde_json::json;

pub(super) fn routes() -> DescribedRoutes {
    DescribedRoutes::new(BODY_BYTES_MAX).serve(operation(), authorise)
}

fn operation() -> OAuthOperation {
    let examples = vec![("request", json!({ "request": EXAMPLE_JWT, "client_id": CLIENT }))];
    let body = RequestBody::Form { name: "BackchannelRequest", fields: with_client(BACKCHANNEL), examples };
    let endpoint = OAuthEndpoint::BackchannelAuthentication;
    OAuthOperation::new("PostBackchannelAuthorisation", HttpMethod::Post, endpoint, RequiredCaller::Client)
        .with_description(
            "Ask a customer without a browser",
            "Asks a customer to authorise a consent on a device of the bank. The client polls the token endpoint, or is notified, and \
             then fetches its tokens there.",
        )
        .with_request(body)
        .with_success(SuccessResponse::json(
            StatusCode::OK,
            "The customer is asked.",
            "BackchannelResponse",
            schema_of::<BackchannelResponse>(),
        ))
        .with_errors(&[
            BAD_REQUEST,
            NOT_THE_CLIENT,
            (StatusCode::FORBIDDEN, "The customer cannot be asked for this consent."),
        ])
        .with_rate(RateGroup::PushedRequests)
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
