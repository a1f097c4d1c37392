//! `/portal` and `/openapi`: what this bank offers, for the people who write applications. Source: RW-252, RW-112.
//!
//! Every line is made from the catalogue, the handlers' types and the settings in force, so a page cannot promise what
//! the server does not do.

mod anchors;
mod developers;
mod fields;
mod paths;
mod reference;
#[cfg(test)]
mod tests;

use super::frame::PageFrame;
use super::reply::{PagePolicy, page, to_page};
use crate::App;
use crate::catalogue::EndpointGroup;
use crate::openapi::{self, ApiDocument, DOCUMENTS, PublishedApi};
pub(crate) use anchors::IDEMPOTENCY_RULES;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use developers::{PublishedLimits, PublishedPolling};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use paths::{DEVELOPERS, json_of, page_of};
use std::sync::{Arc, OnceLock};

pub(super) fn routes() -> Router<App> {
    let router = Router::new()
        .route("/portal", get(|State(app): State<App>, method: Method| async move { home(&app, &method) }))
        .route(DEVELOPERS, get(developers));
    DOCUMENTS.iter().fold(router, |router, about| {
        // Settings do not change while a server runs: the document is made once, when it is first asked for.
        let made: Arc<OnceLock<Bytes>> = Arc::default();
        router.route(&page_of(about), get(move |State(app): State<App>| async move { reference(&app, about) })).route(
            &json_of(about),
            get(move |State(app): State<App>| async move { document(&app, about.group, &made) }),
        )
    })
}

fn home(app: &App, method: &Method) -> Response {
    to_page(app, method, DEVELOPERS, None)
}

async fn developers(State(app): State<App>) -> Response {
    let template = developers::page(
        PageFrame::of(&app),
        &PublishedApi::of(&app),
        PublishedLimits::of(&app),
        PublishedPolling::of(&app),
    );
    page(&app, StatusCode::OK, &template, &PagePolicy::plain())
}

fn reference(app: &App, about: &ApiDocument) -> Response {
    let template = reference::page(PageFrame::of(app), &PublishedApi::of(app), about);
    page(app, StatusCode::OK, &template, &PagePolicy::plain())
}

fn document(app: &App, group: EndpointGroup, made: &OnceLock<Bytes>) -> Response {
    let make = || openapi::build_openapi_document(&PublishedApi::of(app), group).to_string().into();
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=300"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, made.get_or_init(make).clone()).into_response()
}
