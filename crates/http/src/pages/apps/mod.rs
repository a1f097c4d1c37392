//! `/apps`: what the PSU has connected, and ending it; payments that wait for the PSU. Source: AS-134, PIS-112.
//!
//! The addresses of these pages name a consent or an order and nothing else; whose it is and what may be done is decided in
//! `lombard-auth`, from the session.

mod payments;
mod show;

#[cfg(test)]
pub(super) use payments::{CodeWords, Outcome, PaymentPage, WaitingWords};
#[cfg(test)]
pub(super) use show::{AppPage, AppWords, AppsPage, CodePage, LoginPage, StopPage};

use super::form::{self, FORM_BYTES_MAX, Fields, Form};
use super::problem;
use super::reply::{Cookie, to_page};
use crate::App;
use crate::listener::Peer;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use http::{HeaderMap, Method};
use lombard_auth::authorisation::journey::Browser;
use lombard_auth::error::OAuthError;
use lombard_auth::sessions::payments::Payment;
use lombard_auth::sessions::{self, Customer, Halt, LoggedOut, Notice, Step, View, apps};
use lombard_auth::submission::Submitted;
use lombard_domain::ids::{ConsentId, FapiInteractionId};

/// Where they begin.
const HOME: &str = "/apps";

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(HOME, get(home))
        .route("/apps/login", get(to_home).post(login))
        .route("/apps/code", get(to_home).post(code))
        .route("/apps/logout", get(to_home).post(log_out))
        .route("/apps/payments/{id}", get(payments::one).post(payments::say))
        .route("/apps/{id}", get(one))
        .route("/apps/{id}/stop", get(confirm).post(stop))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// Where a form's address leads when it is opened instead of submitted.
async fn to_home(State(app): State<App>) -> Response {
    to_page(&app, &Method::GET, HOME, None)
}

async fn home(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    headers: HeaderMap,
) -> Response {
    match customer(&app, &reference, &headers, None).await {
        Err(answered) => *answered,
        Ok(customer) => match listed(&app, &customer).await {
            Ok((connected, waiting)) => show::list(&app, &customer, &connected, &waiting),
            Err(error) => failed(&app, &error, &reference),
        },
    }
}

async fn listed(app: &App, customer: &Customer) -> Result<(Vec<apps::App>, Vec<Payment>), OAuthError> {
    let connected = apps::connected(&app.auth, &customer.psu).await?;
    Ok((connected, lombard_auth::sessions::payments::waiting(&app.auth, customer).await?))
}

async fn login(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let step = sessions::login(&app.auth, &submission, fields.first("name"), fields.first("password")).await;
    follow(&app, &reference, &headers, step).await
}

async fn code(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let step = sessions::second_factor(&app.auth, &submission, &fields.code()).await;
    follow(&app, &reference, &headers, step).await
}

async fn log_out(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let submission = match submitted(&app, peer, &headers, form) {
        Ok((_, submission)) => submission,
        Err(refused) => return *refused,
    };
    match sessions::log_out(&app.auth, &submission).await {
        Ok(()) => to_page(&app, &Method::POST, HOME, Cookie::session_gone()),
        Err(halt) => halted(&app, &reference, halt),
    }
}

async fn one(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Path(id): Path<ConsentId>,
    headers: HeaderMap,
) -> Response {
    shown(&app, &reference, &id, &headers, show::one).await
}

async fn confirm(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Path(id): Path<ConsentId>,
    headers: HeaderMap,
) -> Response {
    shown(&app, &reference, &id, &headers, show::confirm).await
}

async fn stop(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<ConsentId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let submission = match submitted(&app, peer, &headers, form) {
        Ok((_, submission)) => submission,
        Err(refused) => return *refused,
    };
    match apps::stop(&app.auth, &submission, &id).await {
        Ok(true) => to_page(&app, &Method::POST, &path_of(&id), None),
        Ok(false) => problem::nothing_here(&app),
        // An old page: show the question again, with what is true now.
        Err(Halt::Stale) => to_page(&app, &Method::POST, &format!("{}/stop", path_of(&id)), None),
        Err(halt) => halted(&app, &reference, halt),
    }
}

fn path_of(id: &ConsentId) -> String {
    format!("{HOME}/{id}")
}

/// A page about one consent of the PSU. Another's and none look alike.
async fn shown(
    app: &App,
    reference: &FapiInteractionId,
    id: &ConsentId,
    headers: &HeaderMap,
    page: fn(&App, &Customer, apps::App) -> Response,
) -> Response {
    let customer = match customer(app, reference, headers, None).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    match apps::one(&app.auth, &customer.psu, id).await {
        Ok(Some(found)) => page(app, &customer, found),
        Ok(None) => problem::nothing_here(app),
        Err(error) => failed(app, &error, reference),
    }
}

/// Forms are always answered with a redirect when something changed. Source: AS-144.
async fn follow(app: &App, reference: &FapiInteractionId, headers: &HeaderMap, step: Result<Step, Halt>) -> Response {
    match step {
        Ok(Step::Onward(browser)) => to_page(app, &Method::POST, HOME, Cookie::session(&browser.cookie())),
        Ok(Step::Again(notice)) => match customer(app, reference, headers, Some(notice)).await {
            Ok(_) => to_page(app, &Method::POST, HOME, None),
            Err(answered) => *answered,
        },
        Err(halt) => halted(app, reference, halt),
    }
}

/// The PSU who is logged in; otherwise the page to log in with, at whatever address was asked for.
async fn customer(
    app: &App,
    reference: &FapiInteractionId,
    headers: &HeaderMap,
    notice: Option<Notice>,
) -> Result<Customer, Box<Response>> {
    let known = form::browser(headers, Cookie::SESSION);
    let is_new = known.is_none();
    let browser: Browser = known.unwrap_or_else(|| sessions::newcomer(&app.auth));
    let mut response = match sessions::view(&app.auth, &browser).await {
        Ok(View::Open(customer)) => return Ok(customer),
        Ok(View::Login { form_token, shown }) => show::login(app, form_token, shown, notice),
        Ok(View::SecondFactor { form_token, challenge }) => show::code(app, form_token, challenge, notice),
        Err(halt) => halted(app, reference, halt),
    };
    if is_new && let Some(cookie) = Cookie::session(&browser.cookie()) {
        cookie.set_on(&mut response);
    }
    Err(Box::new(response))
}

fn halted(app: &App, reference: &FapiInteractionId, halt: Halt) -> Response {
    match halt {
        Halt::Lost(LoggedOut) | Halt::Stale => to_page(app, &Method::POST, HOME, None),
        Halt::Throttled(throttled) => problem::throttled(app, &throttled, HOME, None),
        Halt::Failed(error) => failed(app, &error, reference),
    }
}

fn failed(app: &App, error: &OAuthError, reference: &FapiInteractionId) -> Response {
    problem::failure(app, error, reference, Some(HOME))
}

/// A readable form from a browser that has a secret; whether it is worth anything is for the session.
fn submitted(app: &App, peer: Peer, headers: &HeaderMap, form: Form) -> Result<(Fields, Submitted), Box<Response>> {
    let (fields, page) = form::submitted(app, peer, headers, form, Cookie::SESSION)?;
    Ok((fields, page.ok_or_else(|| to_page(app, &Method::POST, HOME, None))?))
}
