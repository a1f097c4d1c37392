//! `GET /directory/…`: the key sets of a sandbox's own directory and of its software. In production the Open Banking Directory publishes
//! such key sets.

use super::response;
use axum::Router;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lombard_edge::App;
use lombard_edge::app::HttpSettings;
use lombard_edge::routing::get;

/// The path of the directory.
pub const DIRECTORY_PATH: &str = "/directory";

/// The header that forbids caching, so that a test that changes a key sees the change at once.
const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
const JSON: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));

/// The routes of the directory; empty unless this is a sandbox with a directory.
pub fn routes(settings: &HttpSettings) -> Router<App> {
    if settings.directory.is_none() {
        return Router::new();
    }
    Router::new().route(&format!("{DIRECTORY_PATH}/{{*name}}"), get(key_set).fallback(response::method_not_allowed))
}

async fn key_set(State(app): State<App>, OriginalUri(uri): OriginalUri) -> Response {
    let Some(directory) = &app.settings.directory else { return StatusCode::NOT_FOUND.into_response() };
    let url = format!("{}{}", app.settings.public_url, uri.path());
    match directory.fetch_key_set(&url).await {
        Ok(document) => ([NO_STORE, JSON], document).into_response(),
        Err(error) => {
            tracing::debug!(error = &error as &dyn std::error::Error, "a key set of the directory was not served");
            (StatusCode::NOT_FOUND, [NO_STORE]).into_response()
        }
    }
}
