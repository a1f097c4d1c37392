//! The events of an application: queued, parked, and recently acknowledged ones.

use super::formatting::{moment, pretty};
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::{EVENTS, REQUESTS, escaped};
use super::visit::{PortalForm, PortalVisit};
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use http::Method;
use lombard_domain::ids::EventId;
use lombard_edge::App;
use lombard_edge::routing::{get, post};
use lombard_ops::support::words::event_type_names;
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use lombard_pages::reply::redirect_to_page;
use lombard_pages::text;
use lombard_ports::store::{AcknowledgedEvent, ClientEvent, ClientEventKind, StoreError};
use lombard_service::client_records::{
    ACKNOWLEDGED_EXAMINED, PAGE_RECORDS, find_event, list_acknowledged_events, list_events, requeue_event,
};
use lombard_wire::events::write_set_claims;

/// The page with the lists of events.
#[derive(Template)]
#[template(path = "portal/events.html")]
pub(crate) struct EventsPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub lists: Vec<EventList>,
    /// The ids and times of recently acknowledged events.
    pub acknowledged: Vec<(String, String)>,
    pub examined: u32,
    /// Whether the page has a form that raises events.
    pub can_raise: bool,
}

/// The page of one event.
#[derive(Template)]
#[template(path = "portal/event.html")]
pub(crate) struct EventPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub line: EventLine,
    pub facts: Vec<(&'static str, String)>,
    /// The URL of the requests with the interaction id that caused the event.
    pub cause: String,
    /// The payload of the event's security event token.
    pub claims: String,
    pub is_parked: bool,
}

/// A list of events.
#[derive(Debug)]
pub(crate) struct EventList {
    pub id: &'static str,
    pub title: &'static str,
    pub hint: Option<&'static str>,
    pub lines: Vec<EventLine>,
    /// The URL of the next page.
    pub older: Option<String>,
}

/// An event in a list.
#[derive(Debug)]
pub(crate) struct EventLine {
    pub id: String,
    pub at: String,
    pub types: String,
    pub about: String,
    pub state: &'static str,
    pub class: &'static str,
    pub deliveries: i64,
    pub reports: i64,
    pub error: Option<String>,
}

impl From<&ClientEvent> for EventLine {
    fn from(found: &ClientEvent) -> Self {
        let (state, class) = match (found.parked_at, found.reports, found.deliveries) {
            (Some(_), ..) => ("Parked", "failed"),
            (None, 1.., _) => ("Reported", "refused"),
            (None, _, 0) => ("Pending", "moved"),
            (None, ..) => ("Delivered", "ok"),
        };
        let error = match (&found.err, &found.description) {
            (Some(err), Some(description)) => Some(format!("{err}: {}", text::message(description))),
            (err, description) => err.clone().or_else(|| description.clone()),
        };
        Self {
            id: found.event.id.to_string(),
            at: moment(found.event.occurred_at),
            types: event_type_names(&found.event.claims.types),
            about: found.event.claims.about.clone(),
            state,
            class,
            deliveries: found.deliveries,
            reports: found.reports,
            error,
        }
    }
}

impl PortalPage for EventsPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

impl PortalPage for EventPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(EVENTS, get(list)).route(&format!("{EVENTS}/{{jti}}"), get(one).merge(post(requeue)))
}

async fn list(visit: PortalVisit) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("raised") => Some(PortalNotice::done("The events are raised.")),
        Some("requeued") => Some(PortalNotice::done("The event is offered again.")),
        _ => None,
    };
    show(&visit, notice).await
}

/// Shows the lists of events.
pub(super) async fn show(visit: &PortalVisit, notice: Option<PortalNotice>) -> Response {
    let before = visit.parameter("before").and_then(|number| number.parse().ok());
    let (offered, parked, acknowledged) = match visit.read(lists(visit, before).await) {
        Ok(lists) => lists,
        Err(failed) => return *failed,
    };
    let is_full = offered.len() >= usize::try_from(PAGE_RECORDS).unwrap_or(usize::MAX);
    let older = offered.last().filter(|_| is_full).map(|last| format!("{EVENTS}?before={}", last.number));
    let controls = visit.services.sandbox.as_ref().and_then(|sandbox| sandbox.controls.as_ref());
    let template = EventsPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Events, notice),
        lists: event_lists(&offered, older, &parked),
        acknowledged: acknowledged.into_iter().map(|it| (it.id.to_string(), moment(it.at))).collect(),
        examined: ACKNOWLEDGED_EXAMINED,
        can_raise: controls.is_some(),
    };
    respond(&visit.page.app, &template)
}

/// The list of the offered events, and the list of parked ones if there are any.
fn event_lists(offered: &[ClientEvent], older: Option<String>, parked: &[ClientEvent]) -> Vec<EventList> {
    const PARKED: &str = "These are not offered any more: they were reported or delivered too often. The page of each can offer it again.";
    let lines = |events: &[ClientEvent]| events.iter().map(EventLine::from).collect();
    let mut lists = vec![EventList { id: "offered", title: "Offered", hint: None, lines: lines(offered), older }];
    if !parked.is_empty() {
        lists.push(EventList { id: "parked", title: "Parked", hint: Some(PARKED), lines: lines(parked), older: None });
    }
    lists
}

type EventLists = (Vec<ClientEvent>, Vec<ClientEvent>, Vec<AcknowledgedEvent>);

async fn lists(visit: &PortalVisit, before: Option<i64>) -> Result<EventLists, StoreError> {
    let store = &visit.page.app.context.store;
    let client = &visit.client().id;
    let offered = list_events(store, client, ClientEventKind::Offered, before).await?;
    let parked = list_events(store, client, ClientEventKind::Parked, None).await?;
    Ok((offered, parked, list_acknowledged_events(store, client).await?))
}

async fn one(visit: PortalVisit, Path(id): Path<EventId>) -> Response {
    let app = &visit.page.app;
    let found = match visit.read(find_event(&app.context.store, &visit.client().id, &id).await) {
        Ok(Some(found)) => found,
        Ok(None) => return problem::not_found(app),
        Err(failed) => return *failed,
    };
    let claims = String::from_utf8(write_set_claims(&found.event)).unwrap_or_default();
    let template = EventPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Events, None),
        line: EventLine::from(&found),
        facts: vec![
            ("Happened", moment(found.event.occurred_at)),
            ("Recorded", moment(found.event.recorded_at)),
            ("About", found.event.claims.about.clone()),
            ("Scope", found.event.scope.name().to_owned()),
        ],
        cause: format!("{REQUESTS}?id={}", escaped(found.event.interaction_id.as_str())),
        claims: pretty(&claims),
        is_parked: found.parked_at.is_some(),
    };
    respond(app, &template)
}

/// Offers a parked event again.
async fn requeue(Path(id): Path<EventId>, form: PortalForm) -> Response {
    let visit = form.visit;
    let app = &visit.page.app;
    match visit.read(requeue_event(&app.context.store, &visit.client().id, &id).await) {
        Ok(true) => redirect_to_page(app, &Method::POST, &format!("{EVENTS}?done=requeued"), None),
        Ok(false) => problem::not_found(app),
        Err(failed) => *failed,
    }
}
