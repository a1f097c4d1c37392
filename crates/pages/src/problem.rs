//! Error pages: they state the problem and the next step, and redirect nowhere.

use super::frame::PageFrame;
use super::reply::{PagePolicy, send_page};
use super::text;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use lombard_auth::OAuthErrorCode;
use lombard_auth::authorisation::journey::{ApplicationLink, JourneyUnavailable, ReturnForm};
use lombard_auth::authorisation::rules::UnverifiedRequestError;
use lombard_auth::error::OAuthError;
use lombard_auth::throttle::Throttled;
use lombard_domain::ids::FapiInteractionId;
use lombard_edge::App;

#[derive(Template)]
#[template(path = "problem.html")]
pub(super) struct ProblemPage<'a> {
    pub frame: PageFrame<'a>,
    pub title: &'static str,
    pub text: &'static str,
    pub help: &'static str,
    pub code: Option<&'static str>,
    /// The meaning of the code here, for the developer of the application.
    pub detail: Option<&'static str>,
    pub reference: Option<&'a str>,
    pub retry: Option<&'a str>,
    pub back: Option<ReturnButton>,
    /// The URL and label of a link that leads on.
    pub link: Option<(String, String)>,
}

/// The button that leads back to the application, for a journey that this browser began. It is a form of this server, so that the URL is
/// the stored, verified one.
pub(super) struct ReturnButton {
    pub id: String,
    pub form_token: String,
    pub software: String,
    policy: PagePolicy,
}

impl ReturnButton {
    pub(super) fn of(way: &ReturnForm) -> Self {
        Self {
            id: way.id.as_str().to_owned(),
            form_token: way.form_token.clone(),
            software: text::name(&way.client.software_name),
            policy: PagePolicy::leading_to(&way.redirect_uri),
        }
    }

    #[cfg(test)]
    pub(super) fn to(id: &str, form_token: &str, software: &str) -> Self {
        Self {
            id: id.to_owned(),
            form_token: form_token.to_owned(),
            software: text::name(software),
            policy: PagePolicy::plain(),
        }
    }
}

impl<'a> ProblemPage<'a> {
    pub(super) fn new(app: &'a App, title: &'static str, text: &'static str, help: &'static str) -> Self {
        Self {
            frame: PageFrame::of(app),
            title,
            text,
            help,
            code: None,
            detail: None,
            reference: None,
            retry: None,
            back: None,
            link: None,
        }
    }

    fn answer(&self, app: &App, status: StatusCode) -> Response {
        let policy = self.back.as_ref().map_or_else(PagePolicy::plain, |back| back.policy.clone());
        send_page(app, status, self, &policy)
    }
}

const BACK_TO_APPLICATION: &str =
    "Go back to the application you came from and start again there. Nothing was shared, and nothing was changed.";

/// The page for an authorisation request that cannot be answered at a redirect URI. Source: AS-064, AS-066.
pub(crate) fn local_problem(app: &App, problem: &UnverifiedRequestError, reference: &FapiInteractionId) -> Response {
    let status = match problem.error.code {
        _ if problem.too_long => StatusCode::URI_TOO_LONG,
        OAuthErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        OAuthErrorCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    if status.is_server_error() {
        return error_page(app, &problem.error, reference, None);
    }
    let title = "This request cannot be answered";
    let text = "The application sent you here with a request that the bank cannot accept. You did nothing wrong.";
    let page = ProblemPage {
        code: Some(problem.error.code.name()),
        detail: Some(problem.error.description),
        reference: Some(reference.as_str()),
        ..ProblemPage::new(app, title, text, BACK_TO_APPLICATION)
    };
    page.answer(app, status)
}

/// The page for requests beyond the rate limit. Source: RW-112.
pub(crate) fn too_many_requests(app: &App, retry_after_secs: i64) -> Response {
    let text = "The bank has been asked too often in a short time.";
    let page = ProblemPage::new(app, "Please try again", text, "Please wait a moment and try again.");
    let mut response = page.answer(app, StatusCode::TOO_MANY_REQUESTS);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after_secs));
    response
}

/// The page for forms beyond the rate limit of a developer's session. Source: RW-112.
pub(super) fn too_many_forms(app: &App, retry_after_secs: i64) -> Response {
    let text = "This session has sent more forms in a short time than the bank takes. This one did nothing.";
    let help = "Please wait some seconds, go back, and send it again.";
    let page = ProblemPage::new(app, "Please wait a moment", text, help);
    let mut response = page.answer(app, StatusCode::TOO_MANY_REQUESTS);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after_secs));
    response
}

/// The page for a form that was submitted and answered before.
pub(super) fn form_was_sent(app: &App, page_path: String) -> Response {
    let text = "This form was sent before. It was carried out once, and nothing was done again.";
    let help = "Open the page again to see what is there now.";
    let link = Some((page_path, "Show the page".to_owned()));
    let page = ProblemPage { link, ..ProblemPage::new(app, "This form was sent already", text, help) };
    page.answer(app, StatusCode::CONFLICT)
}

/// The page for a form that was submitted before and is still being answered.
pub(super) fn form_is_pending(app: &App, path: &str) -> Response {
    let text = "The bank is still working on this form, which was sent before.";
    let page = ProblemPage {
        retry: Some(path),
        ..ProblemPage::new(app, "Please try again", text, "Please try again in a moment.")
    };
    page.answer(app, StatusCode::SERVICE_UNAVAILABLE)
}

/// The page for a body that is not a form or is too large.
pub(crate) fn unreadable_form(app: &App, status: StatusCode) -> Response {
    let text = "The form that was sent cannot be read.";
    ProblemPage::new(app, "This request cannot be answered", text, BACK_TO_APPLICATION).answer(app, status)
}

/// The page for a journey that does not exist or is finished; it leads back to the application if that is safe.
///
/// Source: AS-090, AS-144.
pub(super) fn lost(app: &App, lost: JourneyUnavailable, way: Option<&ReturnForm>) -> Response {
    let (status, title, text) = match lost {
        JourneyUnavailable::Unknown => (
            StatusCode::NOT_FOUND,
            "This page is not available",
            "The request was already answered, or it belongs to another browser. Cookies must be allowed for this site.",
        ),
        JourneyUnavailable::Expired => (
            StatusCode::GONE,
            "This page has expired",
            "For your safety a request ends when nothing is done for some minutes.",
        ),
        JourneyUnavailable::Ended => (
            StatusCode::GONE,
            "This request is over",
            "It was answered, withdrawn by the application, or begun again in another window.",
        ),
    };
    let help = match lost {
        JourneyUnavailable::Unknown => BACK_TO_APPLICATION,
        JourneyUnavailable::Expired => {
            "Nothing was shared, and nothing was changed. Go back to the application and start again there."
        }
        JourneyUnavailable::Ended => {
            "If you were not done, go back to the application you came from and start again there."
        }
    };
    let link = way.is_none().then(|| ("/apps".to_owned(), "Show my applications".to_owned()));
    let page = ProblemPage { back: way.map(ReturnButton::of), link, ..ProblemPage::new(app, title, text, help) };
    page.answer(app, status)
}

/// The page for a browser that cannot prove that it began the journey; it links to the place where the journey can begin again.
///
/// Source: AS-141, AS-144.
pub(super) fn lost_browser(app: &App, application: Option<&ApplicationLink>) -> Response {
    let text = "Your browser did not send the bank’s cookie for this request. It may have been deleted, the page may have been opened \
                in another browser, or the request was already answered. Cookies must be allowed for this site.";
    let (help, link) = match application {
        Some(ApplicationLink { location, client }) => {
            let label = format!("Go back to {}", text::name(&client.software_name));
            (BACK_TO_APPLICATION, (location.clone(), label))
        }
        None => {
            let help = "Go back to the application you came from and start again there. What applications may do with your \
                        accounts is listed among your applications.";
            (help, ("/apps".to_owned(), "Show my applications".to_owned()))
        }
    };
    let page = ProblemPage { link: Some(link), ..ProblemPage::new(app, "This page is not available", text, help) };
    page.answer(app, StatusCode::NOT_FOUND)
}

/// The page after too many failed logins. It does not reveal whose logins failed. Source: AS-143.
pub(super) fn throttled(app: &App, throttled: &Throttled, retry: &str, way: Option<&ReturnForm>) -> Response {
    let left = throttled.until.duration_since(app.context.clocks.wall_now()).as_secs().max(1);
    let help = "Please wait ten minutes and try again. Nothing was shared. If these attempts were not yours, nobody has gained \
                access.";
    let page = ProblemPage {
        retry: Some(retry),
        back: way.map(ReturnButton::of),
        ..ProblemPage::new(app, "Too many attempts", "For your safety, further attempts are blocked for now.", help)
    };
    let mut response = page.answer(app, StatusCode::TOO_MANY_REQUESTS);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(left));
    response
}

/// The page of an internal or temporary error, which is logged once, here.
pub fn error_page(app: &App, error: &OAuthError, reference: &FapiInteractionId, retry: Option<&str>) -> Response {
    failure_with_way(app, error, reference, retry, None)
}

/// Does the same as [`error_page`], and leads back to the application if that is safe.
pub(super) fn failure_with_way(
    app: &App,
    error: &OAuthError,
    reference: &FapiInteractionId,
    retry: Option<&str>,
    way: Option<&ReturnForm>,
) -> Response {
    tracing::error!(interaction.id = reference.as_str(), error = error as &dyn std::error::Error, "a page failed");
    let (status, text) = match error.code {
        OAuthErrorCode::TemporarilyUnavailable => {
            (StatusCode::SERVICE_UNAVAILABLE, "The bank cannot answer right now.")
        }
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong at the bank."),
    };
    let help = "Please try again in a moment.";
    let page = ProblemPage {
        reference: Some(reference.as_str()),
        retry,
        back: way.map(ReturnButton::of),
        ..ProblemPage::new(app, "Please try again", text, help)
    };
    page.answer(app, status)
}

/// The page for every undefined address of the public listener.
pub(super) async fn undefined(State(app): State<App>) -> Response {
    not_found(&app)
}

/// The page for a URL that does not exist.
pub fn not_found(app: &App) -> Response {
    let help = "Check the address, or go back to the application you came from.";
    ProblemPage::new(app, "Page not found", "No page has this address.", help).answer(app, StatusCode::NOT_FOUND)
}
