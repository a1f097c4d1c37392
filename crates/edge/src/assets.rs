//! The files that pages load: one stylesheet, one icon, and the scripts of two pages, which work without them too.

use crate::App;
use crate::kept_responses::CachedResponseRequest;
use crate::routing::get;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

const STYLE: &str = include_str!("../assets/lombard.css");
const STYLE_TYPE: &str = "text/css; charset=utf-8";
const MARK: &str = include_str!("../assets/lombard.svg");
const MARK_TYPE: &str = "image/svg+xml";
const DECISION: &str = include_str!("../assets/decision.js");
const CALLBACK: &str = include_str!("../assets/callback.js");

/// The routes of stylesheet, icon and scripts.
pub fn routes() -> Router<App> {
    let files = [
        ("/assets/lombard.css", STYLE_TYPE, STYLE),
        ("/assets/lombard.svg", MARK_TYPE, MARK),
        // Browsers request these paths without a link.
        ("/favicon.ico", MARK_TYPE, MARK),
        ("/assets/decision.js", "text/javascript; charset=utf-8", DECISION),
        ("/assets/callback.js", "text/javascript; charset=utf-8", CALLBACK),
    ];
    files.into_iter().fold(Router::new(), |router, (path, content_type, body)| {
        let serve = move |State(app): State<App>, request: CachedResponseRequest| async move {
            app.response_cache.respond(request, move || asset(content_type, body)).await
        };
        router.route(path, get(serve))
    })
}

/// Serves the icon of the browser tab, for the ops listener.
pub async fn icon() -> Response {
    asset(MARK_TYPE, MARK)
}

/// Serves the stylesheet, for the pages of the ops listener.
pub async fn style() -> Response {
    asset(STYLE_TYPE, STYLE)
}

fn asset(content_type: &'static str, body: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=300")];
    (headers, body).into_response()
}
