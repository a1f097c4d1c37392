//! The layer around every request. In this order it handles: the interaction id, the access line, the metrics and the request log
//! ([`observe`]), the limit on unread responses ([`unread`]), the headers for caches and browsers ([`defaults`]), the limits on headers
//! ([`header_limits`]), the requested host ([`host`], [`misdirected`]), certificates and addresses in headers ([`claimed_certificate`]),
//! and panics ([`panics`]).
//!
//! The layer must not read a body or decide about a resource. It is a single layer, because axum boxes the future of each layer and clones
//! all inner layers for every request, which took several microseconds with separate layers.

pub mod certificate;
mod claimed_certificate;
mod defaults;
mod header_limits;
mod host;
mod interaction;
mod meters;
mod misdirected;
mod noted_body;
mod observe;
mod panics;
mod request_facts;
mod tpp_counts;
mod unread;

pub use header_limits::HeaderLimits;
pub use interaction::answering;
pub use interaction::{INTERACTION_ID, INTERACTION_ID_CHARS_MAX, with_current_interaction};
pub use misdirected::OtherHost;
pub use observe::ACCESS_TARGET;
pub use request_facts::ClientForLog;
pub use tpp_counts::{TppRequestCount, TppRequestCounts};

use crate::faults::FaultInjection;
use crate::listener::OpenedResponse;
use crate::request_log::RequestRecorder;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::Route;
use lombard_ports::entropy::IdGenerator;
use lombard_traces::CallerTrust;
use meters::ListenerMetrics;
use noted_body::NotedBody;
use observe::Observer;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::{Layer, Service};

/// The state of the layer of one listener.
#[derive(Debug, Clone)]
pub struct LayerContext {
    /// The listener's name in logs and metrics.
    pub listener: &'static str,
    /// The generator of new interaction ids.
    pub ids: IdGenerator,
    /// The limits on headers.
    pub headers: HeaderLimits,
    /// The host of another listener, if requests for it can reach this one.
    pub other_host: Option<OtherHost>,
    /// The faults that testers inject, on a sandbox's listeners for TPPs; `None` elsewhere.
    pub faults: Option<FaultInjection>,
    /// The recorder of requests, if they are recorded.
    pub recorder: Option<RequestRecorder>,
    /// How far the sampled flags of callers are trusted; `None` if requests of the listener have no traces.
    pub traces: Option<CallerTrust>,
    /// The counts of requests by TPP, if the listener is for TPPs.
    pub tpp_counts: Option<Arc<TppRequestCounts>>,
    /// Whether the log has the addresses of callers. Those of customers' browsers are personal and must not be logged.
    pub logs_addresses: bool,
}

impl LayerContext {
    /// The state of a listener that needs none of the optional parts.
    pub const fn new(listener: &'static str, ids: IdGenerator, headers: HeaderLimits) -> Self {
        Self {
            listener,
            ids,
            headers,
            other_host: None,
            faults: None,
            recorder: None,
            traces: None,
            tpp_counts: None,
            logs_addresses: false,
        }
    }
}

/// Wraps a finished router, including its fallback, in the layer.
pub fn apply_layers(router: Router, around: LayerContext) -> Router {
    apply(router, around, false)
}

/// As [`apply_layers`], for a listener that requests client certificates: a certificate in a header that the listener has not accepted from
/// a proxy is refused. Source: TLS-012.
pub fn apply_mtls_layers(router: Router, around: LayerContext) -> Router {
    apply(router, around, true)
}

fn apply(router: Router, around: LayerContext, refuses_claimed_certificates: bool) -> Router {
    let observer = Observer {
        ids: around.ids,
        meters: Arc::new(ListenerMetrics::new(around.listener)),
        recorder: around.recorder,
        traces: around.traces,
        tpp_counts: around.tpp_counts,
        logs_addresses: around.logs_addresses,
    };
    router.layer(RequestLayer(Arc::new(RequestLayerState {
        observer,
        headers: around.headers,
        other_host: around.other_host,
        faults: around.faults,
        refuses_claimed_certificates,
    })))
}

/// The state of the layer.
#[derive(Debug)]
struct RequestLayerState {
    observer: Observer,
    headers: HeaderLimits,
    other_host: Option<OtherHost>,
    faults: Option<FaultInjection>,
    refuses_claimed_certificates: bool,
}

#[derive(Debug, Clone)]
struct RequestLayer(Arc<RequestLayerState>);

impl Layer<Route> for RequestLayer {
    type Service = LayeredRoute;

    fn layer(&self, route: Route) -> LayeredRoute {
        LayeredRoute { state: Arc::clone(&self.0), route }
    }
}

/// A route that is wrapped in the layer.
#[derive(Debug, Clone)]
struct LayeredRoute {
    state: Arc<RequestLayerState>,
    route: Route,
}

impl Service<Request> for LayeredRoute {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let state = Arc::clone(&self.state);
        let route = self.route.clone();
        Box::pin(async move { Ok(state.answer(request, route).await) })
    }
}

impl RequestLayerState {
    /// The response to a request: that of the route, unless the request is refused first.
    async fn answer(&self, request: Request, route: Route) -> Response {
        let whole_body = NotedBody::default();
        let noted = &whole_body;
        observe::observe(&self.observer, request, noted, |request| {
            unread::bound(request, |request| async move {
                let response = match self.refusal(&request) {
                    Some(refusal) => refusal,
                    None => self.carry_out(request, route).await,
                };
                let response = OpenedResponse::open(defaults::add_defaults(response));
                if self.observer.recorder.is_some() {
                    noted.note(&response);
                }
                response
            })
        })
        .await
    }

    /// The response of the route, with the faults of a sandbox's testers.
    async fn carry_out(&self, request: Request, route: Route) -> Response {
        match &self.faults {
            Some(faults) => faults.apply_around(request, |request| panics::catch(request, route)).await,
            None => panics::catch(request, route).await,
        }
    }

    /// The error response for unacceptable headers; `None` if they are acceptable.
    fn refusal(&self, request: &Request) -> Option<Response> {
        let claimed = || self.refuses_claimed_certificates.then(|| claimed_certificate::refusal(request)).flatten();
        let misdirected = || self.other_host.as_ref().and_then(|other| misdirected::refusal(other, request));
        let forwarding = || claimed_certificate::forwarding_refusal(request);
        header_limits::refusal(self.headers, request)
            .or_else(|| host::refusal(request))
            .or_else(misdirected)
            .or_else(forwarding)
            .or_else(claimed)
    }
}

#[cfg(test)]
mod tests;
