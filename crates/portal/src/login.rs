//! The login of developers by a one-time link. A button confirms the login, so that a preview of the link does not consume it.

use super::paths::{LOGIN, LOGOUT, OVERVIEW};
use super::visit::PortalForm;
use askama::Template;
use axum::Router;
use axum::response::Response;
use http::{Method, StatusCode};
use lombard_auth::OAuthError;
use lombard_auth::portal::{close_portal_session, find_linked_client, make_portal_login_form, open_portal_session};
use lombard_edge::App;
use lombard_edge::routing::{get, post};
use lombard_pages::form::{FormRequest, PageRequest};
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use lombard_pages::reply::{Cookie, PagePolicy, redirect_to_page, send_page};
use lombard_pages::text;

/// The page that explains the login, or shows the button of a link.
#[derive(Template)]
#[template(path = "portal/login.html")]
pub(crate) struct PortalLoginPage<'a> {
    pub frame: PageFrame<'a>,
    /// The form of the link, if the link can be used.
    pub link: Option<LinkForm>,
    /// Whether the opened link can no longer be used.
    pub is_spent: bool,
    /// The URL for the login with a certificate.
    pub by_certificate: String,
}

/// The form of a link.
pub(crate) struct LinkForm {
    pub application: String,
    pub secret: String,
    pub form_token: String,
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(LOGIN, get(show).merge(post(log_in))).route(LOGOUT, get(show).merge(post(log_out)))
}

async fn show(visit: PageRequest) -> Response {
    let app = &visit.app;
    let Some(secret) = visit.parameter("link") else { return login_page(app, None, false) };
    match find_linked_client(&app.auth, &secret).await {
        Ok(Some(client)) => {
            let (browser, form_token) = make_portal_login_form(&app.auth, visit.browser(Cookie::PORTAL));
            let link = LinkForm { application: text::name(&client.software_name), secret, form_token };
            let mut response = login_page(app, Some(link), false);
            if let Some(cookie) = Cookie::portal(&browser.cookie()) {
                cookie.set_on(&mut response);
            }
            response
        }
        Ok(None) => login_page(app, None, true),
        Err(error) => failed(&visit, &error.into()),
    }
}

fn login_page(app: &App, link: Option<LinkForm>, is_spent: bool) -> Response {
    let by_certificate = format!("{}{LOGIN}", app.settings.mtls_url);
    let template = PortalLoginPage { frame: PageFrame::of(app), link, is_spent, by_certificate };
    let status = if is_spent { StatusCode::GONE } else { StatusCode::OK };
    send_page(app, status, &template, &PagePolicy::plain())
}

async fn log_in(form: FormRequest) -> Response {
    let app = &form.visit.app;
    let Some(submission) = form.page(Cookie::PORTAL) else { return login_page(app, None, true) };
    match open_portal_session(&app.auth, &submission, form.fields.first("link")).await {
        Ok(Some((browser, client))) => {
            tracing::info!(
                audit.action = "portal.login",
                audit.actor = "tpp",
                client.id = client.id.as_str(),
                "a developer logged in to the portal"
            );
            redirect_to_page(app, &Method::POST, OVERVIEW, Cookie::portal(&browser.cookie()))
        }
        Ok(None) => login_page(app, None, true),
        Err(error) => failed(&form.visit, &error),
    }
}

async fn log_out(form: PortalForm) -> Response {
    let page = &form.visit.page;
    match close_portal_session(&page.app.auth, &form.visit.login).await {
        Ok(()) => redirect_to_page(&page.app, &Method::POST, LOGIN, Cookie::portal_gone()),
        Err(error) => failed(page, &error.into()),
    }
}

fn failed(visit: &PageRequest, error: &OAuthError) -> Response {
    problem::error_page(&visit.app, error, &visit.reference, Some(LOGIN))
}
