//! The authorisation server's endpoints. What they decide is `lombard-auth`'s; here are forms, headers and statuses.

mod authorize;
mod backchannel;
mod directory;
mod discovery;
mod pushed;
mod registration;
mod request;
mod response;
mod token;
mod userinfo;

pub use directory::DIRECTORY_PATH;
pub(crate) use directory::routes as directory_routes;
pub(crate) use response::injected_response;

use crate::App;
use axum::Router;

/// Routes of the public listener: no client certificate is asked for. Source: AS-001, AS-007.
pub(crate) fn public_routes() -> Router<App> {
    discovery::routes().merge(authorize::routes())
}

/// Routes of the listener that asks for client certificates. Source: TLS-003.
pub(crate) fn mtls_routes() -> Router<App> {
    token::routes()
        .merge(pushed::routes())
        .merge(backchannel::routes())
        .merge(userinfo::routes())
        .merge(registration::routes())
}

#[cfg(test)]
mod tests;
