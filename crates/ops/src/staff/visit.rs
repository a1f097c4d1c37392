//! A request of a staff member whom the gate has identified.

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use lombard_auth::staff::StaffForms;
use lombard_domain::ids::FapiInteractionId;
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::staff::{StaffAct, StaffMember};
use lombard_ports::entropy::IdGenerator;

/// A request of a staff member. Pages of the console take it as an argument of their handlers: the gate has checked that the role may use the
/// route.
#[derive(Debug, Clone)]
pub struct StaffVisit {
    /// Who calls.
    pub member: StaffMember,
    /// The network address of the caller.
    pub from: String,
    /// The interaction id of the request.
    pub interaction_id: Option<FapiInteractionId>,
    /// The forms of the browser; `None` for a caller with a bearer token, who sees no pages.
    pub(super) forms: Option<StaffForms>,
    pub(super) ids: IdGenerator,
    pub(super) now: jiff::Timestamp,
    /// Whether the caller was identified by a cookie, which a browser sends by itself.
    pub(crate) by_cookie: bool,
    /// Whether the browser's secret is new, so that the response must set its cookie.
    pub(super) is_new_browser: bool,
}

impl StaffVisit {
    /// The token for the forms of a page; empty for a caller that sees no pages.
    pub fn form_token(&self) -> String {
        self.forms.as_ref().map(|forms| forms.form_token((&self.ids, self.now))).unwrap_or_default()
    }

    /// Whether a submitted form was made for this session of this browser. A form without such a token must be refused.
    pub fn owns_form(&self, form_token: &str) -> bool {
        self.forms.as_ref().is_some_and(|forms| forms.owns_form(form_token, self.now))
    }

    /// The time of the request (wall clock).
    pub fn now(&self) -> jiff::Timestamp {
        self.now
    }

    /// The act that this request is, with this reason.
    pub fn act(&self, reason: Option<ChangeReason>) -> StaffAct {
        StaffAct {
            member: self.member.clone(),
            from: self.from.clone(),
            reason,
            interaction_id: self.interaction_id.clone(),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StaffVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        // The gate identifies the callers of every route with roles, so a route without a visit is open to everybody by mistake.
        parts.extensions.get::<Self>().cloned().ok_or_else(|| StatusCode::FORBIDDEN.into_response())
    }
}
