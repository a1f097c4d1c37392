//! `/apps`: the PSU's connected applications, which the PSU can disconnect, and the payments and requests that wait for the PSU. Source:
//! AS-134, PIS-112, AS-160.
//!
//! The URLs of these pages contain only the id of a consent or an order. `lombard-auth` decides from the session to whom it belongs and
//! what the PSU may do.

mod login;
mod past_payment;
mod path;
mod payments;
mod pending_payment;
mod requests;
mod session;
mod show;

#[cfg(test)]
pub(super) use login::{AppsLoginPage, AppsProviderLoginPage, CodePage};
#[cfg(test)]
pub(super) use past_payment::PaidView;
#[cfg(test)]
pub(super) use payments::{ApprovalView, CodeView, PaymentsPage, PendingPaymentPage};
#[cfg(test)]
pub(super) use pending_payment::{ApprovalOutcome, PendingPaymentView};
#[cfg(test)]
pub(super) use requests::{RequestPage, RequestView, RequestsPage};
#[cfg(test)]
pub(super) use show::{AppPage, AppView, AppsPage, ConnectionDetails, StopPage};

use super::form::{FORM_BYTES_MAX, PageRequest};
use super::problem;
use super::reply::{Cookie, redirect_to_page, to_page_logged_in, to_provider};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::Response;
use http::Method;
use lombard_auth::error::OAuthError;
use lombard_auth::sessions::{self, LoggedInPsu, LoginStep, SessionError, apps};
use lombard_domain::ids::ConsentId;
use lombard_edge::App;
use lombard_edge::routing::{get, post};
pub(super) use path::AppsPath;
use path::HOME;
pub(super) use payments::follow_decision;

use session::{AppsFormSubmission, customer, failed, found_or_not, logged_in, respond_error};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(HOME, get(home))
        .route("/apps/login", get(to_home).merge(post(login)))
        .route("/apps/code", get(to_home).merge(post(code)))
        .route("/apps/logout", get(to_home).merge(post(log_out)))
        .route("/apps/payments", get(payments::list))
        .route("/apps/payments/{id}", get(payments::one).merge(post(payments::decide)))
        .route("/apps/payments/{id}/file", get(payments::file))
        .route("/apps/requests", get(requests::list).merge(post(requests::open_by_code)))
        .route("/apps/requests/{id}", get(requests::one).merge(post(requests::open_listed)))
        .route("/apps/{id}", get(one))
        .route("/apps/{id}/stop", get(confirm).merge(post(stop)))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// Redirects to the first page if the URL of a form is opened with GET.
async fn to_home(State(app): State<App>) -> Response {
    redirect_to_page(&app, &Method::GET, HOME, None)
}

async fn home(visit: PageRequest) -> Response {
    let customer = match customer(&visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let app = &visit.app;
    let connected = apps::list_connected_apps(&app.auth, &customer.psu).await;
    let waiting = lombard_auth::sessions::payments::list_pending_payments(&app.auth, &customer).await;
    let paid = apps::list_past_payments(&app.auth, &customer.psu).await;
    let asked = lombard_auth::sessions::requests::list_customer_requests(&app.auth, &customer).await;
    let asked = listed(&visit, asked).map_or(0, |requests| requests.len());
    // One list is shown even if the other is not available, because a customer must be able to end existing access.
    match (connected, waiting) {
        (Err(error), Err(_)) => failed(&visit, &error),
        (connected, waiting) => {
            let connected = listed(&visit, connected);
            let waiting = listed(&visit, waiting);
            let paid = listed(&visit, paid).unwrap_or_default();
            show::list(app, &customer, connected.as_deref(), waiting.as_deref(), (&paid, asked))
        }
    }
}

/// Returns a list, or `None` if it is not available; the failure is logged.
fn listed<T>(visit: &PageRequest, found: Result<Vec<T>, OAuthError>) -> Option<Vec<T>> {
    let tell = |error: &OAuthError| {
        let id = visit.reference.as_str();
        tracing::error!(interaction.id = id, error = error as &dyn std::error::Error, "a list could not be shown");
    };
    found.inspect_err(tell).ok()
}

async fn login(form: AppsFormSubmission) -> Response {
    if let Err(answered) = form.count_provider_login() {
        return *answered;
    }
    let name = form.fields.first("name");
    let password = form.fields.first("password");
    let wanted = AppsPath::read(form.fields.first("to"));
    let step =
        sessions::submit_session_login(&form.visit.auth(), &form.submission, name, password, wanted.path()).await;
    follow(&form.visit, &Method::POST, &wanted, step).await
}

async fn code(form: AppsFormSubmission) -> Response {
    let step = sessions::submit_session_code(&form.visit.auth(), &form.submission, &form.fields.code()).await;
    follow(&form.visit, &Method::POST, &AppsPath::read(form.fields.first("to")), step).await
}

async fn log_out(form: AppsFormSubmission) -> Response {
    match sessions::log_out(&form.visit.auth(), &form.submission).await {
        Ok(()) => redirect_to_page(&form.visit.app, &Method::POST, HOME, Cookie::session_gone()),
        Err(error) => respond_error(&form.visit, error),
    }
}

async fn one(Path(id): Path<ConsentId>, visit: PageRequest) -> Response {
    shown(&visit, &id, show::one).await
}

async fn confirm(Path(id): Path<ConsentId>, visit: PageRequest) -> Response {
    shown(&visit, &id, show::confirm).await
}

async fn stop(Path(id): Path<ConsentId>, form: AppsFormSubmission) -> Response {
    let app = &form.visit.app;
    match apps::end_connected_app(&form.visit.auth(), &form.submission, &id).await {
        Ok(true) => redirect_to_page(app, &Method::POST, &path_of(&id), None),
        Ok(false) => problem::not_found(app),
        // The page was out of date: the question is shown again with the present state.
        Err(SessionError::Stale) => redirect_to_page(app, &Method::POST, &format!("{}/stop", path_of(&id)), None),
        Err(error) => respond_error(&form.visit, error),
    }
}

fn path_of(id: &ConsentId) -> String {
    format!("{HOME}/{id}")
}

/// Shows a page about one consent of the PSU.
async fn shown(
    visit: &PageRequest,
    id: &ConsentId,
    page: fn(&App, &LoggedInPsu, apps::ConnectedApp) -> Response,
) -> Response {
    let customer = match customer(visit).await {
        Ok(customer) => customer,
        Err(answered) => return *answered,
    };
    let found = apps::find_connected_app(&visit.auth(), &customer.psu, id).await;
    found_or_not(visit, found, |found| page(&visit.app, &customer, found))
}

/// Responds to a login step. A form that changed something is always answered with a redirect to the wanted page. Source: AS-144.
pub(super) async fn follow(
    visit: &PageRequest,
    method: &Method,
    wanted: &AppsPath,
    step: Result<LoginStep, SessionError>,
) -> Response {
    let to = |cookie| redirect_to_page(&visit.app, method, wanted.path(), cookie);
    match step {
        Ok(LoginStep::NextPage(browser)) => to(Cookie::session(&browser.cookie())),
        Ok(LoginStep::Authenticated(browser, devices)) => {
            to_page_logged_in(&visit.app, wanted.path(), Cookie::session(&browser.cookie()), &devices)
        }
        Ok(LoginStep::RedirectToProvider(location)) => to_provider(&visit.app, &location),
        Ok(LoginStep::SamePage(notice)) => match logged_in(visit, wanted, Some(notice)).await {
            Ok(_) => to(None),
            Err(answered) => *answered,
        },
        Err(error) => respond_error(visit, error),
    }
}
