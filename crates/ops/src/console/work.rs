//! The page of stuck work: the quarantine, and the events that TPPs cannot read.

use super::form::{ConsoleForm, PageQuery, not_done};
use super::frame::{ConsoleFrame, Section, escaped, lead_to, may, moment, send};
use super::state::Console;
use crate::operations::OperationError;
use crate::staff::StaffVisit;
use crate::support::words::event_type_names;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::Method;
use lombard_domain::ids::EventId;
use lombard_ports::store::{EventDetails, QuarantinedWork};
use lombard_service::workers::QuarantineContents;

/// The most pieces of work, and the most events of each kind, that the page shows.
const SHOWN_MAX: usize = 100;

/// The page of stuck work.
#[derive(Template)]
#[template(path = "ops/console/work.html")]
struct WorkPage<'a> {
    frame: ConsoleFrame<'a>,
    work: Vec<WorkLine>,
    /// The number of pieces of work that are not shown.
    hidden: u64,
    parked: Vec<EventLine>,
    reported: Vec<EventLine>,
    may_retry: bool,
}

/// A piece of work in quarantine.
struct WorkLine {
    id: String,
    kind: &'static str,
    subject: String,
    cause: String,
    since: String,
    action: String,
}

/// An event that a TPP cannot read.
struct EventLine {
    jti: String,
    types: String,
    tpp: String,
    tpp_link: String,
    recorded: String,
    trouble: String,
    action: String,
}

/// `GET /work`.
pub(super) async fn show(
    State(console): State<Console>,
    visit: StaffVisit,
    Query(query): Query<PageQuery>,
) -> Response {
    match read(&console, &visit, &query).await {
        Ok(page) => send(&page),
        Err(error) => not_done(&console, &visit, &error),
    }
}

async fn read<'a>(
    console: &'a Console,
    visit: &'a StaffVisit,
    query: &PageQuery,
) -> Result<WorkPage<'a>, OperationError> {
    let QuarantineContents { work, counts } = console.operations.quarantined().await?;
    let parked = console.operations.events_parked().await?;
    let reported = console.operations.events_reported().await?;
    let total = counts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
    let work: Vec<_> = work.into_iter().take(SHOWN_MAX).map(work_line).collect();
    let lines = |events: Vec<EventDetails>| events.into_iter().take(SHOWN_MAX).map(event_line).collect();
    Ok(WorkPage {
        frame: console.frame(visit, Section::Work, query.done.as_deref()),
        hidden: total.saturating_sub(u64::try_from(work.len()).unwrap_or(u64::MAX)),
        work,
        parked: lines(parked),
        reported: lines(reported),
        may_retry: may(visit, &Method::POST, "/work/quarantine/{id}/retry"),
    })
}

fn work_line((id, QuarantinedWork { work, since, .. }): (String, QuarantinedWork)) -> WorkLine {
    WorkLine {
        action: format!("/work/quarantine/{}/retry", escaped(&id)),
        id,
        kind: work.kind.name(),
        subject: work.subject,
        cause: work.cause,
        since: moment(&since.to_string()),
    }
}

fn event_line(event: EventDetails) -> EventLine {
    let reports = match (&event.err, &event.description) {
        (Some(err), Some(description)) => format!("{err}: {description}"),
        (Some(err), None) => err.clone(),
        (None, _) => "not acknowledged".to_owned(),
    };
    EventLine {
        action: format!("/work/events/{}/requeue", escaped(event.id.as_str())),
        jti: event.id.to_string(),
        types: event_type_names(&event.types),
        tpp_link: format!("/tpps/{}", escaped(event.client.as_str())),
        tpp: event.client.to_string(),
        recorded: moment(&event.recorded_at.to_string()),
        trouble: format!("{reports} ({} deliveries, {} reports)", event.deliveries, event.reports),
    }
}

/// `POST /work/quarantine/{id}/retry`.
pub(super) async fn retry(State(console): State<Console>, Path(id): Path<String>, form: ConsoleForm) -> Response {
    let released = match console.operations.quarantine_release(&form.act(), Some(&id)).await {
        Ok(0) => Err(OperationError::Refused("there is no work in quarantine with this id".to_owned())),
        other => other,
    };
    finish(&console, &form, released.map(drop), "retried")
}

/// `POST /work/events/{jti}/requeue`.
pub(super) async fn requeue(State(console): State<Console>, Path(jti): Path<String>, form: ConsoleForm) -> Response {
    let requeued = match console.operations.event_requeue(&form.act(), &EventId::new(jti)).await {
        Ok(false) => Err(OperationError::Refused("there is no parked event with this jti".to_owned())),
        other => other,
    };
    finish(&console, &form, requeued.map(drop), "requeued")
}

fn finish(console: &Console, form: &ConsoleForm, result: Result<(), OperationError>, done: &str) -> Response {
    match result {
        Ok(()) => lead_to(&format!("/work?done={done}")),
        Err(error) => not_done(console, &form.visit, &error),
    }
}
