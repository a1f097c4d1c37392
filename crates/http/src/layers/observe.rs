//! One id, one log line and one count for every request, whatever becomes of it.

use super::interaction;
use super::meters::{BeforeRoute, ListenerMetrics, NO_ROUTE};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::header::RETRY_AFTER;
use http::{HeaderValue, Method, StatusCode};
use lombard_domain::ids::{ClientId, FapiInteractionId};
use lombard_ports::entropy::IdGenerator;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Nobody waits for the answer any more: the caller went away. Never sent, only counted and logged.
const CALLER_LEFT: u16 = 499;

/// Where the extractor that learns who the client is writes it down for the access line. A request extension.
#[derive(Debug, Clone, Default)]
pub struct ClientForLog(Arc<OnceLock<ClientId>>);

impl ClientForLog {
    /// Writes the client down; the first one stays.
    pub fn set(&self, client: &ClientId) {
        self.0.get_or_init(|| client.clone());
    }

    /// The client, if it has been written down.
    pub fn client(&self) -> Option<&ClientId> {
        self.0.get()
    }
}

#[derive(Debug)]
pub(super) struct Observer {
    pub(super) ids: IdGenerator,
    pub(super) meters: Arc<ListenerMetrics>,
}

/// Gives the request its id, repeats it on the answer, and writes the access line.
pub(super) async fn observe<A: Future<Output = Response>>(
    observer: &Observer,
    mut request: Request,
    answer: impl FnOnce(Request) -> A,
) -> Response {
    let id = interaction::of_request(request.headers(), &observer.ids);
    let client = ClientForLog::default();
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(client.clone());
    let watch = RequestLog::start(Arc::clone(&observer.meters), &request, id.clone(), client);

    let mut response = interaction::answering(id, answer(request)).await;

    interaction::write(response.headers_mut(), &watch.id);
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        // Whoever is asked to come back is told when. Source: RW-112, RFC 9110 section 15.6.4.
        response.headers_mut().entry(RETRY_AFTER).or_insert(HeaderValue::from_static(RETRY_AFTER_SECS));
    }
    watch.answered(&response);
    response
}

/// When to come back after a 503 that does not say so itself.
const RETRY_AFTER_SECS: &str = "1";

/// A request under way. Dropped without an answer, it says so: the caller left.
struct RequestLog {
    id: FapiInteractionId,
    client: ClientForLog,
    meters: Arc<ListenerMetrics>,
    method: Method,
    template: Option<MatchedPath>,
    started: Instant,
    status: Option<StatusCode>,
    /// Whether the route has the method, as far as is known.
    has_method: bool,
}

impl RequestLog {
    fn start(meters: Arc<ListenerMetrics>, request: &Request, id: FapiInteractionId, client: ClientForLog) -> Self {
        let template = request.extensions().get::<MatchedPath>().cloned();
        let method = request.method().clone();
        meters.in_flight().increment(1);
        let has_method = template.is_some();
        Self { id, client, meters, method, template, started: Instant::now(), status: None, has_method }
    }

    fn answered(mut self, response: &Response) {
        let status = response.status();
        let refused = status == StatusCode::METHOD_NOT_ALLOWED || response.extensions().get::<BeforeRoute>().is_some();
        self.has_method &= !refused;
        self.status = Some(status);
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        self.meters.in_flight().decrement(1);
        let took = self.started.elapsed();
        let status = self.status.or_else(|| StatusCode::from_u16(CALLER_LEFT).ok()).unwrap_or_default();
        let route = self.template.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        self.meters.answered(self.has_method.then_some(&self.method), route, status, took);
        tracing::event!(
            target: "lombard::access",
            tracing::Level::INFO,
            interaction.id = self.id.as_str(),
            client.id = self.client.0.get().map(ClientId::as_str),
            http.method = self.method.as_str(),
            http.route = route,
            http.status = status.as_u16(),
            duration_ms = took.as_secs_f64() * 1000.0,
            "answered"
        );
    }
}
