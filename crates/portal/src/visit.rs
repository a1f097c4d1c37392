//! Requests of developers who are logged in.

use super::paths::{LOGIN, STATUS};
use super::services::PortalServices;
use axum::extract::{Extension, FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::Method;
use http::request::Parts;
use lombard_auth::OAuthError;
use lombard_auth::portal::{PortalLogin, view_portal_session};
use lombard_domain::client::Client;
use lombard_edge::App;
use lombard_pages::form::{FormFields, FormRequest, PageRequest};
use lombard_pages::problem;
use lombard_pages::reply::{Cookie, redirect_to_page};
use lombard_ports::store::StoreError;
use std::convert::Infallible;

/// A request of a developer who is logged in.
pub(super) struct PortalVisit {
    pub(super) page: PageRequest,
    pub(super) services: PortalServices,
    pub(super) login: PortalLogin,
}

impl FromRequestParts<App> for PortalVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        Self::find(parts, app).await?.ok_or_else(|| redirect_to_page(app, &Method::GET, LOGIN, None))
    }
}

/// A request for a public page, with the visit of a logged-in developer. If the login cannot be read now, there is no visit.
pub(super) struct PublicVisit(pub(super) Option<PortalVisit>);

impl FromRequestParts<App> for PublicVisit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(PortalVisit::find(parts, app).await.unwrap_or(None)))
    }
}

impl PortalVisit {
    /// Finds the visit of the developer who is logged in.
    async fn find(parts: &mut Parts, app: &App) -> Result<Option<Self>, Response> {
        let page = PageRequest::from_request_parts(parts, app).await?;
        let services: Extension<PortalServices> =
            Extension::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let login = match page.browser(Cookie::PORTAL) {
            Some(browser) => view_portal_session(&app.auth, &browser).await.map_err(|error| failed(&page, &error))?,
            None => None,
        };
        Ok(login.map(|login| Self { page, services: services.0, login }))
    }

    /// The client of the developer.
    pub(super) fn client(&self) -> &Client {
        &self.login.client
    }

    /// The query parameter with this name; `None` if it is absent or empty.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        self.page.parameter(name).filter(|value| !value.is_empty())
    }

    /// Returns the value that was read, or the error page. The failure is logged here.
    pub(super) fn read<T>(&self, result: Result<T, StoreError>) -> Result<T, Box<Response>> {
        result.map_err(|error| Box::new(failed(&self.page, &error.into())))
    }
}

/// A form that a developer submitted from a page of the present session.
pub(super) struct PortalForm {
    pub(super) visit: PortalVisit,
    pub(super) fields: FormFields,
}

impl FromRequest<App> for PortalForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let visit = PortalVisit::from_request_parts(&mut parts, app).await?;
        let sent = FormRequest::from_request(Request::from_parts(parts, body), app).await?;
        if !visit.login.owns_form(sent.fields.first("form_token")) {
            // The form belongs to another session, or to no page of this server.
            return Err(redirect_to_page(app, &Method::POST, STATUS, None));
        }
        Ok(Self { visit, fields: sent.fields })
    }
}

/// The error page for a failure, which is logged here.
pub(super) fn failed(page: &PageRequest, error: &OAuthError) -> Response {
    problem::error_page(&page.app, error, &page.reference, Some(page.path()))
}
