//! Prometheus meters of the edge: handles are made once per route and kept, so a request only increments.

use http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram, Unit};
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const REQUESTS: &str = "lombard_http_requests_total";
const DURATION: &str = "lombard_http_request_duration_seconds";
const IN_FLIGHT: &str = "lombard_http_requests_in_flight";

/// The route template of a request no route answered.
pub(super) const NO_ROUTE: &str = "none";

/// Tells the recorder what the edge's meters mean.
pub fn describe() {
    metrics::describe_counter!(REQUESTS, Unit::Count, "Requests answered, by route and class of status.");
    metrics::describe_histogram!(DURATION, Unit::Seconds, "Time from a request's head to its answer's head, by route.");
    metrics::describe_gauge!(IN_FLIGHT, Unit::Count, "Requests being answered now.");
}

/// The meters of one listener.
#[derive(Debug)]
pub(super) struct Meters {
    listener: &'static str,
    in_flight: Gauge,
    routes: RwLock<HashMap<Arc<str>, Methods>>,
}

type Methods = HashMap<&'static str, Arc<RouteMeters>>;

/// The meters of one method on one route.
#[derive(Debug)]
pub(super) struct RouteMeters {
    duration: Histogram,
    /// 1xx to 5xx, then everything else.
    classes: [Counter; 6],
}

impl Meters {
    pub(super) fn new(listener: &'static str) -> Self {
        let in_flight = metrics::gauge!(IN_FLIGHT, "listener" => listener);
        Self { listener, in_flight, routes: RwLock::default() }
    }

    pub(super) fn in_flight(&self) -> &Gauge {
        &self.in_flight
    }

    /// The meters of a route. Templates come from the router and methods from a closed list, so the map is bounded
    /// whatever callers send.
    pub(super) fn of(&self, method: &Method, template: &str) -> Arc<RouteMeters> {
        let method = method_label(method);
        if let Some(meters) = self.routes.read().get(template).and_then(|methods| methods.get(method)) {
            return Arc::clone(meters);
        }
        let mut routes = self.routes.write();
        let methods = routes.entry(Arc::from(template)).or_default();
        Arc::clone(methods.entry(method).or_insert_with(|| Arc::new(self.register(method, template))))
    }

    fn register(&self, method: &'static str, template: &str) -> RouteMeters {
        let listener = self.listener;
        let counter = |class: &'static str| {
            let route = template.to_owned();
            metrics::counter!(REQUESTS, "listener" => listener, "method" => method, "route" => route, "status" => class)
        };
        let route = template.to_owned();
        RouteMeters {
            duration: metrics::histogram!(DURATION, "listener" => listener, "method" => method, "route" => route),
            classes: ["1xx", "2xx", "3xx", "4xx", "5xx", "other"].map(counter),
        }
    }
}

impl RouteMeters {
    /// Counts one answer.
    pub(super) fn answered(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).wrapping_sub(1);
        if let Some(counter) = self.classes.get(class).or_else(|| self.classes.last()) {
            counter.increment(1);
        }
        self.duration.record(took);
    }
}

fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
