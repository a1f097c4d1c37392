//! The sandbox's own redirect URI. It shows the authorisation response, so that a first journey in a browser ends on a useful page.
//!
//! The response is in the fragment, which browsers never send to a server, so this page needs a script.

use super::form::PageRequest;
use super::frame::PageFrame;
use super::problem;
use super::reply::{PagePolicy, send_page};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_auth::error::OAuthError;
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;
use lombard_ports::store::StoreError;
use serde::Serialize;

/// The path of the page under the public base URL.
const PATH: &str = "/portal/callback";
/// The path at which the script asks for an application's authentication method.
const CLIENTS: &str = "/portal/callback/clients";

#[derive(Template)]
#[template(path = "callback.html")]
pub(super) struct CallbackPage<'a> {
    pub frame: PageFrame<'a>,
    pub clients: &'static str,
    pub token: String,
    pub redirect_uri: String,
    pub code_secs: i64,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route(PATH, get(callback)).route(&format!("{CLIENTS}/{{id}}"), get(client))
}

async fn callback(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let server = app.clone();
    app.response_cache.respond(request, move || render(&server)).await
}

fn render(app: &App) -> Response {
    if !app.settings.sandbox {
        return problem::not_found(app);
    }
    let template = CallbackPage {
        frame: PageFrame::of(app),
        clients: CLIENTS,
        token: OAuthEndpoint::Token.url(&app.auth.settings),
        redirect_uri: format!("{}{PATH}", app.settings.public_url),
        code_secs: app.auth.settings.code_secs,
    };
    send_page(app, StatusCode::OK, &template, &PagePolicy::with_script())
}

/// The data about an application that the script receives.
#[derive(Serialize)]
struct KnownApplication {
    token_endpoint_auth_method: &'static str,
}

/// Answers with the authentication method of a sandbox application, on which the command for exchanging its code depends.
async fn client(Path(id): Path<ClientId>, visit: PageRequest) -> Response {
    if !visit.app.settings.sandbox {
        return problem::not_found(&visit.app);
    }
    let found = visit.app.context.store.read(move |tx| tx.client(&id)).await;
    match found.map_err(|error: StoreError| OAuthError::unavailable(error)) {
        Ok(Some(client)) => {
            let known = KnownApplication { token_endpoint_auth_method: client.authentication.name() };
            ([(CACHE_CONTROL, "no-store")], Json(known)).into_response()
        }
        Ok(None) => problem::not_found(&visit.app),
        Err(error) => problem::error_page(&visit.app, &error, &visit.reference, None),
    }
}
