//! `GET` and `POST /userinfo`: the claims about the subject of a token. Source: AS-122.

use super::described_routes::DescribedRoutes;
use super::operation::{BAD_REQUEST, NO_TOKEN, OAuthOperation, RequiredCaller, SuccessResponse};
use super::request::BODY_BYTES_MAX;
use super::response::{self, OAuthErrorResponse};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use lombard_auth::callers::{Caller, CallerProblem};
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::tokens::userinfo::{Userinfo, read_userinfo};
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_edge::App;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use lombard_edge::faults;
use lombard_edge::layers::ClientForLog;
use lombard_wire::describe::schema_of;
use std::sync::Arc;

pub(super) fn routes() -> DescribedRoutes {
    DescribedRoutes::new(BODY_BYTES_MAX)
        .serve(operation("GetUserinfo", HttpMethod::Get), show)
        .serve(operation("PostUserinfo", HttpMethod::Post), show)
}

fn operation(name: &'static str, method: HttpMethod) -> OAuthOperation {
    OAuthOperation::new(name, method, OAuthEndpoint::Userinfo, RequiredCaller::CustomerToken)
        .with_description(
            "Read the claims of a token's subject",
            "Says which consent the token is for, and nothing about the customer. GET and POST do the same; a body is not read.",
        )
        .with_success(SuccessResponse::json(StatusCode::OK, "The claims.", "Userinfo", schema_of::<Userinfo>()))
        .with_errors(&[BAD_REQUEST, NO_TOKEN, (StatusCode::FORBIDDEN, "The token is for no consent, or has no scope openid.")])
        .with_rate(RateGroup::Tokens)
}

/// Serves the claims. The token is read only from the `Authorization` header, of which there must be exactly one. Source: AS-112.
async fn show(
    State(app): State<App>,
    certificate: Option<Extension<Arc<ClientCertificate>>>,
    known: Option<Extension<ClientForLog>>,
    headers: HeaderMap,
) -> Result<Response, OAuthErrorResponse> {
    let caller = caller(&app, certificate.as_deref().map(Arc::as_ref), known.as_deref(), &headers).await?;
    Ok(response::json(&read_userinfo(&caller)?))
}

/// Resolves the caller of the token in the only `Authorization` header, and counts the call. Source: AS-112.
pub(super) async fn caller(
    app: &App,
    certificate: Option<&ClientCertificate>,
    known: Option<&ClientForLog>,
    headers: &HeaderMap,
) -> Result<Arc<Caller>, OAuthErrorResponse> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let authorization = authorizations.next().map(|header| header.to_str().unwrap_or_default());
    if authorizations.next().is_some() {
        let description = "There must be one Authorization header.";
        return Err(OAuthErrorResponse::invalid_request(StatusCode::BAD_REQUEST, description).refused_by("AS-112"));
    }
    let caller = app.admit_caller::<OAuthErrorResponse>(certificate, authorization, known).await?;
    app.throttle.count_call(RateGroup::Tokens, &caller.client, app.context.clocks.wall_now())?;
    faults::apply_fault(&caller.client).await?;
    Ok(caller)
}

impl From<CallerProblem> for OAuthErrorResponse {
    fn from(problem: CallerProblem) -> Self {
        let challenge = problem.challenge();
        let check = problem.failed_check();
        let error = match problem {
            CallerProblem::Unavailable(error) => error.into(),
            CallerProblem::NoCertificate
            | CallerProblem::Missing
            | CallerProblem::Malformed
            | CallerProblem::Invalid(..) => {
                let description = "A live token bound to the client certificate is required.";
                OAuthError::new(OAuthErrorCode::InvalidToken, description).with_check(check)
            }
        };
        Self::from(error).with_challenge(challenge)
    }
}
