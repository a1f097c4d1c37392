//! Makes every form act only once. A form that is submitted twice, by a double click or after a lost response, gets the same response
//! twice.
//!
//! This is a layer around all pages. A form that can act is claimed first; a second submission waits for the response to the first. The
//! work continues when the browser closes its connection, as it does after a second click, because the second submission needs the
//! response.

use super::form::{FORM_BYTES_MAX, FormFields, find_cookie};
use super::problem;
use super::reply::Cookie;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use lombard_api::extract::announced_bytes;
use lombard_auth::authorisation::journey::BrowserSecret;
use lombard_auth::devices::DeviceCookie;
use lombard_auth::error::OAuthError;
use lombard_auth::form_answers::{
    FormOwner, FormState, SubmittedForm, claim_form, find_form, keep_form_answer, release_form,
};
use lombard_auth::submission::SubmittedPage;
use lombard_domain::ids::{FapiInteractionId, JourneyId};
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::layers::answering;
use lombard_edge::limits::RateLimitKey;
use lombard_ports::storage_wait::StorageWait;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use tracing::Instrument;

/// The maximum number of bytes of a stored response. After a longer response, a second submission only gets the message that it was sent.
const ANSWER_BYTES_MAX: u64 = 128 * 1024;

/// The maximum number of checks for the response by a second submission; the next constant is the longest time between two checks.
const LOOKS_MAX: u32 = 80;
const BETWEEN_LOOKS_MAX: Duration = Duration::from_millis(250);

/// A stored response.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// Answers the forms of pages, each once. Other requests pass unchanged.
pub async fn answer_forms_once(State(app): State<App>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST || !is_form(request.headers()) {
        return next.run(request).await;
    }
    let Some((owner, browser)) = owner_of(&request) else { return next.run(request).await };
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, FORM_BYTES_MAX).await else {
        return problem::unreadable_form(&app, StatusCode::PAYLOAD_TOO_LARGE);
    };
    let form = read_form(owner, browser, parts.uri.path(), &body);
    let request = Request::from_parts(parts, Body::from(body));
    let path = request.uri().path().to_owned();
    let reference = reference(request.extensions());
    // The future is boxed because most requests are not forms.
    let claimed = Box::pin(claim(&app, &path, &form)).await;
    match claimed {
        Ok(Claim::NoSession) => next.run(request).await,
        Ok(Claim::Answered(response)) => response,
        Ok(Claim::Claimed) => Box::pin(act(app, form, (request, reference), next)).await,
        Err(error) => problem::error_page(&app, &error, &reference, Some(&path)),
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let media = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_small = announced_bytes(headers).is_none_or(|bytes| bytes <= FORM_BYTES_MAX as u64);
    is_small && media.trim_start().to_ascii_lowercase().starts_with("application/x-www-form-urlencoded")
}

/// The owner of the form at this URL, with the browser's secret for it.
fn owner_of(request: &Request) -> Option<(FormOwner, BrowserSecret)> {
    let mut segments = request.uri().path().trim_start_matches('/').split('/');
    let (owner, cookie) = match (segments.next()?, segments.next()) {
        ("interaction", Some(id)) => {
            let id = JourneyId::from(id);
            let cookie = Cookie::name(&id);
            (FormOwner::Journey(id), cookie)
        }
        ("apps", _) => (FormOwner::Session, Cookie::SESSION.to_owned()),
        ("portal", Some("login")) => (FormOwner::PortalLogin(String::new()), Cookie::PORTAL.to_owned()),
        ("portal", _) => (FormOwner::Portal, Cookie::PORTAL.to_owned()),
        _ => return None,
    };
    Some((owner, find_cookie(request.headers(), &cookie).and_then(BrowserSecret::from_cookie)?))
}

fn read_form(owner: FormOwner, browser: BrowserSecret, path: &str, body: &[u8]) -> SubmittedForm {
    let fields = FormFields::parse(body);
    let owner = match owner {
        FormOwner::PortalLogin(_) => FormOwner::PortalLogin(fields.first("link").to_owned()),
        other => other,
    };
    let page = SubmittedPage {
        browser,
        form_token: fields.first("form_token").to_owned(),
        // Address and devices do not identify the form.
        from: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        devices: DeviceCookie::default(),
    };
    SubmittedForm::new(owner, page, path, fields.pairs())
}

/// The result of claiming a form.
enum Claim {
    /// The form has no valid session, so it cannot act; its page says so.
    NoSession,
    /// The response is known already.
    Answered(Response),
    /// The caller must answer the form.
    Claimed,
}

/// Claims a form, or returns the response to an earlier submission, for which it may wait.
async fn claim(app: &App, path: &str, form: &SubmittedForm) -> Result<Claim, OAuthError> {
    let mut pause = Duration::from_millis(10);
    for look in 0..LOOKS_MAX {
        let standing = find_form(&app.auth, form).await?;
        // The rate applies to every caller with a token of a session, even if the form does not act.
        if look == 0
            && !matches!(standing, FormState::Ineffective)
            && let Some(response) = beyond_rate(app, form)
        {
            return Ok(Claim::Answered(response));
        }
        match standing {
            FormState::Ineffective => return Ok(Claim::NoSession),
            FormState::Answered(answer) => {
                return Ok(Claim::Answered(
                    write_again(&answer).unwrap_or_else(|| problem::form_was_sent(app, page_of(path))),
                ));
            }
            FormState::Spent => return Ok(Claim::Answered(problem::form_was_sent(app, page_of(path)))),
            FormState::New if claim_form(&app.auth, form).await? => return Ok(Claim::Claimed),
            FormState::New | FormState::Pending => {}
        }
        tokio::time::sleep(pause).await;
        pause = pause.saturating_mul(2).min(BETWEEN_LOOKS_MAX);
    }
    tracing::warn!(path, "a form is still being answered");
    Ok(Claim::Answered(problem::form_is_pending(app, path)))
}

/// The URL of the page from which a form with this path can be opened again.
fn page_of(path: &str) -> String {
    let mut segments = path.trim_start_matches('/').split('/');
    match (segments.next(), segments.next()) {
        (Some("interaction"), Some(id)) => format!("/interaction/{id}"),
        (Some(part), _) => format!("/{part}"),
        (None, _) => "/".to_owned(),
    }
}

/// The response to a form beyond the rate of its developer's session. Source: RW-112.
fn beyond_rate(app: &App, form: &SubmittedForm) -> Option<Response> {
    if !form.is_of_developer() {
        return None;
    }
    let session = RateLimitKey::Session(form.browser_digest());
    let counted = app.throttle.count_call(RateGroup::PortalForms, session, app.context.clocks.wall_now());
    counted.err().map(|exceeded| problem::too_many_forms(app, exceeded.retry_after_secs))
}

/// Runs the form's action to its end, and stores the response.
async fn act(app: App, form: SubmittedForm, (request, id): (Request, FapiInteractionId), next: Next) -> Response {
    let work = async move {
        let response = next.run(request).await;
        keep(&app, &form, response).await
    };
    let storage = StorageWait::of_request().unwrap_or_default();
    match tokio::spawn(storage.counted(answering(id, work)).in_current_span()).await {
        Ok(response) => response,
        Err(error) => match error.try_into_panic() {
            // The outer panic handler answers.
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        },
    }
}

fn reference(extensions: &http::Extensions) -> FapiInteractionId {
    extensions.get().cloned().unwrap_or_else(|| FapiInteractionId::from("-"))
}

/// Stores a response that reports an action or shows the page again. After any other response, the form can be submitted again. If storing
/// fails, the failure is logged, and the response is sent nevertheless.
async fn keep(app: &App, form: &SubmittedForm, response: Response) -> Response {
    let status = response.status();
    let acted = status.is_success() || status.is_redirection();
    let (answer, response) = match acted || status == StatusCode::UNPROCESSABLE_ENTITY {
        true => read_answer(response).await,
        false => (None, response),
    };
    let kept = match (&answer, acted) {
        (None, false) => release_form(&app.auth, form).await,
        (answer, _) => keep_form_answer(&app.auth, form, answer.as_deref(), acted).await,
    };
    if let Err(error) = kept {
        tracing::warn!(error = &error as &dyn std::error::Error, "the answer to a form is not kept");
    }
    response
}

/// Serialises a response, unless it is too long to be stored, and returns the response too.
async fn read_answer(response: Response) -> (Option<Vec<u8>>, Response) {
    if response.body().size_hint().exact().is_none_or(|bytes| bytes > ANSWER_BYTES_MAX) {
        return (None, response);
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, FORM_BYTES_MAX.saturating_mul(2)).await else {
        return (None, StatusCode::INTERNAL_SERVER_ERROR.into_response());
    };
    let kept = kept_answer(&parts.status, &parts.headers, &body);
    (kept, Response::from_parts(parts, Body::from(body)))
}

fn kept_answer(status: &StatusCode, headers: &HeaderMap, body: &[u8]) -> Option<Vec<u8>> {
    let text =
        |(name, value): (&HeaderName, &HeaderValue)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()));
    let headers = headers.iter().filter(|(name, _)| *name != CONTENT_LENGTH).map(text).collect::<Option<Vec<_>>>()?;
    let body = String::from_utf8(body.to_vec()).ok()?;
    serde_json::to_vec(&KeptAnswer { status: status.as_u16(), headers, body }).ok()
}

/// Restores a stored response.
fn write_again(kept: &[u8]) -> Option<Response> {
    let KeptAnswer { status, headers, body } = serde_json::from_slice(kept).ok()?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).ok()?;
    for (name, value) in headers {
        let value = HeaderValue::try_from(value).ok()?;
        response.headers_mut().append(HeaderName::try_from(name).ok()?, value);
    }
    Some(response)
}
