//! The first page: what is here.

use super::frame::Frame;
use super::reply::{Policy, page};
use crate::App;
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::StatusCode;
use lombard_auth::endpoints::Endpoint;

#[derive(Template)]
#[template(path = "start.html")]
pub(super) struct StartPage<'a> {
    pub frame: Frame<'a>,
    pub discovery: String,
    pub jwks: String,
    pub token: String,
    pub resources: String,
}

pub(super) fn routes() -> Router<App> {
    Router::new().route("/", get(start))
}

async fn start(State(app): State<App>) -> Response {
    let settings = &app.auth.settings;
    let template = StartPage {
        frame: Frame::of(&app),
        discovery: Endpoint::Discovery.url(settings),
        jwks: Endpoint::Jwks.url(settings),
        token: Endpoint::Token.url(settings),
        resources: format!("{}/open-banking", app.settings.mtls_url),
    };
    page(&app, StatusCode::OK, &template, &Policy::plain())
}
