//! `/portal` and `/openapi`: what this bank offers, for the people who write applications. Source: RW-252, RW-112.
//!
//! Every line is made from the catalogue, the handlers' types and the settings in force, so a page cannot promise what
//! the server does not do.

mod developers;
mod fields;
mod reference;
#[cfg(test)]
mod tests;

use super::frame::Frame;
use super::reply::{Policy, page, to_page};
use crate::App;
use crate::catalogue::Group;
use crate::openapi::{self, Offer};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use developers::Limits;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use std::sync::{Arc, OnceLock};

/// Where the pages are, under the public base URL.
const DEVELOPERS: &str = "/portal/developers";
const REFERENCE: &str = "/openapi/account-info";
const DOCUMENT: &str = "/openapi/account-info.json";

pub(super) fn routes() -> Router<App> {
    // Settings do not change while a server runs: the document is made once, when it is first asked for.
    let made: Arc<OnceLock<Bytes>> = Arc::default();
    Router::new()
        .route("/portal", get(|State(app): State<App>, method: Method| async move { home(&app, &method) }))
        .route(DEVELOPERS, get(developers))
        .route(REFERENCE, get(reference))
        .route(DOCUMENT, get(move |State(app): State<App>| async move { document(&app, &made) }))
}

fn home(app: &App, method: &Method) -> Response {
    to_page(app, method, DEVELOPERS, None)
}

async fn developers(State(app): State<App>) -> Response {
    let template = developers::page(Frame::of(&app), &Offer::of(&app), Limits::of(&app));
    page(&app, StatusCode::OK, &template, &Policy::plain())
}

async fn reference(State(app): State<App>) -> Response {
    let template = reference::page(Frame::of(&app), &Offer::of(&app));
    page(&app, StatusCode::OK, &template, &Policy::plain())
}

fn document(app: &App, made: &OnceLock<Bytes>) -> Response {
    let make = || openapi::document(&Offer::of(app), Group::AccountInformation).to_string().into();
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=300"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, made.get_or_init(make).clone()).into_response()
}
