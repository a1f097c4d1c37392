//! The files by which phones find the bank's apps. Without a configured app, the file does not exist.

use super::problem;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use http::header::CACHE_CONTROL;
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;
use serde_json::Value;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/.well-known/apple-app-site-association", get(apple))
        .route("/.well-known/assetlinks.json", get(android))
}

async fn apple(State(app): State<App>, request: CachedResponseRequest) -> Response {
    file(app, request, |app| app.settings.app_links.apple_association()).await
}

async fn android(State(app): State<App>, request: CachedResponseRequest) -> Response {
    file(app, request, |app| app.settings.app_links.asset_links()).await
}

async fn file(app: App, request: CachedResponseRequest, document: fn(&App) -> Option<Value>) -> Response {
    let server = app.clone();
    let render = move || match document(&server) {
        Some(document) => ([(CACHE_CONTROL, "public, max-age=3600")], Json(document)).into_response(),
        None => problem::not_found(&server),
    };
    app.response_cache.respond(request, render).await
}
