//! The input of browsers: requests for pages, forms and cookies.

use super::problem;
use super::reply::Cookie;
use super::tester_controls::TesterControls;
use axum::extract::{FromRequest, FromRequestParts, RawForm, Request};
use axum::response::{IntoResponse, Response};
use axum::{Extension, RequestExt};
use http::header::{COOKIE, USER_AGENT};
use http::request::Parts;
use http::{HeaderMap, StatusCode, Uri};
use lombard_api::extract::announced_bytes;
use lombard_auth::AuthorisationServer;
use lombard_auth::authorisation::journey::BrowserSecret;
use lombard_auth::devices::DeviceCookie;
use lombard_auth::submission::SubmittedPage;
use lombard_domain::ids::FapiInteractionId;
use lombard_edge::App;
use lombard_edge::listener::PeerAddress;
use lombard_ports::bank::CallContext;
use std::fmt;
use std::net::IpAddr;
use url::form_urlencoded;

/// The maximum number of bytes of a form, which is enough for a decision over hundreds of accounts.
pub const FORM_BYTES_MAX: usize = 64 * 1024;

/// A request for a page, with the state that every page needs.
pub struct PageRequest {
    /// The application state.
    pub app: App,
    /// The id of this request in the log.
    pub reference: FapiInteractionId,
    /// The controls of a sandbox, for the pages of journeys.
    pub testers: Option<TesterControls>,
    peer: Option<PeerAddress>,
    headers: HeaderMap,
    uri: Uri,
}

/// Omits the headers, which contain the browser's secrets.
impl fmt::Debug for PageRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageRequest").field("reference", &self.reference).finish_non_exhaustive()
    }
}

impl FromRequestParts<App> for PageRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let Extension(reference) =
            Extension::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let peer = parts.extensions.get::<PeerAddress>().copied();
        let testers = parts.extensions.get::<TesterControls>().cloned();
        Ok(Self { app: app.clone(), reference, testers, peer, headers: parts.headers.clone(), uri: parts.uri.clone() })
    }
}

impl PageRequest {
    /// The authorisation server for this request. Its decisions name this request as their cause (SET-016), and the bank learns the
    /// customer's IP address and user agent.
    pub(super) fn auth(&self) -> AuthorisationServer {
        let mut call = CallContext {
            interaction: Some(self.reference.clone()),
            customer_address: self.peer.map(|PeerAddress(peer)| peer.ip()),
            ..CallContext::default()
        };
        if let Some(agent) = self.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()) {
            call.set_user_agent(agent);
        }
        self.app.auth.for_call(call)
    }

    /// The secret that the browser sent in the cookie of this name.
    pub fn browser(&self, cookie: &str) -> Option<BrowserSecret> {
        self.cookie(cookie).and_then(BrowserSecret::from_cookie)
    }

    /// The browser's record of customers who have logged in with it.
    pub(super) fn devices(&self) -> DeviceCookie {
        self.cookie(Cookie::DEVICES).map(DeviceCookie::parse).unwrap_or_default()
    }

    fn cookie(&self, name: &str) -> Option<&str> {
        find_cookie(&self.headers, name)
    }

    /// The path of the request.
    pub fn path(&self) -> &str {
        self.uri.path()
    }

    /// The query of the URL.
    pub(super) fn query(&self) -> &str {
        self.uri.query().unwrap_or_default()
    }

    /// The first value of a query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let found = form_urlencoded::parse(self.query().as_bytes()).find(|(known, _)| known == name);
        found.map(|(_, value)| value.into_owned())
    }

    /// Whether the customer requests the page with all accounts selected. Such a request decides nothing.
    pub(super) fn selects_all(&self) -> bool {
        self.parameter("select").as_deref() == Some("all")
    }

    /// The number of the requested page: 1, unless the URL contains another number. A value that is not a number gives page 0, which never
    /// exists.
    pub(super) fn page_number(&self) -> u32 {
        let query = self.uri.query().unwrap_or_default();
        let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "page");
        asked.map_or(1, |(_, number)| number.parse().unwrap_or(0))
    }
}

/// The value of the cookie of this name. If it occurs several times, the last one counts, because browsers send older cookies first
/// (RFC 6265 5.4).
pub(super) fn find_cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(known, _)| *known == name)
        .fold(None, |_, (_, value)| Some(value))
}

/// A form that a browser submitted, with its origin.
#[derive(Debug)]
pub struct FormRequest {
    /// The request without the form fields.
    pub visit: PageRequest,
    /// The fields of the form.
    pub fields: FormFields,
    from: IpAddr,
}

impl FromRequest<App> for FormRequest {
    type Rejection = Response;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, Response> {
        let visit: PageRequest = request.extract_parts_with_state(app).await?;
        let peer: Extension<PeerAddress> = request.extract_parts().await.map_err(IntoResponse::into_response)?;
        let Extension(peer) = peer;
        // A browser without any cookie has no page of this server, so its form is not read.
        if !visit.headers.contains_key(COOKIE) {
            return Ok(Self { visit, fields: FormFields(Vec::new()), from: peer.0.ip() });
        }
        if announced_bytes(&visit.headers).is_some_and(|bytes| bytes > FORM_BYTES_MAX as u64) {
            return Err(problem::unreadable_form(app, StatusCode::PAYLOAD_TOO_LARGE));
        }
        let form = RawForm::from_request(request, app).await;
        let RawForm(body) = form.map_err(|bad| problem::unreadable_form(app, bad.into_response().status()))?;
        Ok(Self { visit, fields: FormFields::parse(&body), from: peer.0.ip() })
    }
}

impl FormRequest {
    /// The page from which the form was submitted, if the browser sent a secret in the cookie of this name. The caller must check the
    /// secret.
    pub fn page(&self, cookie: &str) -> Option<SubmittedPage> {
        let form_token = self.fields.first("form_token").to_owned();
        self.visit.browser(cookie).map(|browser| SubmittedPage {
            browser,
            form_token,
            from: self.from,
            devices: self.visit.devices(),
        })
    }
}

/// The fields of a form.
pub struct FormFields(Vec<(String, String)>);

/// Omits the fields, which may be passwords.
impl fmt::Debug for FormFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormFields").finish_non_exhaustive()
    }
}

impl FormFields {
    /// Creates form fields from names and values.
    pub const fn new(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// Parses the body of a form.
    pub(super) fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// All fields as they were submitted.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first value of a field; empty if the field is missing.
    pub fn first(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// All values of a field.
    pub fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect()
    }

    /// The one-time code, without blanks that people type.
    pub(super) fn code(&self) -> String {
        self.first("code").chars().filter(|character| !character.is_whitespace()).collect()
    }
}
