//! The forms by which testers decide on the consents, orders and events of their application, in place of its customers and their bank.
//! Each lookup names the client, so data of another client is not found.

use super::application::refusal as application_refusal;
use super::frame::PortalNotice;
use super::paths::{CONSENTS, EVENTS, ORDERS, escaped};
use super::services::PortalSandbox;
use super::visit::{PortalForm, PortalVisit};
use super::{consents, events, orders};
use axum::extract::Path;
use axum::response::Response;
use axum::{Extension, Router};
use http::Method;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_edge::App;
use lombard_edge::routing::post;
use lombard_ops::sandbox::{read_decision, read_events_count, read_outcome};
use lombard_pages::problem;
use lombard_pages::reply::redirect_to_page;
use lombard_ports::controls::{ControlError, SandboxControls};
use lombard_service::client_records::{find_consent, find_order};
use serde_json::Value;
use std::sync::Arc;

/// The maximum number of events that one form raises.
const EVENTS_MAX: u32 = 100;

/// The maximum number of faults of a data file that a page shows.
const FAULTS_MAX: usize = 10;

/// The controls, as handlers extract them.
pub(super) type Controls = Extension<Arc<dyn SandboxControls>>;

/// The routes that need the bank's controls.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(&format!("{CONSENTS}/{{id}}/decide"), post(decide))
        .route(&format!("{CONSENTS}/{{id}}/revoke"), post(revoke))
        .route(&format!("{ORDERS}/{{id}}/outcome"), post(outcome))
        .route("/portal/controls/events", post(raise_events))
}

/// The route that needs no controls, because the customer decides on the bank's own pages.
pub(super) fn customer_routes() -> Router<App> {
    Router::new().route(&format!("{CONSENTS}/{{id}}/authorise"), post(authorise))
}

/// Redirects to the pages on which a customer decides, in the same way as the application does.
async fn authorise(
    Path(id): Path<ConsentId>,
    Extension(sandbox): Extension<PortalSandbox>,
    form: PortalForm,
) -> Response {
    let visit = form.visit;
    let app = &visit.page.app;
    let found = find_consent(&app.context.store, &visit.client().id, &id).await;
    let scope = match visit.read(found) {
        Ok(Some(record)) => record.consent.request.kind().scope(),
        Ok(None) => return problem::not_found(app),
        Err(failed) => return *failed,
    };
    match sandbox.applications.authorisation_url(&visit.client().id, &id, scope).await {
        Ok(url) => redirect_to_page(app, &Method::POST, &url, None),
        Err(error) => consents::show(&visit, &id, Some(application_refusal(&error))).await,
    }
}

/// The controls for this request. The events that they raise name the interaction id of this request as their cause. Source: SET-016.
pub(super) fn for_request(controls: Arc<dyn SandboxControls>, visit: &PortalVisit) -> Arc<dyn SandboxControls> {
    controls.caused_by(&visit.page.reference)
}

/// Describes a control that was not executed; a failure is logged here.
pub(super) fn refusal(error: &ControlError) -> PortalNotice {
    if let ControlError::Unavailable(cause) | ControlError::Broken(cause) = error {
        tracing::error!(error = &**cause as &dyn std::error::Error, "a control of the portal failed");
    }
    let ControlError::Faulty(faults) = error else { return PortalNotice::refused(error.to_string()) };
    let faults: Vec<_> = faults.iter().take(FAULTS_MAX).map(ToString::to_string).collect();
    PortalNotice::refused(faults.join(" "))
}

/// Checks that the consent belongs to the client; otherwise returns the "not found" page.
async fn own_consent(visit: &PortalVisit, id: &ConsentId) -> Result<(), Box<Response>> {
    let app = &visit.page.app;
    let found = find_consent(&app.context.store, &visit.client().id, id).await;
    visit.read(found)?.map(drop).ok_or_else(|| Box::new(problem::not_found(app)))
}

async fn decide(Path(id): Path<ConsentId>, Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    if let Err(answered) = own_consent(&visit, &id).await {
        return *answered;
    }
    let decision =
        [("psu", Value::from(fields.first("psu").trim())), ("decision", Value::from(fields.first("decision")))];
    let done = match read_decision(&decision) {
        Ok(decision) => for_request(controls, &visit).consent_authorise(&id, &decision).await,
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    match done {
        Ok(_) => redirect_to_page(&visit.page.app, &Method::POST, &consent_path(&id, "decided"), None),
        Err(error) => consents::show(&visit, &id, Some(refusal(&error))).await,
    }
}

async fn revoke(Path(id): Path<ConsentId>, Extension(controls): Controls, form: PortalForm) -> Response {
    let visit = form.visit;
    if let Err(answered) = own_consent(&visit, &id).await {
        return *answered;
    }
    match for_request(controls, &visit).consent_revoke(&id).await {
        Ok(_) => redirect_to_page(&visit.page.app, &Method::POST, &consent_path(&id, "revoked"), None),
        Err(error) => consents::show(&visit, &id, Some(refusal(&error))).await,
    }
}

fn consent_path(id: &ConsentId, done: &str) -> String {
    format!("{CONSENTS}/{}?done={done}", escaped(id.as_str()))
}

async fn outcome(Path(id): Path<OrderId>, Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let app = &visit.page.app;
    match visit.read(find_order(&app.context.store, &visit.client().id, &id).await) {
        Ok(Some(_)) => {}
        Ok(None) => return problem::not_found(app),
        Err(failed) => return *failed,
    }
    let wanted = ["outcome", "reason"].map(|name| (name, Value::from(fields.first(name))));
    let done = match read_outcome(&wanted) {
        Ok(outcome) => for_request(controls, &visit).order_outcome(&id, outcome).await,
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    match done {
        Ok(_) => redirect_to_page(app, &Method::POST, &format!("{ORDERS}/{}?done=outcome", escaped(id.as_str())), None),
        Err(error) => orders::show(&visit, &id, Some(refusal(&error))).await,
    }
}

async fn raise_events(Extension(controls): Controls, form: PortalForm) -> Response {
    let PortalForm { visit, fields } = form;
    let raised = match read_events_count(fields.first("count"), EVENTS_MAX) {
        Ok(count) => for_request(controls, &visit).events_raise(&visit.client().id, count).await,
        Err(text) => Err(ControlError::Refused(text.into())),
    };
    match raised {
        Ok(_) => redirect_to_page(&visit.page.app, &Method::POST, &format!("{EVENTS}?done=raised"), None),
        Err(error) => events::show(&visit, Some(refusal(&error))).await,
    }
}
