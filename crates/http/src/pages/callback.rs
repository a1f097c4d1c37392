//! The sandbox's own redirect URI: shows what came back, so that a first journey in a browser ends somewhere useful.
//!
//! The answer stands in the fragment, which never reaches a server: the only page that needs a script.

use super::frame::Frame;
use super::problem;
use super::reply::{Policy, page};
use crate::App;
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::StatusCode;
use lombard_auth::endpoints::Endpoint;

/// Where it is, under the public base URL.
const PATH: &str = "/portal/callback";

#[derive(Template)]
#[template(path = "callback.html")]
pub(super) struct CallbackPage<'a> {
    pub frame: Frame<'a>,
    pub token: String,
    pub redirect_uri: String,
    pub code_secs: i64,
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(PATH, get(callback))
}

async fn callback(State(app): State<App>) -> Response {
    if !app.settings.sandbox {
        return problem::nothing_here(&app);
    }
    let template = CallbackPage {
        frame: Frame::of(&app),
        token: Endpoint::Token.url(&app.auth.settings),
        redirect_uri: format!("{}{PATH}", app.settings.public_url),
        code_secs: app.auth.settings.code_secs,
    };
    page(&app, StatusCode::OK, &template, &Policy::with_script())
}
