//! The pages of the login. They need no script.

use super::door::{StaffDoor, StaffMethod, address, only_cookie};
use super::visit::StaffVisit;
use crate::page::{PageFrame, send_page};
use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, RawForm, State};
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, LOCATION, REFRESH, SET_COOKIE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use lombard_auth::authorisation::journey::BrowserSecret;
use lombard_auth::staff::{CountedStaffAttempt, StaffForms, login_secrets};
use lombard_domain::audit::AuditAction;
use lombard_domain::code::StoredCode;
use lombard_domain::staff::{StaffAct, StaffMember};
use lombard_edge::routing::{get, post};
use lombard_jose::secrets_are_equal;
use lombard_ports::identity::{LoginFailure, ProviderAnswer};
use serde::Deserialize;
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr};

/// The path below the listener's address to which the identity provider sends browsers back.
pub const CALLBACK_PATH: &str = "/login/callback";

/// The most bytes of a form.
const FORM_BYTES_MAX: usize = 8 * 1024;

/// The seconds for which a browser may take to log in.
const LOGIN_SECS: u32 = 600;

/// The way to log in that the login page offers.
enum LoginForm {
    /// User name and password, with this form token.
    Password(String),
    /// The identity provider, at this address.
    Provider(String),
    /// A certificate, which the browser has not shown.
    Certificate,
    /// The identity provider does not answer.
    Unavailable,
}

#[derive(Template)]
#[template(path = "ops/login.html")]
struct LoginPage<'a> {
    frame: PageFrame<'a>,
    form: LoginForm,
    notice: Option<String>,
}

#[derive(Template)]
#[template(path = "ops/logged_in.html")]
struct LoggedInPage<'a> {
    frame: PageFrame<'a>,
}

/// The routes of the login.
pub(crate) fn routes(door: StaffDoor) -> Router {
    Router::new()
        .route("/login", get(show_login).merge(post(log_in)))
        .route(CALLBACK_PATH, get(finish_login))
        .route("/logout", post(log_out))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
        .with_state(door)
}

/// The sentence for a program that shows nothing by which staff are identified.
pub(super) const fn how_to_identify(method: &StaffMethod) -> &'static str {
    match method {
        StaffMethod::Password(_) => {
            "say who you are: send Authorization: Bearer with the token of operator.json in the data folder"
        }
        StaffMethod::Certificate => {
            "say who you are: connect with a certificate of an authority in ops.staff_ca_file (commands take yours from \
             ops.command_certificate_file and ops.command_key_file)"
        }
        StaffMethod::Provider(_) => {
            "say who you are: send Authorization: Bearer with an access token of the provider in ops.issuer (commands \
             take it from ops.command_token_file)"
        }
    }
}

/// The cookie of a browser whose secret is new. Only pages set one: programs keep no cookies.
pub(super) fn cookie_of_new_browser(door: &StaffDoor, visit: &StaffVisit, method: &Method) -> Option<HeaderValue> {
    let browser = visit.forms.as_ref().filter(|_| visit.is_new_browser && method == Method::GET)?.browser();
    session_cookie(door, &browser.cookie())
}

async fn show_login(State(door): State<StaffDoor>, headers: HeaderMap) -> Response {
    login_page(&door, &headers, StatusCode::OK, None).await
}

/// The login page, with a notice about what went wrong.
pub(super) async fn login_page(
    door: &StaffDoor,
    headers: &HeaderMap,
    status: StatusCode,
    notice: Option<String>,
) -> Response {
    let known = login_browser(door, headers);
    let browser = known.clone().unwrap_or_else(|| door.sessions().new_browser());
    let form = match door.method() {
        StaffMethod::Password(_) => {
            LoginForm::Password(StaffForms::of_login(browser.clone()).form_token(door.sessions().ids_and_now()))
        }
        StaffMethod::Certificate => LoginForm::Certificate,
        StaffMethod::Provider(provider) => match provider.authorisation_url(&login_secrets(&browser)).await {
            Ok(address) => LoginForm::Provider(address),
            Err(error) => {
                log_failure(&error);
                LoginForm::Unavailable
            }
        },
    };
    let needs_cookie = !matches!(form, LoginForm::Certificate | LoginForm::Unavailable);
    let mut response = send_page(status, &LoginPage { frame: door.page_frame(), form, notice });
    if needs_cookie && let Some(cookie) = login_cookie(door, &browser.cookie(), LOGIN_SECS) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

async fn log_in(State(door): State<StaffDoor>, parts: Parts, RawForm(body): RawForm) -> Response {
    let headers = &parts.headers;
    let from = address(&parts).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let StaffMethod::Password(operator) = door.method() else {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    };
    let fields: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let now = door.sessions().ids_and_now().1;
    let browser = login_browser(&door, headers);
    let is_own =
        |browser: &BrowserSecret| StaffForms::of_login(browser.clone()).owns_form(first(&fields, "form_token"), now);
    let Some(browser) = browser.filter(is_own) else {
        let notice = "This page was shown too long ago, or to another browser. Log in again.".to_owned();
        return login_page(&door, headers, StatusCode::FORBIDDEN, Some(notice)).await;
    };
    let counted = match door.sessions().count_attempt(first(&fields, "user"), from).await {
        Ok(Ok(counted)) => counted,
        Ok(Err(throttled)) => {
            let secs = throttled.until.duration_since(now).as_secs().max(1);
            tracing::info!(security.refusal = "throttled", from = %from, "staff login throttled");
            let notice = format!("There were too many wrong passwords. Try again in {} minutes.", secs / 60 + 1);
            return login_page(&door, headers, StatusCode::TOO_MANY_REQUESTS, Some(notice)).await;
        }
        Err(error) => return unavailable(&error),
    };
    let Some(member) = operator.check_password(first(&fields, "user"), first(&fields, "password")) else {
        tracing::info!(security.refusal = "staff-identity", from = %from, "a staff login failed");
        metrics::counter!("lombard_staff_refusals_total").increment(1);
        let notice = "User name or password is wrong.".to_owned();
        return login_page(&door, headers, StatusCode::UNAUTHORIZED, Some(notice)).await;
    };
    let former = door.browser(headers).unwrap_or(browser);
    match open_session(&door, &former, member, from, Some(counted)).await {
        Ok(cookies) => with_cookies(redirect("/"), cookies),
        Err(response) => *response,
    }
}

/// The parameters with which a browser returns from the identity provider.
#[derive(Deserialize)]
struct CallbackParameters {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

async fn finish_login(
    State(door): State<StaffDoor>,
    Query(parameters): Query<CallbackParameters>,
    parts: Parts,
) -> Response {
    let headers = &parts.headers;
    let StaffMethod::Provider(provider) = door.method() else { return StatusCode::NOT_FOUND.into_response() };
    let from = address(&parts).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let CallbackParameters { state, code, error, iss } = parameters;
    let browser = login_browser(&door, headers);
    let state = state.unwrap_or_default();
    let is_own = |browser: &BrowserSecret| secrets_are_equal(login_secrets(browser).state.as_bytes(), state.as_bytes());
    let Some(browser) = browser.filter(is_own) else {
        let notice = "This login began in another browser, or too long ago. Log in again.".to_owned();
        return login_page(&door, headers, StatusCode::FORBIDDEN, Some(notice)).await;
    };
    let answer = ProviderAnswer { code, error, issuer: iss };
    let member = match provider.finish_login(&login_secrets(&browser), &answer).await {
        Ok(member) => member,
        Err(LoginFailure::Unavailable(error)) => {
            log_failure(&error);
            let notice = "The identity provider does not answer now. Try again in a minute.".to_owned();
            return login_page(&door, headers, StatusCode::SERVICE_UNAVAILABLE, Some(notice)).await;
        }
        Err(LoginFailure::Cancelled) => {
            let notice = "The login was cancelled.".to_owned();
            return login_page(&door, headers, StatusCode::UNAUTHORIZED, Some(notice)).await;
        }
        Err(LoginFailure::Refused(reason)) => {
            tracing::info!(security.refusal = "staff-identity", from = %from, reason, "a staff login was refused");
            metrics::counter!("lombard_staff_refusals_total").increment(1);
            let notice = format!("The login is refused: {reason}.");
            return login_page(&door, headers, StatusCode::UNAUTHORIZED, Some(notice)).await;
        }
    };
    let former = door.browser(headers).unwrap_or(browser);
    match open_session(&door, &former, member, from, None).await {
        Ok(cookies) => {
            // A redirect would still belong to the navigation from the provider, with which browsers send no cookie of the session.
            let mut response = send_page(StatusCode::OK, &LoggedInPage { frame: door.page_frame() });
            response.headers_mut().insert(REFRESH, HeaderValue::from_static("0;url=/"));
            with_cookies(response, cookies)
        }
        Err(response) => *response,
    }
}

/// Opens a session, and returns the cookies that the browser gets.
async fn open_session(
    door: &StaffDoor,
    former: &BrowserSecret,
    member: StaffMember,
    from: IpAddr,
    counted: Option<CountedStaffAttempt>,
) -> Result<[Option<HeaderValue>; 2], Box<Response>> {
    let act = StaffAct { member, from: from.to_string(), reason: None, interaction_id: None };
    let opened = door.sessions().open_session(former, &act, counted).await;
    let browser = opened.map_err(|error| Box::new(unavailable(&error)))?;
    tracing::info!(
        audit.action = AuditAction::StaffLogin.code(),
        audit.actor = act.member.name.as_str(),
        audit.role = act.member.role.name(),
        audit.from = act.from.as_str(),
        "a staff member logged in"
    );
    Ok([session_cookie(door, &browser.cookie()), login_cookie(door, "", 0)])
}

async fn log_out(State(door): State<StaffDoor>, visit: StaffVisit, RawForm(body): RawForm) -> Response {
    let fields: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    if !visit.owns_form(first(&fields, "form_token")) {
        return (StatusCode::FORBIDDEN, "This page was shown too long ago. Go back and load it again.\n")
            .into_response();
    }
    if let Some(forms) = visit.forms.as_ref().filter(|_| visit.by_cookie) {
        if let Err(error) = door.sessions().close_session(forms.browser(), &visit.act(None)).await {
            return unavailable(&error);
        }
        tracing::info!(
            audit.action = AuditAction::StaffLogout.code(),
            audit.actor = visit.member.name.as_str(),
            "a staff member logged out"
        );
    }
    with_cookies(
        redirect("/login"),
        [cookie(door.is_secure(), StaffDoor::session_cookie(door.is_secure()), "", "Strict", Some(0))],
    )
}

/// The secret of a browser that is about to log in.
fn login_browser(door: &StaffDoor, headers: &HeaderMap) -> Option<BrowserSecret> {
    only_cookie(headers, login_cookie_name(door)).and_then(BrowserSecret::from_cookie)
}

fn login_cookie_name(door: &StaffDoor) -> &'static str {
    if door.is_secure() { "__Host-lombard-staff-login" } else { "lombard-staff-login" }
}

/// The cookie of a login that is in progress. Browsers must send it when they return from the provider, which is another site.
fn login_cookie(door: &StaffDoor, value: &str, secs: u32) -> Option<HeaderValue> {
    let same_site = if matches!(door.method(), StaffMethod::Provider(_)) { "Lax" } else { "Strict" };
    cookie(door.is_secure(), login_cookie_name(door), value, same_site, Some(secs))
}

/// The cookie of a session, which the browser deletes when it is closed.
fn session_cookie(door: &StaffDoor, value: &str) -> Option<HeaderValue> {
    cookie(door.is_secure(), StaffDoor::session_cookie(door.is_secure()), value, "Strict", None)
}

fn cookie(is_secure: bool, name: &str, value: &str, same_site: &str, secs: Option<u32>) -> Option<HeaderValue> {
    let secure = if is_secure { " Secure;" } else { "" };
    let age = secs.map(|secs| format!(" Max-Age={secs};")).unwrap_or_default();
    let text = format!("{name}={value}; Path=/;{age}{secure} HttpOnly; SameSite={same_site}");
    HeaderValue::try_from(text).ok()
}

fn with_cookies(mut response: Response, cookies: impl IntoIterator<Item = Option<HeaderValue>>) -> Response {
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn redirect(path: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, path), (CACHE_CONTROL, "no-store")]).into_response()
}

fn first<'f>(fields: &'f [(String, String)], name: &str) -> &'f str {
    fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

fn log_failure(error: &(dyn Error + 'static)) {
    tracing::error!(error, "the identity provider of staff cannot be used");
}

fn unavailable(error: &(dyn Error + 'static)) -> Response {
    tracing::error!(error, "a staff session cannot be stored or read");
    (StatusCode::SERVICE_UNAVAILABLE, "The login cannot be stored now; the server's log says why.\n").into_response()
}
