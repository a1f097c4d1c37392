//! The three routers, one per listener. Which route is where follows from TLS-003.

use crate::layers::{Around, claimed_certificate, surround};
use crate::ops::{Hosts, Operations};
use crate::{App, api, oauth, ops, pages};
use axum::Router;
use axum::middleware;
use lombard_ports::controls::Controls;
use std::sync::Arc;

/// Discovery, keys, the authorisation endpoint and the pages: no client certificate is asked for. Source: TLS-003.
pub fn public_router(app: App, around: Around) -> Router {
    surround(oauth::public_routes().merge(pages::routes()).with_state(app), around)
}

/// The token endpoint and the API: every route refuses a caller without a certificate, paths that are not defined are
/// 404. Source: TLS-004, AS-028.
pub fn mtls_router(app: App, around: Around) -> Router {
    let api = api::routes(&app);
    let router = oauth::mtls_routes().merge(api).fallback(api::undefined).with_state(app);
    surround(router.layer(middleware::from_fn(claimed_certificate::refuse)), around)
}

/// Health, metrics, operations and, in a sandbox, its controls, for the machine itself.
pub fn ops_router(
    operations: Arc<dyn Operations>,
    controls: Option<Arc<dyn Controls>>,
    hosts: Hosts,
    around: Around,
) -> Router {
    surround(ops::routes(operations, controls, hosts), around)
}
