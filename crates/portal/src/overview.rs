//! The first page of a developer who is logged in.

use super::application::folder_of;
use super::frame::{PortalFrame, PortalPage, PortalSection, page_frame, respond};
use super::paths::{OVERVIEW, page_of};
use super::requests::{RequestLine, newest, recorded};
use super::status::missing;
use super::visit::PortalVisit;
use askama::Template;
use axum::Router;
use axum::response::Response;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::App;
use lombard_edge::routing::get;
use lombard_openapi::DOCUMENTS;
use lombard_pages::frame::PageFrame;

/// The number of requests of each kind that are shown.
const SHOWN: usize = 5;

/// The overview page.
#[derive(Template)]
#[template(path = "portal/overview.html")]
pub(crate) struct OverviewPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub facts: Vec<(&'static str, String)>,
    pub is_recorded: bool,
    pub last: Vec<RequestLine>,
    pub refusals: Vec<RequestLine>,
    /// The title and URL of each document.
    pub documents: Vec<(&'static str, String)>,
}

impl OverviewPage<'_> {
    /// The lists of requests: id, title, text for an empty list, and the requests.
    fn request_lists(&self) -> [(&'static str, &'static str, &'static str, &[RequestLine]); 2] {
        [
            ("last", "Last requests", "None yet.", &self.last),
            ("refusals", "Last refusals", "No request was refused.", &self.refusals),
        ]
    }
}

impl PortalPage for OverviewPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(OVERVIEW, get(show))
}

async fn show(visit: PortalVisit) -> Response {
    let app = &visit.page.app;
    let client = visit.client();
    let roles: Vec<_> = client.roles.iter().map(|role| role.name()).collect();
    let mut facts = vec![
        ("Client id", client.id.to_string()),
        ("Status", client.status.name().to_owned()),
        ("Roles", roles.join(", ")),
        ("Client authentication", client.authentication.name().to_owned()),
    ];
    if let Some(folder) = folder_of(&visit).await {
        facts.push(("Folder", format!("tpps/{}", folder.name)));
    }
    if let Some(missing) = missing(&visit) {
        let state = if missing.is_empty() { "serves requests".to_owned() } else { missing.join(", ") };
        facts.push(("The bank", state));
    }
    let mut documents = vec![("Discovery", OAuthEndpoint::Discovery.url(&app.auth.settings))];
    documents.extend(DOCUMENTS.iter().map(|document| (document.title, page_of(document))));
    let template = OverviewPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Overview, None),
        facts,
        is_recorded: recorded(&visit).is_some(),
        last: newest(&visit, false, SHOWN),
        refusals: newest(&visit, true, SHOWN),
        documents,
    };
    respond(app, &template)
}
