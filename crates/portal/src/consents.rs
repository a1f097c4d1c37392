//! The consents of an application, each with its timeline.

use super::formatting::{moment, pretty};
use super::forms::ConsentForms;
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::{CONSENTS, REQUESTS, escaped};
use super::requests::recorded;
use super::timeline::{TimelineLine, timeline};
use super::visit::PortalVisit;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, Permission};
use lombard_domain::ids::ConsentId;
use lombard_edge::App;
use lombard_edge::routing::get;
use lombard_ops::support::words::{consent_kind, consent_reason, consent_status};
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{ClientEvent, ConsentPosition};
use lombard_service::client_records::{ConsentRecord, ConsentRecords, find_consent, list_consents, list_events_about};
use lombard_wire::v4_0;

/// The page with the list of consents.
#[derive(Template)]
#[template(path = "portal/consents.html")]
pub(crate) struct ConsentsPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub consents: Vec<ConsentLine>,
    /// The URL of the next page.
    pub older: Option<String>,
}

/// The page of one consent.
#[derive(Template)]
#[template(path = "portal/consent.html")]
pub(crate) struct ConsentPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub line: ConsentLine,
    pub facts: Vec<(&'static str, String)>,
    /// The accounts, by the ids under which the application knows them.
    pub accounts: Vec<String>,
    /// The URL of the requests that name the consent, if requests are recorded.
    pub requests: Option<String>,
    pub story: Vec<TimelineLine>,
    /// The data that the application submitted.
    pub submitted: String,
    pub forms: Option<ConsentForms>,
}

/// A consent in the list.
#[derive(Debug)]
pub(crate) struct ConsentLine {
    pub id: String,
    pub kind: &'static str,
    pub status: &'static str,
    pub class: &'static str,
    pub created: String,
    pub version: &'static str,
    pub orders: Vec<String>,
}

impl ConsentLine {
    fn of(record: &ConsentRecord, now: Timestamp) -> Self {
        let consent = &record.consent;
        let (status, class) = consent_status(consent, now);
        Self {
            id: consent.id.to_string(),
            kind: consent_kind(consent.request.kind()),
            status,
            class,
            created: moment(consent.created_at),
            version: consent.submitted.version.segment(),
            orders: record.orders.iter().map(ToString::to_string).collect(),
        }
    }
}

impl PortalPage for ConsentsPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

impl PortalPage for ConsentPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(CONSENTS, get(list)).route(&format!("{CONSENTS}/{{id}}"), get(one))
}

async fn list(visit: PortalVisit) -> Response {
    let app = &visit.page.app;
    let context = &app.context;
    let before = before(&visit);
    let found = list_consents(&context.store, &visit.client().id, before).await;
    let ConsentRecords { consents, next } = match visit.read(found) {
        Ok(found) => found,
        Err(failed) => return *failed,
    };
    let now = context.clocks.bank_now();
    let older = next.map(|ConsentPosition { created_at, id }| {
        format!("{CONSENTS}?before={}&id={}", created_at.as_microsecond(), escaped(id.as_str()))
    });
    let template = ConsentsPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Consents, None),
        consents: consents.iter().map(|record| ConsentLine::of(record, now)).collect(),
        older,
    };
    respond(app, &template)
}

/// The position of the consent before which the page begins.
fn before(visit: &PortalVisit) -> Option<ConsentPosition> {
    let micros = visit.parameter("before")?.parse().ok()?;
    Some(ConsentPosition {
        created_at: Timestamp::from_microsecond(micros).ok()?,
        id: ConsentId::new(visit.parameter("id")?),
    })
}

async fn one(visit: PortalVisit, Path(id): Path<ConsentId>) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("decided") => Some(PortalNotice::done("The customer’s decision is made.")),
        Some("revoked") => Some(PortalNotice::done("The customer has ended the access.")),
        _ => None,
    };
    show(&visit, &id, notice).await
}

/// The page of a consent of this client. A consent of another client is not found.
pub(super) async fn show(visit: &PortalVisit, id: &ConsentId, notice: Option<PortalNotice>) -> Response {
    let app = &visit.page.app;
    let context = &app.context;
    let found = find_consent(&context.store, &visit.client().id, id).await;
    let record = match visit.read(found) {
        Ok(Some(record)) => record,
        Ok(None) => return problem::not_found(app),
        Err(failed) => return *failed,
    };
    let events = match visit.read(list_events_about(&context.store, &visit.client().id, id.as_str()).await) {
        Ok(events) => events,
        Err(failed) => return *failed,
    };
    let now = context.clocks.bank_now();
    let template = ConsentPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Consents, notice),
        line: ConsentLine::of(&record, now),
        facts: facts(visit, &record.consent, now),
        accounts: record.consent.accounts.iter().map(|selected| selected.alias.to_string()).collect(),
        requests: recorded(visit).map(|_| format!("{REQUESTS}?about={}", escaped(id.as_str()))),
        story: consent_timeline(&record.consent, &events, now, &context.clocks),
        submitted: pretty(&record.consent.submitted.json),
        forms: ConsentForms::of(visit, &record.consent, now),
    };
    respond(app, &template)
}

fn facts(visit: &PortalVisit, consent: &Consent, now: Timestamp) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Made through", consent.submitted.version.segment().to_owned()),
        ("Status in v4.0", in_v4_0(consent, now).to_owned()),
    ];
    // Applications learn the customer's identity only in a sandbox.
    if let (Some(psu), Some(_)) = (&consent.psu, &visit.services.sandbox) {
        facts.push(("Customer", psu.to_string()));
    }
    if let Some(end) = consent.expires_at {
        facts.push(("Expires", moment(end)));
    }
    if let Some(access) = consent.request.account_access() {
        let permissions: Vec<_> = access.permissions.iter().map(Permission::name).collect();
        facts.push(("Permissions", permissions.join(", ")));
    }
    facts
}

/// The code of the consent's status in v4.0.
fn in_v4_0(consent: &Consent, now: Timestamp) -> &'static str {
    match consent.payment_view(now) {
        Some(view) => v4_0::payments::names::viewed_consent_status(&view),
        None => v4_0::names::consent_status(consent.status_at(now)),
    }
}

/// The history of a consent, in the order of time.
fn consent_timeline(consent: &Consent, events: &[ClientEvent], now: Timestamp, clocks: &Clocks) -> Vec<TimelineLine> {
    let mut lines = vec![TimelineLine::at(consent.created_at, "Created by the application.")];
    if let Some(at) = consent.authorised_at {
        lines.push(TimelineLine::at(at, "Authorised by the customer."));
    }
    if let Some(at) = consent.authenticated_at.filter(|at| Some(*at) != consent.authorised_at) {
        lines.push(TimelineLine::at(at, "The customer authenticated again."));
    }
    let (words, _) = consent_status(&Consent { deleted_at: None, ..consent.clone() }, now);
    let since = consent.status_since(now);
    let is_told = since == consent.created_at || Some(since) == consent.authorised_at;
    if !is_told {
        let reason = consent.status_reason.map(|reason| format!(": {}", consent_reason(reason)));
        let reason = reason.unwrap_or_default();
        lines.push(TimelineLine::at(since, format!("{words}{reason}.")));
    }
    if let Some(at) = consent.deleted_at {
        lines.push(TimelineLine::at(at, "Deleted by the application."));
    }
    timeline(lines, events, clocks)
}
