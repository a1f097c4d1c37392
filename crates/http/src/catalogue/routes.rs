//! Routes from rows. Source: RW-007 to RW-009, RW-110, RW-111.

use super::{ENDPOINTS, Endpoint, SERVED, Verb};
use crate::App;
use crate::app::Settings;
use crate::error::ApiError;
use axum::Router;
use axum::extract::State;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::collections::BTreeMap;

/// The routes of every row that is built and not switched off; a path without one has no route at all.
pub(crate) fn router(settings: &Settings) -> Router<App> {
    let mut paths: BTreeMap<String, Vec<&'static Endpoint>> = BTreeMap::new();
    for endpoint in ENDPOINTS {
        let off = endpoint.may_be_switched_off() && settings.switched_off.contains(endpoint.name);
        if endpoint.built() && !off {
            paths.entry(endpoint.full_path(SERVED)).or_default().push(endpoint);
        }
    }
    paths.into_iter().fold(Router::new(), |router, (path, endpoints)| {
        // One trailing slash means the same resource (RW-007).
        let slashed = format!("{path}/");
        router.route(&slashed, methods(&endpoints)).route(&path, methods(&endpoints))
    })
}

fn methods(endpoints: &[&'static Endpoint]) -> MethodRouter<App> {
    let allow = endpoints.iter().map(|endpoint| endpoint.verb.name()).collect::<Vec<_>>().join(", ");
    let refuse = move |State(app): State<App>| {
        let allow = allow.clone();
        async move { ApiError::MethodNotAllowed { allow }.respond(&app, SERVED) }
    };
    // Without a row of its own HEAD would be answered as GET (RW-111).
    let refusing = on(MethodFilter::HEAD, refuse.clone()).fallback(refuse);
    endpoints
        .iter()
        .filter_map(|endpoint| endpoint.handler.map(|handler| handler(endpoint)))
        .fold(refusing, MethodRouter::merge)
}

impl Verb {
    /// The verb as axum filters by it.
    pub(crate) const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}
