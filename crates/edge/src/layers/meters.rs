//! Prometheus metrics of the edge. A handle is made for the first response that it counts and is cached, so that later requests only
//! increment.

use http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram};
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const REQUESTS: &str = "lombard_http_requests_total";
const DURATION: &str = "lombard_http_request_duration_seconds";
const IN_FLIGHT: &str = "lombard_http_requests_in_flight";

/// The route label of a request that no route served.
pub(super) const NO_ROUTE: &str = "none";

/// The label of a method that the route does not have.
const OTHER_METHOD: &str = "other";

/// The labels of status classes: 1xx to 5xx, then all others.
pub(super) const CLASSES: [&str; 6] = ["1xx", "2xx", "3xx", "4xx", "5xx", "other"];

/// Marks a response that was made before the methods of the route were checked. A response extension.
#[derive(Debug, Clone, Copy)]
pub(super) struct BeforeRoute;

/// The meters of one listener.
#[derive(Debug)]
pub(super) struct ListenerMetrics {
    listener: &'static str,
    in_flight: Gauge,
    routes: RwLock<HashMap<Arc<str>, Methods>>,
}

type Methods = HashMap<&'static str, Arc<RouteMetrics>>;

/// The meters of one method on one route.
#[derive(Debug)]
struct RouteMetrics {
    listener: &'static str,
    method: &'static str,
    route: Arc<str>,
    duration: OnceLock<Histogram>,
    classes: [OnceLock<Counter>; 6],
}

impl ListenerMetrics {
    pub(super) fn new(listener: &'static str) -> Self {
        let in_flight = metrics::gauge!(IN_FLIGHT, "listener" => listener);
        Self { listener, in_flight, routes: RwLock::default() }
    }

    /// The listener's name.
    pub(super) const fn listener(&self) -> &'static str {
        self.listener
    }

    pub(super) fn in_flight(&self) -> &Gauge {
        &self.in_flight
    }

    /// Counts a response. `method` is `None` if the route does not have the method of the request.
    pub(super) fn answered(&self, method: Option<&Method>, template: &str, status: StatusCode, took: Duration) {
        self.of_route(method.map_or(OTHER_METHOD, method_label), template).answered(status, took);
    }

    /// The metrics of a route. Templates and methods come from the router, so that callers cannot grow the map. A trailing slash means the
    /// same resource. Source: RW-007.
    fn of_route(&self, method: &'static str, template: &str) -> Arc<RouteMetrics> {
        let template = template.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(template);
        if let Some(meters) = self.routes.read().get(template).and_then(|methods| methods.get(method)) {
            return Arc::clone(meters);
        }
        let route: Arc<str> = Arc::from(template);
        let mut routes = self.routes.write();
        let methods = routes.entry(Arc::clone(&route)).or_default();
        let listener = self.listener;
        let fresh = || RouteMetrics { listener, method, route, duration: OnceLock::new(), classes: Default::default() };
        Arc::clone(methods.entry(method).or_insert_with(|| Arc::new(fresh())))
    }
}

impl RouteMetrics {
    fn answered(&self, status: StatusCode, took: Duration) {
        let class = class_of(status);
        if let (Some(counter), Some(label)) = (self.classes.get(class), CLASSES.get(class)) {
            counter.get_or_init(|| self.counter(label)).increment(1);
        }
        // The duration of refusing a method gives no information about the route.
        if self.method != OTHER_METHOD {
            self.duration.get_or_init(|| self.histogram()).record(took);
        }
    }

    fn counter(&self, class: &'static str) -> Counter {
        let listener = self.listener;
        let method = self.method;
        let route = Arc::clone(&self.route);
        metrics::counter!(REQUESTS, "listener" => listener, "method" => method, "route" => route, "status" => class)
    }

    fn histogram(&self) -> Histogram {
        let listener = self.listener;
        let method = self.method;
        let route = Arc::clone(&self.route);
        metrics::histogram!(DURATION, "listener" => listener, "method" => method, "route" => route)
    }
}

/// The position of a status in [`CLASSES`].
pub(super) fn class_of(status: StatusCode) -> usize {
    let class = usize::from(status.as_u16() / 100).wrapping_sub(1);
    if class < CLASSES.len() { class } else { CLASSES.len() - 1 }
}

/// The name of a method, which a caller cannot invent.
pub(super) fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => OTHER_METHOD,
    }
}
