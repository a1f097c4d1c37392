//! What is on the ops listener, as plain text, for whoever opens its address in a browser.

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use std::fmt::Write;

/// A route of the listener, and what it is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) verb: &'static str,
    pub(super) path: &'static str,
    pub(super) does: &'static str,
}

const fn entry(verb: &'static str, path: &'static str, does: &'static str) -> Entry {
    Entry { verb, path, does }
}

/// On every server.
pub(super) const OPERATIONS: &[Entry] = &[
    entry("GET", "/healthz", "the process is alive"),
    entry("GET", "/readyz", "requests can be served, or what is missing"),
    entry("GET", "/metrics", "metrics for Prometheus"),
    entry("GET", "/operations/events", "held polls, reported and parked events"),
    entry("POST", "/operations/events/{jti}/requeue", "offer a parked event again"),
    entry("POST", "/operations/consents/{id}/revoke", "end access to what a consent opens"),
    entry("POST", "/operations/keys/rotate", "add a signing key"),
    entry("POST", "/operations/tpps", "make a TPP (sandbox only)"),
];

/// In a sandbox alone.
pub(super) const CONTROLS: &[Entry] = &[
    entry("GET", "/sandbox/clock", "the bank's time"),
    entry("POST", "/sandbox/clock", "move the bank's time"),
    entry("GET", "/sandbox/psus", "customers and their accounts"),
    entry("POST", "/sandbox/reset", "begin anew"),
    entry("POST", "/sandbox/consents/{id}/authorise", "decide as the customer would"),
    entry("POST", "/sandbox/consents/{id}/revoke", "end access as the customer would"),
    entry("POST", "/sandbox/accounts/{id}/close", "close an account"),
    entry("POST", "/sandbox/accounts/{id}/switch", "move an account to another bank"),
    entry("POST", "/sandbox/accounts/{id}/bar", "bar an account"),
    entry("GET", "/sandbox/orders/{id}", "how an order stands"),
    entry("POST", "/sandbox/orders/{id}/outcome", "let an order come to an outcome now"),
    entry("POST", "/sandbox/orders/{id}/authorise", "decide as a further customer would"),
    entry("POST", "/sandbox/events", "raise events for a TPP"),
    entry("GET", "/sandbox/seed", "customers and histories as a data file"),
    entry("POST", "/sandbox/seed", "add the customers of a data file"),
];

/// `GET /`.
pub(super) async fn show(is_sandbox: bool) -> Response {
    let controls = if is_sandbox { CONTROLS } else { &[] };
    let mut text = "Lombard, operations (docs/operating)\n\n".to_owned();
    for Entry { verb, path, does } in OPERATIONS.iter().chain(controls) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{verb:<5}{path:<36}{does}");
    }
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
