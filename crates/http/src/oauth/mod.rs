//! The authorisation server's endpoints. What they decide is `lombard-auth`'s; here are forms, headers and statuses.

mod authorize;
mod backchannel;
mod described_routes;
mod directory;
mod discovery;
mod members;
mod operation;
mod pushed;
mod registration;
mod request;
mod response;
mod token;
mod userinfo;

pub use directory::DIRECTORY_PATH;
pub(crate) use directory::routes as directory_routes;
pub(crate) use members::{BodyMember, jwt_schema, object_schema};
pub(crate) use operation::{ErrorForm, OAuthOperation, RequestBody, RequiredCaller};
pub(crate) use response::{error_schema, injected_response};

use crate::App;
use axum::Router;
use described_routes::DescribedRoutes;

/// The route of the discovery document, which says nothing of keys or data. Source: AS-001.
pub(crate) fn discovery_routes() -> Router<App> {
    discovery::routes().into_router()
}

/// The other routes of the public listener: no client certificate is asked for. Source: AS-007.
pub(crate) fn public_routes() -> Router<App> {
    merge_routes(public_endpoints())
}

fn public_endpoints() -> [DescribedRoutes; 2] {
    [discovery::key_routes(), authorize::routes()]
}

/// Routes of the listener that asks for client certificates. Source: TLS-003.
pub(crate) fn mtls_routes() -> Router<App> {
    merge_routes(mtls_endpoints())
}

fn mtls_endpoints() -> [DescribedRoutes; 5] {
    [token::routes(), pushed::routes(), backchannel::routes(), userinfo::routes(), registration::routes()]
}

fn merge_routes<const GROUPS: usize>(groups: [DescribedRoutes; GROUPS]) -> Router<App> {
    groups.into_iter().fold(Router::new(), |router, group| router.merge(group.into_router()))
}

/// Every operation that these routes serve, with its description.
pub(crate) fn operations() -> Vec<OAuthOperation> {
    let groups = [discovery::routes()].into_iter().chain(public_endpoints()).chain(mtls_endpoints());
    groups.flat_map(DescribedRoutes::into_operations).collect()
}

#[cfg(test)]
mod tests;
