//! The login session of a visit: its customer, the login page, and the error pages.

use super::login::{code_page, login_page};
use super::path::{AppsPath, HOME};
use crate::form::{FormFields, FormRequest, PageRequest};
use crate::problem;
use crate::reply::{Cookie, redirect_to_page};
use axum::extract::{FromRequest, Request};
use axum::response::Response;
use http::Method;
use lombard_auth::authorisation::journey::BrowserSecret;
use lombard_auth::error::OAuthError;
use lombard_auth::sessions::{self, LoggedInPsu, LoggedOut, LoginNotice, SessionError, SessionView};
use lombard_auth::submission::SubmittedPage;
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_ports::identity::LoginMethod;

/// A form from a browser that sent a session secret. The session decides whether the secret is valid.
pub(super) struct AppsFormSubmission {
    pub(super) visit: PageRequest,
    pub(super) fields: FormFields,
    pub(super) submission: SubmittedPage,
}

impl FromRequest<App> for AppsFormSubmission {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let sent = FormRequest::from_request(request, app).await?;
        let submission = sent.page(Cookie::SESSION).ok_or_else(|| redirect_to_page(app, &Method::POST, HOME, None))?;
        Ok(Self { visit: sent.visit, fields: sent.fields, submission })
    }
}

impl AppsFormSubmission {
    /// Counts a login that will begin at the bank's identity provider, for which the customer is not known yet. On the server's own login
    /// pages, wrong passwords and codes are counted instead (AS-143).
    pub(super) fn count_provider_login(&self) -> Result<(), Box<Response>> {
        let app = &self.visit.app;
        match app.auth.identity.login_method() {
            LoginMethod::Pages(_) => Ok(()),
            LoginMethod::Redirect(_) => {
                let now = app.context.clocks.wall_now();
                let counted = app.throttle.count_call(RateGroup::ProviderLogins, self.submission.from, now);
                counted.map_err(|exceeded| Box::new(problem::too_many_requests(app, exceeded.retry_after_secs)))
            }
        }
    }
}

/// Returns the PSU who is logged in; otherwise the login page at the requested URL.
pub(super) async fn customer(visit: &PageRequest) -> Result<LoggedInPsu, Box<Response>> {
    logged_in(visit, &AppsPath::read(visit.path()), None).await
}

/// Returns the PSU who is logged in; otherwise the login page, which leads to the wanted page.
pub(super) async fn logged_in(
    visit: &PageRequest,
    wanted: &AppsPath,
    notice: Option<LoginNotice>,
) -> Result<LoggedInPsu, Box<Response>> {
    let app = &visit.app;
    let known = visit.browser(Cookie::SESSION);
    let is_new = known.is_none();
    let browser: BrowserSecret = known.unwrap_or_else(|| sessions::new_browser_secret(&app.auth));
    let mut response = match sessions::view_session(&app.auth, &browser).await {
        Ok(SessionView::Open(customer)) => return Ok(customer),
        Ok(SessionView::Login { form_token, form }) => login_page(app, form_token, wanted, form, notice),
        Ok(SessionView::SecondFactor { form_token, challenge }) => {
            code_page(app, form_token, wanted, challenge, notice)
        }
        Err(error) => respond_error(visit, error),
    };
    if is_new && let Some(cookie) = Cookie::session(&browser.cookie()) {
        cookie.set_on(&mut response);
    }
    Err(Box::new(response))
}

/// The page for a session that cannot continue.
pub(super) fn respond_error(visit: &PageRequest, error: SessionError) -> Response {
    match error {
        SessionError::Unavailable(LoggedOut) | SessionError::Stale => {
            redirect_to_page(&visit.app, &Method::POST, HOME, None)
        }
        SessionError::Throttled(throttled) => problem::throttled(&visit.app, &throttled, HOME, None),
        SessionError::Failed(error) => failed(visit, &error),
    }
}

/// The page for a failure, which is logged here.
pub(super) fn failed(visit: &PageRequest, error: &OAuthError) -> Response {
    problem::error_page(&visit.app, error, &visit.reference, Some(HOME))
}

/// Returns a resource of the PSU, or the "not found" page. Resources of another PSU are answered like missing ones.
pub(super) fn found_or_not<T>(
    visit: &PageRequest,
    found: Result<Option<T>, OAuthError>,
    page: impl FnOnce(T) -> Response,
) -> Response {
    match found {
        Ok(Some(found)) => page(found),
        Ok(None) => problem::not_found(&visit.app),
        Err(error) => failed(visit, &error),
    }
}
