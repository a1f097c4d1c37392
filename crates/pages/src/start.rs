//! The first page of the public listener.

use super::frame::PageFrame;
use super::reply::{PagePolicy, send_page};
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;

#[derive(Template)]
#[template(path = "start.html")]
pub(super) struct StartPage<'a> {
    pub frame: PageFrame<'a>,
    pub discovery: String,
    pub jwks: String,
    pub token: String,
    pub resources: String,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/", get(start))
}

async fn start(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let server = app.clone();
    app.response_cache.respond(request, move || render(&server)).await
}

fn render(app: &App) -> Response {
    let settings = &app.auth.settings;
    let template = StartPage {
        frame: PageFrame::of(app),
        discovery: OAuthEndpoint::Discovery.url(settings),
        jwks: OAuthEndpoint::Jwks.url(settings),
        token: OAuthEndpoint::Token.url(settings),
        resources: format!("{}/open-banking", app.settings.mtls_url),
    };
    send_page(app, StatusCode::OK, &template, &PagePolicy::plain())
}
