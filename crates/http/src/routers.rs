//! The routers of the listeners for TPPs and browsers. TLS-003 determines which route is on which listener.

mod prefetch;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use lombard_api::catalogue;
use lombard_edge::App;
use lombard_edge::layers::{LayerContext, apply_layers, apply_mtls_layers};
use lombard_edge::start_barrier::{StartBarrier, wait_for_barrier};
use lombard_oauth as oauth;
use lombard_ops::core_push;
use lombard_pages as pages;
use lombard_portal::{self as portal, PortalServices};

/// The router of the listener without client certificates: discovery, keys, the authorisation endpoint and the pages. All routes except the
/// discovery document wait until the start barrier opens. Source: TLS-003.
pub fn public_router(
    app: App,
    services: PortalServices,
    around: LayerContext,
    barrier: Option<&StartBarrier>,
) -> Router {
    apply_layers(public_routes(&app, services, barrier).with_state(app), around)
}

pub(crate) fn public_routes(app: &App, services: PortalServices, barrier: Option<&StartBarrier>) -> Router<App> {
    let controls = services.sandbox.as_ref().and_then(|sandbox| sandbox.controls.clone());
    let once = |routes: Router<App>| routes.layer(from_fn_with_state(app.clone(), pages::answer_forms_once));
    let in_service = |routes: Router<App>| routes.layer(from_fn_with_state(app.clone(), pages::refuse_in_maintenance));
    let once =
        once(pages::routes().merge(portal::routes(services))).merge(in_service(once(pages::customer_routes(controls))));
    let documents = oauth::key_routes().merge(oauth::directory_routes(&app.settings)).merge(once);
    let routes = pages::limit_page_rate(documents, app)
        .merge(in_service(pages::authorize_routes()))
        .merge(core_push::routes(&app.settings));
    let routes = pages::limit_page_rate(oauth::discovery_routes(), app).merge(wait_for_barrier(routes, barrier));
    routes.layer(from_fn(prefetch::refuse_prefetch))
}

/// The router of the listener with client certificates: the token endpoint and the API. Every route refuses a caller without a certificate;
/// an undefined path is answered with 404. All routes wait until the start barrier opens. Source: TLS-004, AS-028.
pub fn mtls_router(app: App, around: LayerContext, barrier: Option<&StartBarrier>) -> Router {
    let api = catalogue::router(&app);
    let router = oauth::mtls_routes()
        .route_layer(from_fn_with_state(app.clone(), oauth::refuse_in_maintenance))
        .merge(portal::mtls_routes())
        .merge(api)
        .fallback(catalogue::respond_undefined_path)
        .with_state(app);
    apply_mtls_layers(wait_for_barrier(router, barrier), around)
}
