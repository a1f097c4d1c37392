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

/// The route of the server's public keys. Source: AS-007.
pub(crate) fn key_routes() -> Router<App> {
    discovery::key_routes().into_router()
}

/// The route of the authorisation endpoint: no client certificate is asked for. Source: AS-007.
pub(crate) fn authorize_routes() -> Router<App> {
    authorize::routes().into_router()
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
    let public = [discovery::routes(), discovery::key_routes(), authorize::routes()];
    let groups = public.into_iter().chain(mtls_endpoints());
    groups.flat_map(DescribedRoutes::into_operations).collect()
}

#[cfg(test)]
mod tests;
