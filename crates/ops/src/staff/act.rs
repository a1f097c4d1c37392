//! Extractors of the act that a request is: who acts, from where, and why.

use super::visit::StaffVisit;
use crate::operations::OperationError;
use crate::response::render_result;
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use lombard_domain::operator_changes::{ChangeReason, REASON_CHARS_MAX};
use lombard_domain::staff::StaffAct;
use serde::{Deserialize, Serialize};

/// The name of the query parameter, and of the member of a body, that holds the reason.
pub(crate) const REASON: &str = "reason";

/// The act of a request whose reason, if it has one, is the query parameter `reason`.
#[derive(Debug, Clone)]
pub struct Staff(pub StaffAct);

impl<S: Send + Sync> FromRequestParts<S> for Staff {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let visit = StaffVisit::from_request_parts(parts, state).await?;
        let reason = reason_of_query(parts.uri.query()).map(|text| parse_reason(&text)).transpose().map_err(respond)?;
        Ok(Self(visit.act(reason)))
    }
}

/// The reason in the query of a request that reads data of customers. A request without one is refused.
#[derive(Debug, Clone)]
pub struct ReasonGiven(pub ChangeReason);

impl<S: Send + Sync> FromRequestParts<S> for ReasonGiven {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        required_reason(parts.uri.query()).map(Self).map_err(respond)
    }
}

/// The reason in a query.
///
/// # Errors
/// [`OperationError::Refused`] without a reason, or with a malformed one.
pub(super) fn required_reason(query: Option<&str>) -> Result<ChangeReason, OperationError> {
    let missing = || {
        let text = "say why you read data of customers: add reason=… to the query, or --reason TEXT to the command";
        OperationError::Refused(text.to_owned())
    };
    parse_reason(&reason_of_query(query).ok_or_else(missing)?)
}

/// The act of a request with a JSON body that is `null`, `{}` or `{"reason": …}`.
#[derive(Debug, Clone)]
pub struct Act(pub StaffAct);

/// The body of an operation that has no other parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReasonBody {
    #[serde(default)]
    reason: Option<String>,
}

impl<S: Send + Sync> FromRequest<S> for Act {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let visit = StaffVisit::from_request_parts(&mut parts, state).await?;
        let body = Json::<Option<ReasonBody>>::from_request(Request::from_parts(parts, body), state).await;
        let Json(body) = body.map_err(IntoResponse::into_response)?;
        let reason = body.and_then(|body| body.reason).map(|text| parse_reason(&text)).transpose().map_err(respond)?;
        Ok(Self(visit.act(reason)))
    }
}

/// The act with the reason of a body, if the body has one.
///
/// # Errors
/// [`OperationError::Refused`] for a malformed reason.
pub(crate) fn with_reason(act: StaffAct, reason: Option<String>) -> Result<StaffAct, OperationError> {
    let Some(text) = reason else { return Ok(act) };
    Ok(StaffAct { reason: Some(parse_reason(&text)?), ..act })
}

/// Reads a reason.
///
/// # Errors
/// [`OperationError::Refused`] for a malformed reason.
fn parse_reason(text: &str) -> Result<ChangeReason, OperationError> {
    let fault = || OperationError::Refused(format!("A reason is one line of 1 to {REASON_CHARS_MAX} characters."));
    ChangeReason::parse(text).ok_or_else(fault)
}

/// The response to a refused request.
pub(super) fn respond(error: OperationError) -> Response {
    render_result::<()>(StatusCode::OK, Err(error))
}

fn reason_of_query(query: Option<&str>) -> Option<String> {
    let found = form_urlencoded::parse(query?.as_bytes()).find(|(name, _)| name == REASON);
    found.map(|(_, text)| text.into_owned())
}
