//! Where phones find the bank's apps. A file without an app is not there.

use super::problem;
use crate::App;
use crate::routing::get;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use http::header::CACHE_CONTROL;
use serde_json::Value;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/.well-known/apple-app-site-association", get(apple))
        .route("/.well-known/assetlinks.json", get(android))
}

async fn apple(State(app): State<App>) -> Response {
    let document = app.settings.app_links.apple_association();
    file(&app, document)
}

async fn android(State(app): State<App>) -> Response {
    let document = app.settings.app_links.asset_links();
    file(&app, document)
}

fn file(app: &App, document: Option<Value>) -> Response {
    match document {
        Some(document) => ([(CACHE_CONTROL, "public, max-age=3600")], Json(document)).into_response(),
        None => problem::nothing_here(app),
    }
}
