//! The three routers, one per listener. Which route is where follows from TLS-003.

mod prefetch;

use crate::core_api::CoreApi;
use crate::layers::{LayerContext, apply_layers, apply_mtls_layers};
use crate::ops::{AllowedHosts, Operations, SandboxTools};
use crate::pages::PortalServices;
use crate::start_barrier::{StartBarrier, hold_back, hold_back_all_but};
use crate::{App, bank_controls, catalogue, core_api, core_push, oauth, ops, pages};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use lombard_ports::controls::BankControls;
use std::sync::Arc;

/// Discovery, keys, the authorisation endpoint and the pages: no client certificate is asked for. All but the discovery document waits
/// behind the barrier. Source: TLS-003.
pub fn public_router(app: App, portal: PortalServices, around: LayerContext, barrier: Option<&StartBarrier>) -> Router {
    apply_layers(public_routes(&app, portal, barrier).with_state(app), around)
}

fn public_routes(app: &App, portal: PortalServices, barrier: Option<&StartBarrier>) -> Router<App> {
    let once = pages::routes(portal).layer(from_fn_with_state(app.clone(), pages::answer_forms_once));
    let documents = oauth::key_routes().merge(oauth::directory_routes(&app.settings)).merge(once);
    let routes =
        pages::limit_page_rate(documents, app).merge(oauth::authorize_routes()).merge(core_push::routes(&app.settings));
    let routes = pages::limit_page_rate(oauth::discovery_routes(), app).merge(hold_back(routes, barrier));
    routes.layer(from_fn(prefetch::refuse_prefetch))
}

/// The token endpoint and the API: every route refuses a caller without a certificate, paths that are not defined are
/// 404. All of it waits behind the barrier. Source: TLS-004, AS-028.
pub fn mtls_router(app: App, around: LayerContext, barrier: Option<&StartBarrier>) -> Router {
    let api = catalogue::router(&app);
    let router = oauth::mtls_routes()
        .merge(pages::mtls_routes())
        .merge(api)
        .fallback(catalogue::respond_undefined_path)
        .with_state(app);
    apply_mtls_layers(hold_back(router, barrier), around)
}

/// Health, metrics, operations and, in a sandbox, its controls, for the machine itself. All of it but the liveness check waits behind
/// the barrier: a command that gets no answer to that takes the server for one that does not run.
pub fn ops_router(
    operations: Arc<dyn Operations>,
    sandbox: SandboxTools,
    hosts: AllowedHosts,
    around: LayerContext,
    barrier: Option<&StartBarrier>,
) -> Router {
    apply_layers(hold_back_all_but(ops::routes(operations, sandbox, hosts), barrier, &[ops::LIVENESS_PATH]), around)
}

/// The core API, and the bank's side of the sandbox's controls, of the built-in bank in a process of its own. The listener asks
/// for a certificate of the bank's own authority.
pub fn bank_process_router(core: CoreApi, controls: Arc<dyn BankControls>, around: LayerContext) -> Router {
    apply_layers(core_api::routes(core).merge(bank_controls::routes(controls)), around)
}

#[cfg(test)]
mod tests;
