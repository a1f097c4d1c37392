#![doc = include_str!("../README.md")]

mod account_choices;
mod application;
mod certificate_login;
mod consents;
mod controls;
mod curl;
mod decisions;
mod developers;
mod document_tables;
mod documents;
mod events;
mod fields;
mod formatting;
mod forms;
mod frame;
mod guides;
mod login;
mod notices;
mod oauth_reference;
mod open_page;
mod orders;
mod overview;
mod paths;
mod reference;
mod refused_form;
mod requests;
mod services;
mod status;
mod test_data;
mod test_data_forms;
#[cfg(test)]
mod tests;
mod timeline;
mod try_out;
mod visit;

use askama::Template;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use developers::{PublishedLimits, PublishedPolling};
use frame::{PortalFrame, PortalSection};
pub use guides::guide_paths;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{Method, StatusCode};
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;
use lombard_openapi::{ApiDocument, DOCUMENTS, DocumentSubject, PublishedApi};
use lombard_pages::form::{FORM_BYTES_MAX, PageRequest};
use lombard_pages::frame::PageFrame;
use lombard_pages::reply::{Cookie, PagePolicy, redirect_to_page, send_page};
use open_page::open_page;
pub use paths::link_address;
use paths::{DEVELOPERS, DOCUMENTS_LIST, OVERVIEW, json_of, page_of};
use reference::ReferencePage;
pub use services::{
    ApplicationAnswer, ApplicationCall, ApplicationCertificate, ApplicationFolder, CallToken, PortalSandbox,
    PortalServices, Readiness, SandboxApplications,
};
use std::sync::{Arc, OnceLock};
use visit::PublicVisit;

/// The routes of the portal's pages and documents.
pub fn routes(services: PortalServices) -> Router<App> {
    let router = Router::new()
        .route("/portal", get(home))
        .route(DEVELOPERS, get(developers))
        .route(DOCUMENTS_LIST, get(documents_list))
        .merge(guides::routes())
        .merge(notices::routes());
    let router = DOCUMENTS.iter().fold(router, |router, about| {
        // Settings do not change while a server runs, so the common part of the page is rendered once.
        let content: Content = Arc::default();
        let page = move |State(app): State<App>, visit: PublicVisit, request: CachedResponseRequest| async move {
            let server = app.clone();
            let render = move |portal| render_reference(&server, about, &content, portal);
            open_page(&app, &visit, request, PortalSection::Reference, render).await
        };
        let document = move |State(app): State<App>, request: CachedResponseRequest| async move {
            let server = app.clone();
            app.response_cache.respond(request, move || render_json(&server, about)).await
        };
        router.route(&page_of(about), get(page)).route(&json_of(about), get(document))
    });
    router.layer(Extension(services.clone())).merge(own_routes(services))
}

/// The routes of the pages for developers who are logged in.
fn own_routes(services: PortalServices) -> Router<App> {
    let mut router = Router::new()
        .merge(login::routes())
        .merge(overview::routes())
        .merge(application::routes())
        .merge(requests::routes())
        .merge(consents::routes())
        .merge(orders::routes())
        .merge(events::routes())
        .merge(status::routes());
    if let Some(sandbox) = services.sandbox.clone() {
        router = router.merge(sandbox_routes(sandbox));
    }
    router.layer(Extension(services)).layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// The routes of the pages and forms for testers.
fn sandbox_routes(sandbox: PortalSandbox) -> Router<App> {
    let mut router = application::sandbox_routes()
        .merge(controls::routes())
        .merge(decisions::customer_routes())
        .merge(try_out::routes());
    if let Some(bank) = sandbox.controls.clone() {
        let routes = decisions::routes().merge(controls::bank_routes()).merge(test_data_forms::routes());
        router = router.merge(routes.layer(Extension(bank)));
    }
    router.layer(Extension(sandbox))
}

/// The route of the listener that asks for client certificates.
pub fn mtls_routes() -> Router<App> {
    certificate_login::routes()
}

/// Redirects developers who are logged in to their overview, and all others to the list of offered functions.
async fn home(visit: PageRequest) -> Response {
    let is_known = visit.browser(Cookie::PORTAL).is_some();
    redirect_to_page(&visit.app, &Method::GET, if is_known { OVERVIEW } else { DEVELOPERS }, None)
}

async fn developers(State(app): State<App>, visit: PublicVisit, request: CachedResponseRequest) -> Response {
    let server = app.clone();
    let render = move |portal| {
        let template = developers::page(
            (PageFrame::of(&server), portal),
            &PublishedApi::of(&server),
            PublishedLimits::of(&server),
            PublishedPolling::of(&server),
        );
        send_page(&server, StatusCode::OK, &template, &PagePolicy::plain())
    };
    open_page(&app, &visit, request, PortalSection::Reference, render).await
}

async fn documents_list(State(app): State<App>, visit: PublicVisit, request: CachedResponseRequest) -> Response {
    let server = app.clone();
    let render = move |portal| {
        let template = documents::page((PageFrame::of(&server), portal), &PublishedApi::of(&server));
        send_page(&server, StatusCode::OK, &template, &PagePolicy::plain())
    };
    open_page(&app, &visit, request, PortalSection::Reference, render).await
}

/// The common part of a reference page; `None` if it could not be rendered.
type Content = Arc<OnceLock<Option<String>>>;

fn render_reference(
    app: &App,
    about: &'static ApiDocument,
    content: &Content,
    portal: Option<PortalFrame>,
) -> Response {
    let frame = PageFrame::of(app);
    let offer = PublishedApi::of(app);
    let content = content.get_or_init(|| {
        let content = match about.subject {
            DocumentSubject::Catalogue(group) => reference::content(frame.sandbox, &offer, about, group),
            DocumentSubject::OAuth(part) => oauth_reference::content(frame.sandbox, &offer, about, part),
        };
        content.render().ok()
    });
    let Some(content) = content else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    send_page(app, StatusCode::OK, &ReferencePage::new(frame, portal, about, content), &PagePolicy::plain())
}

fn render_json(app: &App, about: &ApiDocument) -> Response {
    let document = lombard_openapi::build_openapi_document(&PublishedApi::of(app), about.subject).to_string();
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=300")];
    (headers, document).into_response()
}
