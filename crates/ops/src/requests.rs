//! Serves the recorded requests of TPPs, to operators and, in a sandbox, to everybody. Source: RW-050.

use super::operations::{OperationError, Ops};
use super::response::render_result;
use super::staff::{ReasonGiven, Staff};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestPage, RequestQuery, StatusFilter};
use serde::Deserialize;
use std::time::Duration;

/// The default number of requests on a page.
const PAGE_REQUESTS: usize = 50;
/// The most requests on a page.
const PAGE_REQUESTS_MAX: usize = 100;
/// The longest wait for a request.
const WAIT_SECS_MAX: u64 = 30;

/// The query parameters of a search for requests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestSearch {
    interaction_id: Option<FapiInteractionId>,
    client_id: Option<ClientId>,
    status: Option<String>,
    after: Option<u64>,
    limit: Option<usize>,
    wait_secs: Option<u64>,
    /// Why the requests are read. [`ReasonGiven`] reads it.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

impl RequestSearch {
    fn read(self) -> Result<(RequestQuery, Duration), OperationError> {
        let status = self.status.as_deref().map(|text| {
            let bad = || OperationError::Refused("status: a number such as 401, or a class such as 4xx".to_owned());
            StatusFilter::parse(text).ok_or_else(bad)
        });
        let limit = self.limit.unwrap_or(PAGE_REQUESTS);
        if !(1..=PAGE_REQUESTS_MAX).contains(&limit) {
            return Err(OperationError::Refused(format!("limit: a number from 1 to {PAGE_REQUESTS_MAX}")));
        }
        let wait_secs = self.wait_secs.unwrap_or_default();
        if wait_secs > WAIT_SECS_MAX {
            return Err(OperationError::Refused(format!("wait_secs: a number from 0 to {WAIT_SECS_MAX}")));
        }
        let interaction_id = self.interaction_id;
        let client_id = self.client_id;
        let status = status.transpose()?;
        let after = self.after;
        let query = RequestQuery { interaction_id, client_id, status, after, limit, ..RequestQuery::default() };
        Ok((query, Duration::from_secs(wait_secs)))
    }
}

/// `GET /operations/requests`.
pub(super) async fn list(
    State(operations): State<Ops>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
    search: Result<Query<RequestSearch>, QueryRejection>,
) -> Response {
    let act = StaffAct { reason: Some(reason), ..act };
    render_result(StatusCode::OK, page(&operations, Some(&act), search).await)
}

/// `GET /sandbox/requests`, for the testers of a sandbox, whose customers are made up.
pub(super) async fn list_for_testers(
    State(operations): State<Ops>,
    search: Result<Query<RequestSearch>, QueryRejection>,
) -> Response {
    render_result(StatusCode::OK, page(&operations, None, search).await)
}

async fn page(
    operations: &Ops,
    act: Option<&StaffAct>,
    search: Result<Query<RequestSearch>, QueryRejection>,
) -> Result<RequestPage, OperationError> {
    let known = "the parameters are interaction_id, client_id, status, after, limit, wait_secs and reason";
    let Query(search) = search.map_err(|_| OperationError::Refused(known.to_owned()))?;
    let (query, wait) = search.read()?;
    operations.requests(act, &query, wait).await
}
