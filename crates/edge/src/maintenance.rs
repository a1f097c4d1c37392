//! Whether requests are refused because of maintenance, and the mark of such refusals. Each crate answers in the form of its endpoints'
//! errors. Source: DTN-006.

use crate::App;
use crate::request_log::RefusedBy;
use axum::Extension;
use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use lombard_service::maintenance::Downtime;

/// The rule of these refusals.
pub const RULE: &str = "DTN-006";

/// The message of these refusals.
pub const REASON: &str = "The bank is in maintenance. The same request may work when it has ended.";

/// Marks a response as a refusal because of maintenance, for statistics and for the limits on signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedInMaintenance;

impl App {
    /// The maintenance that is in force now, by the wall clock; `None` if requests are served.
    pub fn downtime(&self) -> Option<Downtime> {
        self.maintenance.in_force(self.context.clocks.wall_now())
    }
}

/// Makes a response a refusal because of this maintenance: status 503 with `Retry-After`, and the mark.
pub fn refusing(downtime: Downtime, response: impl IntoResponse) -> Response {
    let marks = (Extension(RefusedBy::new(RULE, REASON)), Extension(RefusedInMaintenance));
    let retry_after = [(RETRY_AFTER, HeaderValue::from(downtime.retry_after_secs))];
    (StatusCode::SERVICE_UNAVAILABLE, marks, retry_after, response).into_response()
}
