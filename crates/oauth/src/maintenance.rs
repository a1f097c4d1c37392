//! Refuses requests of the OAuth endpoints in maintenance, in the form of their errors. Source: DTN-006.

use super::response::OAuthErrorResponse;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use lombard_auth::{OAuthError, OAuthErrorCode};
use lombard_edge::App;
use lombard_edge::maintenance::{REASON, RULE, refusing};

/// Answers every request with `temporarily_unavailable` while the bank is in maintenance.
pub async fn refuse_in_maintenance(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(downtime) = app.downtime() else { return next.run(request).await };
    let error = OAuthError::new(OAuthErrorCode::TemporarilyUnavailable, REASON).with_rule(RULE);
    refusing(downtime, OAuthErrorResponse::from(error))
}
