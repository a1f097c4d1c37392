#![doc = include_str!("../README.md")]

mod authorization;
mod backchannel;
mod described_routes;
mod directory;
mod discovery;
mod maintenance;
mod members;
mod operation;
pub mod pushed;
mod registration;
pub mod request;
mod response;
mod token;
mod userinfo;

pub use directory::DIRECTORY_PATH;
pub use directory::routes as directory_routes;
pub use maintenance::refuse_in_maintenance;
pub use members::BodyMember;
pub use members::jwt_schema;
pub use members::object_schema;
pub use operation::ErrorForm;
pub use operation::OAuthOperation;
pub use operation::RequestBody;
pub use operation::RequiredCaller;
pub use response::error_schema;
pub use response::injected_response;

use axum::Router;
use axum::handler::Handler;
use described_routes::DescribedRoutes;
use lombard_edge::App;

/// The route of the discovery document, which contains neither keys nor data of customers. Source: AS-001.
pub fn discovery_routes() -> Router<App> {
    discovery::routes().into_router()
}

/// The route of the server's public keys. Source: AS-007.
pub fn key_routes() -> Router<App> {
    discovery::key_routes().into_router()
}

/// The routes of the authorisation endpoint, served by this handler, for the listener without client certificates. Source: AS-007.
pub fn authorize_routes<T: 'static>(handler: impl Handler<T, App>) -> Router<App> {
    authorization::routes(handler).into_router()
}

/// The routes for the listener that requires client certificates. Source: TLS-003.
pub fn mtls_routes() -> Router<App> {
    merge_routes(mtls_endpoints())
}

fn mtls_endpoints() -> [DescribedRoutes; 5] {
    [token::routes(), pushed::routes(), backchannel::routes(), userinfo::routes(), registration::routes()]
}

fn merge_routes<const GROUPS: usize>(groups: [DescribedRoutes; GROUPS]) -> Router<App> {
    groups.into_iter().fold(Router::new(), |router, group| router.merge(group.into_router()))
}

/// Every operation that these routes serve, with its description.
pub fn operations() -> Vec<OAuthOperation> {
    let groups = [discovery::routes(), discovery::key_routes()].into_iter().chain(mtls_endpoints());
    groups.flat_map(DescribedRoutes::into_operations).chain(authorization::operations()).collect()
}
