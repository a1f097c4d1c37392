//! The routes of a journey's pages: they show a page and accept its forms.

use super::form::{FORM_BYTES_MAX, FormFields, FormRequest, PageRequest};
use super::journey as pages;
use super::lines;
use super::order_plans::plan_orders;
use super::problem;
use super::reply::{Cookie, redirect_to_client, redirect_to_page, to_page_logged_in, to_provider};
use axum::RequestExt;
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request};
use axum::response::{IntoResponse, Response};
use http::Method;
use lombard_auth::authorisation::is_unregistered_return;
use lombard_auth::authorisation::journey::{
    self, ApprovedConsent, BrowserSecret, JourneyError, JourneyNotice, JourneyStep, JourneySubmission,
    JourneyUnavailable, PsuChoice,
};
use lombard_auth::authorisation::rules::UnverifiedRequestError;
use lombard_domain::ids::JourneyId;
use lombard_edge::App;
use lombard_edge::routing::{get, post};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/interaction/{id}", get(show))
        .route("/interaction/{id}/file", get(file))
        .route("/interaction/{id}/login", post(login))
        .route("/interaction/{id}/code", post(code))
        .route("/interaction/{id}/decision", post(decision))
        .route("/interaction/{id}/cancel", post(cancel))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// The path of a journey's page.
pub(crate) fn path_of(id: &JourneyId) -> String {
    format!("/interaction/{id}")
}

/// The cookie that binds a journey to a browser.
pub(crate) fn cookie(id: &JourneyId, browser: &BrowserSecret) -> Option<Cookie> {
    Cookie::of(id, &browser.cookie())
}

/// A form of a journey's page from a browser that sent a secret. The journey checks the secret.
struct JourneyFormSubmission {
    visit: PageRequest,
    fields: FormFields,
    submission: JourneySubmission,
}

impl FromRequest<App> for JourneyFormSubmission {
    type Rejection = Response;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, Response> {
        let id: Path<JourneyId> = request.extract_parts().await.map_err(IntoResponse::into_response)?;
        let sent = FormRequest::from_request(request, app).await?;
        let Some(page) = sent.page(&Cookie::name(&id)) else { return Err(lost_browser(&sent.visit, &id).await) };
        Ok(Self { visit: sent.visit, fields: sent.fields, submission: JourneySubmission { id: id.0, page } })
    }
}

async fn show(Path(id): Path<JourneyId>, visit: PageRequest) -> Response {
    match visit.browser(&Cookie::name(&id)) {
        Some(browser) => present(&visit, &id, &browser, None).await,
        None => lost_browser(&visit, &id).await,
    }
}

/// The page for a browser that cannot prove that it began the journey.
async fn lost_browser(visit: &PageRequest, id: &JourneyId) -> Response {
    match journey::find_application_link(&visit.auth(), id).await {
        Ok(application) => problem::lost_browser(&visit.app, application.as_ref()),
        Err(error) => problem::error_page(&visit.app, &error, &visit.reference, None),
    }
}

/// Shows one page of the payments in the file to be approved.
async fn file(Path(id): Path<JourneyId>, visit: PageRequest) -> Response {
    let Some(browser) = visit.browser(&Cookie::name(&id)) else {
        return lost_browser(&visit, &id).await;
    };
    match journey::list_file_lines(&visit.auth(), &id, &browser, visit.page_number()).await {
        Ok(Some((payment, lines))) => {
            lines::show(&visit.app, lines::LinesLocation::Journey(path_of(&id)), &payment, &lines)
        }
        Ok(None) => problem::not_found(&visit.app),
        Err(JourneyError::Stale) => redirect_to_page(&visit.app, &Method::GET, &path_of(&id), None),
        Err(error) => halted(&visit, &id, &browser, error).await,
    }
}

async fn login(form: JourneyFormSubmission) -> Response {
    let name = form.fields.first("name");
    let password = form.fields.first("password");
    let step = journey::submit_login(&form.visit.auth(), &form.submission, name, password).await;
    form.follow(step).await
}

async fn code(form: JourneyFormSubmission) -> Response {
    let step = journey::submit_second_factor(&form.visit.auth(), &form.submission, &form.fields.code()).await;
    form.follow(step).await
}

async fn decision(form: JourneyFormSubmission) -> Response {
    let choice = match form.fields.first("decision") {
        "approve" => PsuChoice::Approve(form.fields.all("account")),
        "refuse" => PsuChoice::Reject,
        // The form names neither decision, so nothing was decided.
        _ => return redirect_to_page(&form.visit.app, &Method::POST, &path_of(&form.submission.id), None),
    };
    let step = journey::decide_journey(&form.visit.auth(), &form.submission, &choice).await;
    if let Ok(JourneyStep::Approved(consent, _)) = &step {
        form.plan_orders(consent).await;
    }
    form.follow(step).await
}

async fn cancel(form: JourneyFormSubmission) -> Response {
    let step = journey::cancel_journey(&form.visit.auth(), &form.submission).await;
    form.follow(step).await
}

impl JourneyFormSubmission {
    /// Stores the plan that a tester selected for the orders of an approved consent, before the browser returns to the application. An
    /// application that polls may submit its order earlier. If storing fails, the failure is logged, and orders have no plan.
    async fn plan_orders(&self, consent: &ApprovedConsent) {
        let Some(testers) = &self.visit.testers else { return };
        if let Err(error) = plan_orders(testers, consent, &self.fields).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "what a tester chose for a payment is not stored");
        }
    }

    /// Redirects to the page of the next step. A form that changed something is always answered with a redirect, so that going back or
    /// reloading never submits it again. Source: AS-087, AS-144.
    async fn follow(self, step: Result<JourneyStep, JourneyError>) -> Response {
        follow(&self.visit, &Method::POST, &self.submission.id, &self.submission.page.browser, step).await
    }
}

/// Redirects to the page of the next step, for a request with this method.
pub(super) async fn follow(
    visit: &PageRequest,
    method: &Method,
    id: &JourneyId,
    browser: &BrowserSecret,
    step: Result<JourneyStep, JourneyError>,
) -> Response {
    let app = &visit.app;
    match step {
        Ok(JourneyStep::NextPage(browser)) => redirect_to_page(app, method, &path_of(id), cookie(id, &browser)),
        Ok(JourneyStep::Authenticated(browser, devices)) => {
            to_page_logged_in(app, &path_of(id), cookie(id, &browser), &devices)
        }
        Ok(JourneyStep::RedirectToProvider(location)) => to_provider(app, &location),
        Ok(JourneyStep::SamePage(notice)) => present(visit, id, browser, Some(notice)).await,
        Ok(JourneyStep::Approved(_, to) | JourneyStep::Redirect(to)) => {
            redirect_to_client(app, method, &to, Cookie::delete_journey(id))
        }
        Err(JourneyError::Stale) => redirect_to_page(app, method, &path_of(id), None),
        Err(error) => halted(visit, id, browser, error).await,
    }
}

async fn present(
    visit: &PageRequest,
    id: &JourneyId,
    browser: &BrowserSecret,
    notice: Option<JourneyNotice>,
) -> Response {
    match journey::view_journey(&visit.auth(), id, browser).await {
        Ok(mut view) => {
            let before = std::mem::take(&mut view.shown);
            let (page, shown) = pages::show(visit, view, notice);
            // The evidence is stored before anybody can decide.
            if let Some(shown) = shown.filter(|shown| *shown != before)
                && let Err(error) = journey::note_shown(&visit.auth(), id, browser, shown).await
            {
                return halted(visit, id, browser, error).await;
            }
            page
        }
        Err(error) => halted(visit, id, browser, error).await,
    }
}

async fn halted(visit: &PageRequest, id: &JourneyId, browser: &BrowserSecret, error: JourneyError) -> Response {
    let PageRequest { app, reference, .. } = visit;
    let way = match &error {
        JourneyError::Unavailable(JourneyUnavailable::Expired) | JourneyError::Throttled(_) => {
            match journey::find_return_form(&visit.auth(), id, browser).await {
                Ok(way) => way,
                Err(error) => return problem::error_page(app, &error, reference, None),
            }
        }
        // The way back is optional: the failed storage may also be needed to find it.
        JourneyError::Failed(_) => journey::find_return_form(&visit.auth(), id, browser).await.ok().flatten(),
        JourneyError::Unavailable(JourneyUnavailable::Unknown | JourneyUnavailable::Ended) | JourneyError::Stale => {
            None
        }
    };
    match error {
        JourneyError::Unavailable(JourneyUnavailable::Unknown) => lost_browser(visit, id).await,
        JourneyError::Unavailable(lost) => problem::lost(app, lost, way.as_ref()),
        JourneyError::Throttled(throttled) => problem::throttled(app, &throttled, &path_of(id), way.as_ref()),
        JourneyError::Stale => problem::lost(app, JourneyUnavailable::Ended, None),
        JourneyError::Failed(error) if is_unregistered_return(&error) => problem::local_problem(
            app,
            &UnverifiedRequestError { rule: error.failed_check().rule, error, too_long: false },
            reference,
        ),
        JourneyError::Failed(error) => {
            problem::failure_with_way(app, &error, reference, Some(&path_of(id)), way.as_ref())
        }
    }
}
