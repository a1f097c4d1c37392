//! Makes the routes of the API from the rows of the catalogue. Source: RW-007 to RW-009, RW-110, RW-111.

use super::operations::is_switched_off;
use super::operations::list_operations;
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, any, on};
use http::{Method, Uri};
use lombard_edge::App;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::version_of;
use lombard_edge::error::ApiError;
use lombard_edge::signing;
use lombard_edge::signing::Recipient;
use std::collections::BTreeMap;

/// The routes of every operation that is not switched off; a path without an operation has no route. The paths of a version that is no
/// longer served respond with 503 (RW-010).
pub fn router(app: &App) -> Router<App> {
    let mut paths: BTreeMap<String, Vec<Operation>> = BTreeMap::new();
    for operation in list_operations() {
        if !is_switched_off(operation.endpoint, &app.settings.switched_off) {
            paths.entry(operation.path()).or_default().push(operation);
        }
    }
    paths.into_iter().fold(Router::new(), |router, (path, operations)| {
        // One trailing slash means the same resource (RW-007).
        let slashed = format!("{path}/");
        let is_retired = app.settings.retired_versions.contains(&version_of(&path));
        let methods = || if is_retired { any(respond_retired_version) } else { methods(&operations) };
        let route = || answering(app, &path, methods());
        router.route(&slashed, route()).route(&path, route())
    })
}

/// Responds to undefined, unimplemented and switched-off paths, before any token is checked. The listener's router uses it as its fallback.
/// Source: RW-008, RW-009, RW-131.
pub async fn respond_undefined_path(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    let version = version_of(path);
    let answer = ApiError::UnknownPath.respond(&app, version);
    let signs = signing::is_signed_path(path) && request.method() != Method::HEAD;
    if signs {
        signing::sign_response(&app, &Recipient::of(request.extensions()), version, answer).await
    } else {
        answer
    }
}

/// Responds to every method of a path whose version is no longer served, before any token is checked. Source: RW-010.
async fn respond_retired_version(State(app): State<App>, uri: Uri) -> Response {
    ApiError::VersionRetired.respond(&app, version_of(uri.path()))
}

/// The methods of one path, with signed responses where the path requires them.
fn answering(app: &App, path: &str, methods: MethodRouter<App>) -> MethodRouter<App> {
    if !signing::is_signed_path(path) {
        return methods;
    }
    methods.layer(middleware::from_fn_with_state(app.clone(), signing::sign_responses))
}

/// The methods of one path.
fn methods(operations: &[Operation]) -> MethodRouter<App> {
    let allow = operations.iter().map(|operation| operation.endpoint.method.name()).collect::<Vec<_>>().join(", ");
    let refuse = move |State(app): State<App>, uri: Uri| {
        let allow = allow.clone();
        async move { ApiError::MethodNotAllowed { allow }.respond(&app, version_of(uri.path())) }
    };
    // Without its own route, HEAD would be served as GET (RW-111).
    let refusing = on(MethodFilter::HEAD, refuse.clone()).fallback(refuse);
    let served = |operation: &Operation| (operation.route)(operation.endpoint);
    operations.iter().map(served).fold(refusing, MethodRouter::merge)
}
