//! Gives every request one id, one log line, one count and, if requests are recorded, one record, independent of its result.

use super::interaction;
use super::meters::{BeforeRoute, ListenerMetrics, NO_ROUTE, method_label};
use super::noted_body::NotedBody;
use super::request_facts::{ClientForLog, request_bytes, response_bytes};
use super::tpp_counts::TppRequestCounts;
use crate::listener::PeerAddress;
use crate::request_log::{FinishedRequest, RecordDraft, RequestRecorder};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::header::RETRY_AFTER;
use http::{HeaderValue, Method, StatusCode};
use lombard_domain::ids::{ClientId, ConsentId, FapiInteractionId, OrderId};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::storage_wait::StorageWait;
use lombard_traces::{CallerTrust, Span};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The log target of the access line.
pub const ACCESS_TARGET: &str = "lombard::access";

/// The status for a caller that left before the response. It is only counted and logged, never sent.
const CALLER_LEFT: u16 = 499;

#[derive(Debug)]
pub(super) struct Observer {
    pub(super) ids: IdGenerator,
    pub(super) meters: Arc<ListenerMetrics>,
    /// The recorder of requests, if they are recorded.
    pub(super) recorder: Option<RequestRecorder>,
    /// How far the sampled flags of callers are trusted; `None` if requests of the listener have no traces.
    pub(super) traces: Option<CallerTrust>,
    /// The counts of requests by TPP, if the listener is for TPPs.
    pub(super) tpp_counts: Option<Arc<TppRequestCounts>>,
    /// Whether the log has the addresses of callers.
    pub(super) logs_addresses: bool,
}

/// Gives the request its id, adds the id to the response, writes the access line and records the request. `body` holds the body of the
/// response, if it was stored.
pub(super) async fn observe<A: Future<Output = Response>>(
    observer: &Observer,
    mut request: Request,
    body: &NotedBody,
    answer: impl FnOnce(Request) -> A,
) -> Response {
    let id = interaction::of_request(request.headers(), &observer.ids);
    let client = ClientForLog::default();
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(client.clone());
    let draft = observer.recorder.as_ref().and_then(|recorder| RecordDraft::begin(recorder, &mut request));
    let mut watch = ObservedRequest::start(observer, &request, id.clone(), client);
    watch.draft = draft;

    let storage = StorageWait::default();
    let span = watch.span.clone();
    let mut response = storage.counted(interaction::answering(id, span.around(answer(request)))).await;

    interaction::write(response.headers_mut(), &watch.id);
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        // A response that asks the caller to try again states when. Source: RW-112, RFC 9110 section 15.6.4.
        response.headers_mut().entry(RETRY_AFTER).or_insert(HeaderValue::from_static(RETRY_AFTER_SECS));
    }
    watch.answered(&response, body);
    storage.counted(watch.attribute()).await;
    response
}

/// The default `Retry-After` of a 503, in seconds.
const RETRY_AFTER_SECS: &str = "1";

/// A request in progress. If it is dropped without a response, it is logged that the caller left.
struct ObservedRequest<'o> {
    observer: &'o Observer,
    id: FapiInteractionId,
    client: ClientForLog,
    method: Method,
    template: Option<MatchedPath>,
    started: Instant,
    status: Option<StatusCode>,
    /// The duration until the response.
    took: Option<Duration>,
    /// Whether the route has the method of the request, if that is known.
    has_method: bool,
    /// The record of the request, if requests are recorded.
    draft: Option<Box<RecordDraft>>,
    /// The span of the request, if its trace is recorded.
    span: Span,
    /// The caller's address, if the listener's log has it.
    address: Option<IpAddr>,
    /// The bytes of the bodies, as far as they are known.
    request_bytes: Option<u64>,
    response_bytes: Option<u64>,
}

impl<'o> ObservedRequest<'o> {
    fn start(observer: &'o Observer, request: &Request, id: FapiInteractionId, client: ClientForLog) -> Self {
        let template = request.extensions().get::<MatchedPath>().cloned();
        let method = request.method().clone();
        observer.meters.in_flight().increment(1);
        let has_method = template.is_some();
        let started = Instant::now();
        let status = None;
        let took = None;
        let draft = None;
        let begin = |trust| Span::of_request("request", request.headers(), trust);
        let span = observer.traces.map_or_else(Span::default, begin);
        let peer = request.extensions().get::<PeerAddress>().filter(|_| observer.logs_addresses);
        let address = peer.map(|PeerAddress(address)| address.ip());
        let request_bytes = request_bytes(request.headers());
        let response_bytes = None;
        Self {
            observer,
            id,
            client,
            method,
            template,
            started,
            status,
            took,
            has_method,
            draft,
            span,
            address,
            request_bytes,
            response_bytes,
        }
    }

    fn answered(&mut self, response: &Response, body: &NotedBody) {
        let status = response.status();
        let refused = status == StatusCode::METHOD_NOT_ALLOWED || response.extensions().get::<BeforeRoute>().is_some();
        self.has_method &= !refused;
        self.status = Some(status);
        self.took = Some(self.started.elapsed());
        self.response_bytes = response_bytes(response);
        if let (Some(draft), Some(recorder)) = (&mut self.draft, &self.observer.recorder) {
            draft.note_response(recorder, response, body.take());
        }
    }

    /// Sets the attributes of the span, if the trace is recorded.
    fn describe_span(&self, route: &str, status: StatusCode) {
        if !self.span.is_recorded() {
            return;
        }
        let method = method_label(&self.method);
        self.span.rename(if route == NO_ROUTE { method.to_owned() } else { format!("{method} {route}") });
        self.span.set("http.request.method", method);
        self.span.set("http.route", route.to_owned());
        self.span.set("http.response.status_code", i64::from(status.as_u16()));
        self.span.set("lombard.listener", self.observer.meters.listener());
        self.span.set("lombard.interaction.id", self.id.as_str().to_owned());
        if let Some(client) = self.client.for_log() {
            self.span.set("lombard.client.id", client.as_str().to_owned());
        }
        if status.is_server_error() {
            self.span.fail("the server failed");
        }
    }

    /// Finds the holders of the certificate of a recorded request whose client is not known otherwise.
    async fn attribute(&mut self) {
        if let (None, Some(draft), Some(recorder)) = (self.client.for_log(), &mut self.draft, &self.observer.recorder) {
            // The future is boxed, because most requests do not need it.
            Box::pin(draft.find_holders(recorder)).await;
        }
    }
}

impl Drop for ObservedRequest<'_> {
    fn drop(&mut self) {
        self.observer.meters.in_flight().decrement(1);
        let took = self.took.unwrap_or_else(|| self.started.elapsed());
        let status = self.status.or_else(|| StatusCode::from_u16(CALLER_LEFT).ok()).unwrap_or_default();
        let route = self.template.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        self.observer.meters.answered(self.has_method.then_some(&self.method), route, status, took);
        self.describe_span(route, status);
        // The access line names the trace.
        let _trace = self.span.enter();
        let client = self.client.for_log();
        // A client that is not authenticated is not counted: anybody can name one.
        if let (Some(counts), Some(client)) = (&self.observer.tpp_counts, self.client.client()) {
            counts.count(client, status);
        }
        tracing::event!(
            target: ACCESS_TARGET,
            tracing::Level::INFO,
            interaction.id = self.id.as_str(),
            client.id = client.map(ClientId::as_str),
            caller.address = self.address.map(tracing::field::display),
            consent.id = self.client.consent().map(ConsentId::as_str),
            order.id = self.client.order().map(OrderId::as_str),
            http.method = self.method.as_str(),
            http.route = route,
            http.status = status.as_u16(),
            request.bytes = self.request_bytes,
            response.bytes = self.response_bytes,
            duration_ms = took.as_secs_f64() * 1000.0,
            "answered"
        );
        if let (Some(draft), Some(recorder)) = (self.draft.take(), &self.observer.recorder) {
            draft.finish(recorder, FinishedRequest { status, interaction: &self.id, client, took });
        }
    }
}
