//! The addresses of a journey's pages: showing one, and submitting its forms.

use super::form::{self, FORM_BYTES_MAX, Fields, Form};
use super::journey as pages;
use super::problem;
use super::reply::{Cookie, leave, to_page};
use crate::App;
use crate::listener::Peer;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use http::{HeaderMap, Method};
use lombard_auth::authorisation::journey::{self, Browser, Choice, Halt, Lost, Notice, Step, Submission};
use lombard_domain::ids::{FapiInteractionId, InteractionId};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/interaction/{id}", get(show))
        .route("/interaction/{id}/login", post(login))
        .route("/interaction/{id}/code", post(code))
        .route("/interaction/{id}/decision", post(decision))
        .route("/interaction/{id}/cancel", post(cancel))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// The address of a journey's page.
pub(crate) fn path_of(id: &InteractionId) -> String {
    format!("/interaction/{id}")
}

/// The cookie that gives a browser its journey.
pub(crate) fn cookie(id: &InteractionId, browser: &Browser) -> Option<Cookie> {
    Cookie::of(id, &browser.cookie())
}

async fn show(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Path(id): Path<InteractionId>,
    headers: HeaderMap,
) -> Response {
    match browser(&headers, &id) {
        Some(browser) => present(&app, &reference, &id, &browser, None).await,
        None => problem::lost(&app, Lost::Unknown, None),
    }
}

async fn login(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<InteractionId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, id, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let step = journey::login(&app.auth, &submission, fields.first("name"), fields.first("password")).await;
    follow(&app, &reference, &submission, step).await
}

async fn code(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<InteractionId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, id, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let step = journey::second_factor(&app.auth, &submission, &fields.code()).await;
    follow(&app, &reference, &submission, step).await
}

async fn decision(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<InteractionId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let (fields, submission) = match submitted(&app, id, peer, &headers, form) {
        Ok(submitted) => submitted,
        Err(refused) => return *refused,
    };
    let choice = match fields.first("decision") {
        "approve" => Choice::Approve(fields.all("account")),
        "refuse" => Choice::Refuse,
        // Neither button was pressed: nothing was decided.
        _ => return to_page(&app, &Method::POST, &path_of(&submission.id), None),
    };
    let step = journey::decide(&app.auth, &submission, &choice).await;
    follow(&app, &reference, &submission, step).await
}

async fn cancel(
    State(app): State<App>,
    Extension(reference): Extension<FapiInteractionId>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<InteractionId>,
    headers: HeaderMap,
    form: Form,
) -> Response {
    let submission = match submitted(&app, id, peer, &headers, form) {
        Ok((_, submission)) => submission,
        Err(refused) => return *refused,
    };
    let step = journey::cancel(&app.auth, &submission).await;
    follow(&app, &reference, &submission, step).await
}

/// Where a step leads. Forms are always answered with a redirect when something changed, so that going back or
/// reloading never submits again. Source: AS-087, AS-144.
async fn follow(
    app: &App,
    reference: &FapiInteractionId,
    submission: &Submission,
    step: Result<Step, Halt>,
) -> Response {
    let id = &submission.id;
    match step {
        Ok(Step::Onward(browser)) => to_page(app, &Method::POST, &path_of(id), cookie(id, &browser)),
        Ok(Step::Again(notice)) => present(app, reference, id, &submission.page.browser, Some(notice)).await,
        Ok(Step::Leave(to)) => leave(app, &Method::POST, &to, Cookie::gone(id)),
        Err(Halt::Stale) => to_page(app, &Method::POST, &path_of(id), None),
        Err(halt) => halted(app, reference, id, &submission.page.browser, halt).await,
    }
}

async fn present(
    app: &App,
    reference: &FapiInteractionId,
    id: &InteractionId,
    browser: &Browser,
    notice: Option<Notice>,
) -> Response {
    match journey::view(&app.auth, id, browser).await {
        Ok(view) => pages::show(app, view, notice),
        Err(halt) => halted(app, reference, id, browser, halt).await,
    }
}

async fn halted(
    app: &App,
    reference: &FapiInteractionId,
    id: &InteractionId,
    browser: &Browser,
    halt: Halt,
) -> Response {
    match halt {
        Halt::Lost(Lost::Expired) => match journey::way_back(&app.auth, id, browser).await {
            Ok(way) => problem::lost(app, Lost::Expired, way.as_ref()),
            Err(error) => problem::failure(app, &error, reference, None),
        },
        Halt::Throttled(throttled) => match journey::way_back(&app.auth, id, browser).await {
            Ok(way) => problem::throttled(app, &throttled, &path_of(id), way.as_ref()),
            Err(error) => problem::failure(app, &error, reference, None),
        },
        Halt::Lost(lost) => problem::lost(app, lost, None),
        Halt::Stale => problem::lost(app, Lost::Ended, None),
        Halt::Failed(error) => problem::failure(app, &error, reference, Some(&path_of(id))),
    }
}

/// A readable form from a browser that has a secret for this journey; whether it is the right one is for the journey.
fn submitted(
    app: &App,
    id: InteractionId,
    peer: Peer,
    headers: &HeaderMap,
    form: Form,
) -> Result<(Fields, Submission), Box<Response>> {
    let (fields, page) = form::submitted(app, peer, headers, form, &Cookie::name(&id))?;
    let page = page.ok_or_else(|| problem::lost(app, Lost::Unknown, None))?;
    Ok((fields, Submission { id, page }))
}

/// The secret this browser has for a journey.
fn browser(headers: &HeaderMap, id: &InteractionId) -> Option<Browser> {
    form::browser(headers, &Cookie::name(id))
}
