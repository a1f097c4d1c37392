//! Sends pages and redirects, with headers that prevent framing, content sniffing, storing and leaks.

use super::text::legible_page;
use askama::Template;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE,
    STRICT_TRANSPORT_SECURITY, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use lombard_auth::authorisation::Redirect;
use lombard_auth::devices::DeviceCookie;
use lombard_domain::ids::JourneyId;
use lombard_edge::App;
use url::Url;

/// The header that marks a decision made without a person. Source: AS-170.
const HEADLESS: HeaderName = HeaderName::from_static("x-headless-consent");

/// The content security policy of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePolicy {
    /// The origins to which forms may be redirected, besides this server.
    form_targets: Vec<String>,
    /// Whether the page loads a script of this server.
    scripts: bool,
    /// Whether that script may send requests to this server.
    connects: bool,
}

impl PagePolicy {
    /// The policy of a page without scripts, whose forms stay on this server.
    pub fn plain() -> Self {
        Self::default()
    }

    /// The policy of a page whose forms may be redirected to this verified redirect URI, because browsers apply `form-action` also to the
    /// redirect after a form. Source: AS-140.
    pub(super) fn leading_to(redirect_uri: &str) -> Self {
        Self::plain().and_to(redirect_uri)
    }

    /// Allows forms to be redirected to this URL too.
    pub(super) fn and_to(mut self, address: &str) -> Self {
        self.form_targets.extend(Url::parse(address).ok().map(|uri| source_of(&uri)));
        self
    }

    /// Allows a script of this server.
    pub(super) fn and_script(self) -> Self {
        Self { scripts: true, ..self }
    }

    /// The policy of a page with a script that may send requests to this server.
    pub(super) fn with_script() -> Self {
        Self { form_targets: Vec::new(), scripts: true, connects: true }
    }

    fn text(&self) -> String {
        let mut form_action = "'self'".to_owned();
        for target in &self.form_targets {
            form_action = format!("{form_action} {target}");
        }
        let script_src = if self.scripts { "script-src 'self'; " } else { "" };
        let connect_src = if self.connects { "connect-src 'self'; " } else { "" };
        format!(
            "default-src 'none'; {script_src}{connect_src}style-src 'self'; img-src 'self'; form-action {form_action}; \
             base-uri 'none'; frame-ancestors 'none'"
        )
    }
}

/// The source expression for a URL: its origin, or only the scheme for an application's own scheme.
fn source_of(uri: &Url) -> String {
    let origin = uri.origin();
    if origin.is_tuple() { origin.ascii_serialization() } else { format!("{}:", uri.scheme()) }
}

/// Sends a rendered page.
pub fn send_page(app: &App, status: StatusCode, template: &impl Template, policy: &PagePolicy) -> Response {
    let html = match template.render() {
        // No text of any origin may contain invisible characters, or characters that reorder the text around them (AS-142).
        Ok(html) => legible_page(&html).into_owned(),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "a page could not be rendered");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    protect(app, headers);
    match HeaderValue::try_from(policy.text()) {
        Ok(policy) => {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
            response
        }
        // A parsed URL always gives a valid header; a page must not be sent without its policy.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Adds the headers that protect a response. Source: AS-140.
fn protect(app: &App, headers: &mut HeaderMap) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // On `localhost`, the header would force TLS on every other port of a developer's machine.
    if !app.settings.sandbox {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

/// A cookie to set or to delete.
#[derive(Debug)]
pub struct Cookie(HeaderValue);

/// The number of seconds for which a browser keeps a journey's cookie. It exceeds the lifetime of a journey, so that a late customer learns
/// that the journey expired. The server decides whether the cookie is still valid.
const COOKIE_SECS: u32 = 3_600;

/// The lifetime of the cookie of known devices, which is the longest that browsers allow.
const DEVICES_AGE: &str = " Max-Age=34560000;";

impl Cookie {
    /// The cookie of a journey. Source: AS-141.
    pub(super) fn of(journey: &JourneyId, value: &str) -> Option<Self> {
        Self::with(journey, value, COOKIE_SECS)
    }

    /// Deletes the cookie of a journey.
    pub(super) fn delete_journey(journey: &JourneyId) -> Option<Self> {
        Self::with(journey, "", 0)
    }

    /// The name of a journey's cookie. Each journey has its own name, so that a browser can have several journeys.
    pub(super) fn name(journey: &JourneyId) -> String {
        format!("__Host-journey-{journey}")
    }

    /// The cookie of a session at the bank, which the browser deletes when it is closed. Source: AS-141.
    pub(super) fn session(value: &str) -> Option<Self> {
        Self::written(Self::SESSION, value, "")
    }

    /// Deletes the cookie of a session.
    pub(super) fn session_gone() -> Option<Self> {
        Self::written(Self::SESSION, "", " Max-Age=0;")
    }

    /// The cookie by which a browser is known for customers who logged in with it; `None` if there are none. The server decides how long
    /// the cookie is valid. Source: AS-143.
    pub(super) fn devices(kept: &DeviceCookie) -> Option<Self> {
        let value = kept.to_cookie_value();
        if value.is_empty() { None } else { Self::written(Self::DEVICES, &value, DEVICES_AGE) }
    }

    /// The cookie of a developer at the portal, which the browser deletes when it is closed.
    pub fn portal(value: &str) -> Option<Self> {
        Self::written(Self::PORTAL, value, "")
    }

    /// Deletes the cookie of a developer.
    pub fn portal_gone() -> Option<Self> {
        Self::written(Self::PORTAL, "", " Max-Age=0;")
    }

    /// The name of the cookie of a developer.
    pub const PORTAL: &str = "__Host-portal";

    /// The name of the cookie of known devices.
    pub(super) const DEVICES: &str = "__Host-devices";

    /// The name of a session's cookie.
    pub(super) const SESSION: &str = "__Host-session";

    fn with(journey: &JourneyId, value: &str, secs: u32) -> Option<Self> {
        Self::written(&Self::name(journey), value, &format!(" Max-Age={secs};"))
    }

    fn written(name: &str, value: &str, age: &str) -> Option<Self> {
        let cookie = format!("{name}={value}; Path=/;{age} Secure; HttpOnly; SameSite=Lax");
        HeaderValue::try_from(cookie).ok().map(Self)
    }

    /// Adds the cookie to a response.
    pub fn set_on(self, response: &mut Response) {
        response.headers_mut().append(SET_COOKIE, self.0);
    }
}

/// Redirects to a page of this server after a login that the browser will remember.
pub(super) fn to_page_logged_in(app: &App, path: &str, cookie: Option<Cookie>, devices: &DeviceCookie) -> Response {
    let mut response = redirect_to_page(app, &Method::POST, path, cookie);
    if let Some(cookie) = Cookie::devices(devices) {
        cookie.set_on(&mut response);
    }
    response
}

/// Redirects to the bank's identity provider.
pub(super) fn to_provider(app: &App, location: &str) -> Response {
    redirect(app, &Method::POST, location, None)
}

/// Redirects to a page of this server.
pub fn redirect_to_page(app: &App, method: &Method, path: &str, cookie: Option<Cookie>) -> Response {
    redirect(app, method, path, cookie)
}

/// Redirects to the client.
pub(crate) fn redirect_to_client(app: &App, method: &Method, to: &Redirect, cookie: Option<Cookie>) -> Response {
    let mut response = redirect(app, method, &to.location, cookie);
    if to.headless {
        response.headers_mut().insert(HEADLESS, HeaderValue::from_static("1"));
    }
    response
}

/// Redirects with 302 after a GET, and with 303 after a form. Source: AS-087.
fn redirect(app: &App, method: &Method, location: &str, cookie: Option<Cookie>) -> Response {
    let status = if method == Method::POST { StatusCode::SEE_OTHER } else { StatusCode::FOUND };
    let Ok(location) = HeaderValue::try_from(location) else {
        tracing::error!("a redirect URI cannot stand in a header");
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    if let Some(Cookie(cookie)) = cookie {
        headers.insert(SET_COOKIE, cookie);
    }
    protect(app, headers);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_140_form_action_contains_only_the_origin_of_the_redirect_uri() {
        let of = |uri: &str| PagePolicy::leading_to(uri).text();
        assert!(of("https://tpp.test:8445/cb?x=1;script-src *").contains("form-action 'self' https://tpp.test:8445;"));
        assert!(of("com.tpp.app:/callback").contains("form-action 'self' com.tpp.app:;"));
        assert!(of("not an address").contains("form-action 'self';"));
    }

    #[test]
    fn as_140_no_page_allows_inline_script_or_framing() {
        for policy in [PagePolicy::plain(), PagePolicy::with_script(), PagePolicy::leading_to("https://tpp.test/cb")] {
            let text = policy.text();
            assert!(text.contains("default-src 'none'") && text.contains("frame-ancestors 'none'"), "{text}");
            assert!(!text.contains("unsafe") && !text.contains('*'), "{text}");
        }
    }
}
