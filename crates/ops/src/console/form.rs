//! Reads the forms of the console. A form counts if its page was made for this session, and if it says why.

use super::frame::{ConsoleFrame, Section};
use super::state::Console;
use crate::operations::OperationError;
use crate::page::send_page;
use crate::staff::StaffVisit;
use askama::Template;
use axum::extract::rejection::RawFormRejection;
use axum::extract::{FromRequest, FromRequestParts, RawForm, Request};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::operator_changes::{ChangeReason, REASON_CHARS_MAX};
use lombard_domain::staff::StaffAct;
use serde::Deserialize;
use std::error::Error;

/// A form with an act and its reason.
pub(super) struct ConsoleForm {
    pub(super) visit: StaffVisit,
    pub(super) reason: ChangeReason,
    fields: Vec<(String, String)>,
}

impl ConsoleForm {
    /// The act that the form is.
    pub(super) fn act(&self) -> StaffAct {
        self.visit.act(Some(self.reason.clone()))
    }

    /// The first field of this name; empty if there is none.
    pub(super) fn field(&self, name: &str) -> &str {
        first(&self.fields, name)
    }
}

impl FromRequest<Console> for ConsoleForm {
    type Rejection = Response;

    async fn from_request(request: Request, console: &Console) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let visit = StaffVisit::from_request_parts(&mut parts, console).await?;
        let body = RawForm::from_request(Request::from_parts(parts, body), console).await;
        let RawForm(body) = body.map_err(|error: RawFormRejection| error.into_response())?;
        let fields: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
        if !visit.owns_form(first(&fields, "form_token")) {
            let text = "This page was shown too long ago, or to another browser. Go back and load it again.";
            return Err(problem(console, &visit, StatusCode::FORBIDDEN, text));
        }
        let Some(reason) = ChangeReason::parse(first(&fields, "reason")) else {
            return Err(problem(console, &visit, StatusCode::BAD_REQUEST, &reason_fault()));
        };
        Ok(Self { visit, reason, fields })
    }
}

fn first<'f>(fields: &'f [(String, String)], name: &str) -> &'f str {
    fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

fn reason_fault() -> String {
    format!("Say why, in one line of 1 to {REASON_CHARS_MAX} characters. Go back and try again.")
}

/// The query of a page: why data of customers are read, and what was done before.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct PageQuery {
    reason: Option<String>,
    pub(super) done: Option<String>,
}

impl PageQuery {
    /// The reason; `None` without one, or with a malformed one.
    pub(super) fn reason(&self) -> Option<ChangeReason> {
        self.reason.as_deref().and_then(ChangeReason::parse)
    }
}

/// The page that asks why data of customers are read.
#[derive(Template)]
#[template(path = "ops/console/reason.html")]
struct ReasonPage<'a> {
    frame: ConsoleFrame<'a>,
    path: &'a str,
}

/// Asks why data of customers are read, and leads back to this path.
pub(super) fn ask_reason(console: &Console, visit: &StaffVisit, path: &str) -> Response {
    let page = ReasonPage { frame: console.frame(visit, Section::Cases, None), path };
    send_page(StatusCode::BAD_REQUEST, &page)
}

/// The page that says what was not done.
#[derive(Template)]
#[template(path = "ops/console/problem.html")]
struct ProblemPage<'a> {
    frame: ConsoleFrame<'a>,
    text: &'a str,
}

/// The page that says what was not done.
pub(super) fn problem(console: &Console, visit: &StaffVisit, status: StatusCode, text: &str) -> Response {
    send_page(status, &ProblemPage { frame: console.frame(visit, Section::Cases, None), text })
}

/// The page for an operation that was not carried out. A failure is logged.
pub(super) fn not_done(console: &Console, visit: &StaffVisit, error: &OperationError) -> Response {
    match error {
        OperationError::Refused(text) => {
            let mut letters = text.chars();
            let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
            problem(console, visit, StatusCode::BAD_REQUEST, &format!("{first}{}", letters.as_str()))
        }
        OperationError::Failed(cause) => {
            tracing::error!(error = cause.as_ref() as &dyn Error, "an operation failed");
            problem(
                console,
                visit,
                StatusCode::INTERNAL_SERVER_ERROR,
                "The operation failed; the server’s log says why.",
            )
        }
    }
}
