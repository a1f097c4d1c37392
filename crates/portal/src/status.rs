//! The page of the server's state: whether the server is ready, its URLs, and the rate limits of the application.

use super::developers::{PublishedRate, published_rates};
use super::formatting::moment;
use super::frame::{PortalFrame, PortalPage, PortalSection, page_frame, respond};
use super::notices::{NoticeRow, open_notices};
use super::paths::STATUS;
use super::requests::recorded;
use super::visit::PortalVisit;
use askama::Template;
use axum::Router;
use axum::response::Response;
use lombard_edge::App;
use lombard_edge::routing::get;
use lombard_openapi::PublishedApi;
use lombard_pages::frame::PageFrame;

/// The status page.
#[derive(Template)]
#[template(path = "portal/status.html")]
pub(crate) struct StatusPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    /// What the server lacks to be ready; `None` if the server does not report it.
    pub missing: Option<Vec<&'static str>>,
    /// The notices that are not over.
    pub rows: Vec<NoticeRow>,
    pub facts: Vec<(&'static str, String)>,
    pub rates: Vec<PublishedRate>,
}

impl PortalPage for StatusPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(STATUS, get(show))
}

/// What this node lacks to serve requests; empty when it is ready.
pub(super) fn missing(visit: &PortalVisit) -> Option<Vec<&'static str>> {
    visit.services.readiness.as_ref().map(|readiness| readiness.unmet_readiness_conditions())
}

async fn show(visit: PortalVisit) -> Response {
    let app = &visit.page.app;
    let template = StatusPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Status, None),
        missing: missing(&visit),
        rows: open_notices(app),
        facts: facts(&visit),
        rates: published_rates(&PublishedApi::of(app)),
    };
    respond(app, &template)
}

fn facts(visit: &PortalVisit) -> Vec<(&'static str, String)> {
    let app = &visit.page.app;
    let settings = &app.settings;
    let clocks = &app.context.clocks;
    let is_recorded = if recorded(visit).is_some() { "recorded" } else { "not recorded" };
    vec![
        ("Program", format!("Lombard {}", env!("CARGO_PKG_VERSION"))),
        ("Mode", if settings.sandbox { "sandbox" } else { "production" }.to_owned()),
        ("Issuer", app.auth.settings.issuer.clone()),
        ("Pages and authorisation", settings.public_url.clone()),
        ("Tokens and resources", settings.mtls_url.clone()),
        ("Wall clock", moment(clocks.wall_now())),
        ("Bank’s clock", moment(clocks.bank_now())),
        ("This application’s requests", is_recorded.to_owned()),
    ]
}
