//! The recorded requests of an application: the list, the checks of each request, and a command that sends a request again.

use super::application::folder_of;
use super::curl::{CurlCommand, curl_command};
use super::document_tables::rule_text;
use super::formatting::second;
use super::frame::{PortalFrame, PortalPage, PortalSection, page_frame, respond};
use super::paths::{LOGIN, REQUESTS, escaped};
use super::visit::PortalVisit;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_edge::App;
use lombard_edge::request_log::{MessageView, NumberedRequest, RequestLog, RequestQuery, RequestView, StatusFilter};
use lombard_edge::routing::get;
use lombard_pages::frame::PageFrame;
use lombard_pages::problem;
use std::sync::Arc;

/// The number of requests on a page.
pub(super) const PAGE_REQUESTS: usize = 50;
/// The number of records that are examined at a time for a page, and the maximum number of such batches.
const EXAMINED: (usize, usize) = (200, 5);
/// The maximum number of characters of a filter.
const FILTER_CHARS_MAX: usize = 256;

/// The page with the list of requests.
#[derive(Template)]
#[template(path = "portal/requests.html")]
pub(crate) struct RequestsListPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    /// Whether the application's requests are recorded.
    pub is_recorded: bool,
    pub narrowed: RequestFilter,
    pub requests: Vec<RequestLine>,
    /// The URL of the next page.
    pub older: Option<String>,
}

/// The page of one request.
#[derive(Template)]
#[template(path = "portal/request.html")]
pub(crate) struct RequestDetailPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub line: RequestLine,
    pub duration: String,
    /// The effect of a planned fault on the request.
    pub fault: Option<String>,
    /// The requirement of the rule that refused the request.
    pub rule: Option<String>,
    pub request: MessageLinesView,
    pub response: MessageLinesView,
    pub curl: String,
    /// The variables of the curl command.
    pub variables: Vec<String>,
    /// The URL of the other requests with the same interaction id.
    pub same: String,
}

impl RequestDetailPage<'_> {
    fn messages(&self) -> [(&'static str, &'static str, &MessageLinesView); 2] {
        [("sent", "What was sent", &self.request), ("answered", "What was answered", &self.response)]
    }
}

/// The filter of the list, as it was submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RequestFilter {
    pub status: String,
    pub path: String,
    pub interaction: String,
    /// An id that the request or its response must contain.
    pub about: String,
    pub refused: bool,
}

impl RequestFilter {
    /// The statuses that the filter offers.
    fn statuses(&self) -> [(&'static str, &'static str, bool); 5] {
        let offered = |value, title| (value, title, self.status == value);
        [
            offered("", "any"),
            offered("2xx", "2xx, done"),
            offered("3xx", "3xx, redirected"),
            offered("4xx", "4xx, refused"),
            offered("5xx", "5xx, failed"),
        ]
    }

    fn read(visit: &PortalVisit) -> Self {
        let text = |name: &str| {
            let mut value = visit.parameter(name).unwrap_or_default().trim().to_owned();
            value.truncate(value.char_indices().nth(FILTER_CHARS_MAX).map_or(value.len(), |(at, _)| at));
            value
        };
        Self {
            status: text("status"),
            path: text("path"),
            // The parameter name of the ops listener's request log is accepted too.
            interaction: Some(text("id")).filter(|id| !id.is_empty()).unwrap_or_else(|| text("interaction_id")),
            about: text("about"),
            refused: visit.parameter("refused").is_some(),
        }
    }

    fn query(&self, client: &ClientId, before: Option<u64>) -> RequestQuery {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        RequestQuery {
            client_id: Some(client.clone()),
            interaction_id: given(&self.interaction).map(FapiInteractionId::new),
            status: StatusFilter::parse(&self.status),
            path_prefix: given(&self.path),
            is_refused: self.refused,
            before,
            ..RequestQuery::default()
        }
    }

    /// The URL of the page before this number.
    fn address(&self, before: u64) -> String {
        let mut address = format!("{REQUESTS}?before={before}");
        let given = [("status", &self.status), ("path", &self.path), ("id", &self.interaction), ("about", &self.about)];
        for (name, value) in given {
            if !value.is_empty() {
                address.push_str(&format!("&{name}={}", escaped(value)));
            }
        }
        if self.refused {
            address.push_str("&refused=on");
        }
        address
    }
}

/// The requests of a page, and the number before which the next page begins.
type FoundRequests = (Vec<RequestLine>, Option<u64>);

/// Finds the newest matching requests, at most `count`. The login of a developer by certificate is left out, because the application did
/// not send it.
fn find(log: &RequestLog, mut query: RequestQuery, about: &str, count: usize) -> FoundRequests {
    let (examined, times) = EXAMINED;
    // Without a search text, hardly any record is left out.
    query.limit = if about.is_empty() { count.saturating_add(1).min(examined) } else { examined };
    let mut found = Vec::new();
    for _ in 0..times {
        let batch = log.list_numbered(&query);
        let is_last = batch.len() < query.limit;
        for NumberedRequest { number, request } in batch {
            query.before = Some(number);
            let is_login = request.path.split('?').next() == Some(LOGIN);
            if !is_login && (about.is_empty() || request.names(about)) {
                found.push(RequestLine::of(number, &request));
            }
            if found.len() == count {
                return (found, Some(number));
            }
        }
        if is_last {
            return (found, None);
        }
    }
    (found, query.before)
}

/// A request in a list.
#[derive(Debug, Clone)]
pub(crate) struct RequestLine {
    pub number: u64,
    pub at: String,
    pub method: String,
    pub path: String,
    pub status: u16,
    pub interaction_id: String,
    pub refused_by: Option<String>,
    pub reason: Option<String>,
}

impl RequestLine {
    /// The CSS class for the colour of the request's status.
    pub(super) fn class(&self) -> &'static str {
        match self.status {
            200..=299 => "ok",
            300..=399 => "moved",
            400..=499 => "refused",
            _ => "failed",
        }
    }
}

impl RequestLine {
    fn of(number: u64, request: &RequestView) -> Self {
        Self {
            number,
            at: second(&request.at),
            method: request.method.clone(),
            path: request.path.clone(),
            status: request.status,
            interaction_id: request.interaction_id.clone(),
            refused_by: request.refused_by.clone(),
            reason: request.reason.clone(),
        }
    }
}

/// The headers and the body of a message.
#[derive(Debug, Clone)]
pub(crate) struct MessageLinesView {
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    pub is_truncated: bool,
}

impl From<MessageView> for MessageLinesView {
    fn from(MessageView { headers, body, truncated }: MessageView) -> Self {
        let body = (!body.is_null()).then(|| serde_json::to_string_pretty(&body).unwrap_or_default());
        Self { headers: headers.into_iter().collect(), body, is_truncated: truncated }
    }
}

impl PortalPage for RequestsListPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

impl PortalPage for RequestDetailPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(REQUESTS, get(list)).route(&format!("{REQUESTS}/{{number}}"), get(one))
}

/// The newest requests of the client, or only those that a check refused.
pub(super) fn newest(visit: &PortalVisit, is_refused: bool, limit: usize) -> Vec<RequestLine> {
    let Some(log) = &visit.services.requests else { return Vec::new() };
    let query = RequestQuery { is_refused, ..RequestFilter::default().query(&visit.client().id, None) };
    find(log, query, "", limit).0
}

/// The request log, if it records the client's requests.
pub(super) fn recorded(visit: &PortalVisit) -> Option<&Arc<RequestLog>> {
    visit.services.requests.as_ref().filter(|log| log.records(&visit.client().id))
}

async fn list(visit: PortalVisit) -> Response {
    let filter = RequestFilter::read(&visit);
    let before = visit.parameter("before").and_then(|number| number.parse().ok());
    let (requests, next) = match recorded(&visit) {
        Some(log) => find(log, filter.query(&visit.client().id, before), &filter.about, PAGE_REQUESTS),
        None => (Vec::new(), None),
    };
    let template = RequestsListPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Requests, None),
        is_recorded: recorded(&visit).is_some(),
        older: next.map(|number| filter.address(number)),
        narrowed: filter,
        requests,
    };
    respond(&visit.page.app, &template)
}

async fn one(visit: PortalVisit, Path(number): Path<String>) -> Response {
    let app = &visit.page.app;
    let number = number.parse::<u64>().ok();
    let found = number.zip(recorded(&visit)).and_then(|(number, log)| log.find_of_client(&visit.client().id, number));
    let Some((number, request)) = number.zip(found) else { return problem::not_found(app) };
    let CurlCommand { text, variables } = command(&visit, &request).await;
    let template = RequestDetailPage {
        frame: page_frame(&visit),
        portal: PortalFrame::of(&visit, PortalSection::Requests, None),
        line: RequestLine::of(number, &request),
        duration: format!("{:.1} ms", request.duration_ms),
        fault: request.fault.clone(),
        rule: request.refused_by.as_deref().and_then(rule_text),
        same: format!("{REQUESTS}?id={}", escaped(&request.interaction_id)),
        request: request.request.into(),
        response: request.response.into(),
        curl: text,
        variables,
    };
    respond(app, &template)
}

async fn command(visit: &PortalVisit, request: &RequestView) -> CurlCommand {
    let settings = &visit.page.app.settings;
    let is_public = request.path.starts_with(OAuthEndpoint::Authorization.path());
    let base_url = if is_public { &settings.public_url } else { &settings.mtls_url };
    let folder = folder_of(visit).await.map_or_else(|| "tpps/NAME".to_owned(), |it| format!("tpps/{}", it.name));
    curl_command(request, base_url, &folder)
}
