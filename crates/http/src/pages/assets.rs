//! What pages load: one stylesheet, one mark for the browser's tab, and the scripts of two pages, which work without them too.

use crate::App;
use crate::routing::get;
use axum::Router;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

const STYLE: &str = include_str!("../../assets/lombard.css");
const MARK: &str = include_str!("../../assets/lombard.svg");
const DECISION: &str = include_str!("../../assets/decision.js");
const CALLBACK: &str = include_str!("../../assets/callback.js");

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/assets/lombard.css", get(|| async { asset("text/css; charset=utf-8", STYLE) }))
        .route("/assets/lombard.svg", get(mark))
        // What browsers ask for of their own accord.
        .route("/favicon.ico", get(mark))
        .route("/assets/decision.js", get(|| async { asset("text/javascript; charset=utf-8", DECISION) }))
        .route("/assets/callback.js", get(|| async { asset("text/javascript; charset=utf-8", CALLBACK) }))
}

/// The mark for a browser's tab.
pub(crate) async fn mark() -> Response {
    asset("image/svg+xml", MARK)
}

fn asset(content_type: &'static str, body: &'static str) -> Response {
    let headers =
        [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=300"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, body).into_response()
}
