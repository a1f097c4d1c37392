//! The responses of pages and redirects, with the headers that keep them from being framed, sniffed, stored or leaked.

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

/// Announces a decision made without a person. Source: AS-170.
const HEADLESS: HeaderName = HeaderName::from_static("x-headless-consent");

/// What a page may do beyond showing itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePolicy {
    /// Where its forms may lead besides here, through a redirect.
    form_targets: Vec<String>,
    /// Whether it loads a script of ours.
    scripts: bool,
    /// Whether that script may ask us.
    connects: bool,
}

impl PagePolicy {
    /// Shows, and posts to us.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Its forms may end at this verified redirect URI: browsers apply `form-action` to the redirect after the form.
    /// Source: AS-140.
    pub(super) fn leading_to(redirect_uri: &str) -> Self {
        Self::plain().and_to(redirect_uri)
    }

    /// Its forms may also end here.
    pub(super) fn and_to(mut self, address: &str) -> Self {
        self.form_targets.extend(Url::parse(address).ok().map(|uri| source_of(&uri)));
        self
    }

    /// Also loads a script of ours.
    pub(super) fn and_script(self) -> Self {
        Self { scripts: true, ..self }
    }

    /// Loads a script of ours, which may ask us.
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

/// The source expression of an address: its origin, or for an application's own scheme the scheme.
fn source_of(uri: &Url) -> String {
    let origin = uri.origin();
    if origin.is_tuple() { origin.ascii_serialization() } else { format!("{}:", uri.scheme()) }
}

/// A rendered page.
pub fn page(app: &App, status: StatusCode, template: &impl Template, policy: &PagePolicy) -> Response {
    let html = match template.render() {
        // Whoever wrote a text, no page shows characters that show nothing or reorder what stands around them (AS-142).
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
        // Cannot happen with a parsed address; a page without its policy must not leave.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Source: AS-140.
fn protect(app: &App, headers: &mut HeaderMap) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // On localhost it would force TLS on every other port of a developer's machine.
    if !app.settings.sandbox {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

/// A cookie to set or to take back.
#[derive(Debug)]
pub struct Cookie(HeaderValue);

/// How long a browser keeps a journey's cookie, seconds: longer than the journey lives, so that a late visitor is told
/// that it expired. The server decides what it is worth.
const COOKIE_SECS: u32 = 3_600;

/// How long a browser keeps the cookie of known devices: as long as browsers keep any.
const DEVICES_AGE: &str = " Max-Age=34560000;";

impl Cookie {
    /// The cookie of a journey. Source: AS-141.
    pub(super) fn of(journey: &JourneyId, value: &str) -> Option<Self> {
        Self::with(journey, value, COOKIE_SECS)
    }

    /// Takes the cookie of a journey back.
    pub(super) fn gone(journey: &JourneyId) -> Option<Self> {
        Self::with(journey, "", 0)
    }

    /// Its name: one per journey, so that two can go on in one browser.
    pub(super) fn name(journey: &JourneyId) -> String {
        format!("__Host-journey-{journey}")
    }

    /// The cookie of a session at the bank: the browser forgets it when it is closed. Source: AS-141.
    pub(super) fn session(value: &str) -> Option<Self> {
        Self::written(Self::SESSION, value, "")
    }

    /// Takes the cookie of a session back.
    pub(super) fn session_gone() -> Option<Self> {
        Self::written(Self::SESSION, "", " Max-Age=0;")
    }

    /// The cookie by which a browser is known for those who logged in with it; `None` if it is known for nobody. The
    /// server decides how long it is worth something. Source: AS-143.
    pub(super) fn devices(kept: &DeviceCookie) -> Option<Self> {
        let value = kept.to_cookie_value();
        if value.is_empty() { None } else { Self::written(Self::DEVICES, &value, DEVICES_AGE) }
    }

    /// The cookie of a developer at the portal: the browser forgets it when it is closed.
    pub fn portal(value: &str) -> Option<Self> {
        Self::written(Self::PORTAL, value, "")
    }

    /// Takes the cookie of a developer back.
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

    /// Adds it to an answer.
    pub fn set_on(self, response: &mut Response) {
        response.headers_mut().append(SET_COOKIE, self.0);
    }
}

/// On to another page of ours, after a login that the browser is to remember.
pub(super) fn to_page_logged_in(app: &App, path: &str, cookie: Option<Cookie>, devices: &DeviceCookie) -> Response {
    let mut response = to_page(app, &Method::POST, path, cookie);
    if let Some(cookie) = Cookie::devices(devices) {
        cookie.set_on(&mut response);
    }
    response
}

/// On to the bank's identity provider.
pub(super) fn to_provider(app: &App, location: &str) -> Response {
    redirect(app, &Method::POST, location, None)
}

/// On to another page of ours.
pub fn to_page(app: &App, method: &Method, path: &str, cookie: Option<Cookie>) -> Response {
    redirect(app, method, path, cookie)
}

/// Back to the client.
pub(crate) fn redirect_to_client(app: &App, method: &Method, to: &Redirect, cookie: Option<Cookie>) -> Response {
    let mut response = redirect(app, method, &to.location, cookie);
    if to.headless {
        response.headers_mut().insert(HEADLESS, HeaderValue::from_static("1"));
    }
    response
}

/// 302 when answering a GET, 303 after a form. Source: AS-087.
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
