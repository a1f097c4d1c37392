//! The endpoints of the standard, as data: all of them, implemented or not. The router and the tests are generated from this
//! table.
//!
//! A row names the versions it is served in, with one handler for all of them; it is built when there is at least one.
//! There is no second list. A row in one version is an [`Operation`]. Source: tables T1 and T6, and the endpoint tables
//! of the payment and VRP rules.

pub(crate) mod contract;
mod endpoint;
mod facts;
mod offered;
mod operations;
mod routes;
mod switched_off;
mod table;
#[cfg(test)]
mod tests;

pub use contract::OperationContract;
pub use endpoint::{ApiEndpoint, Operation};
#[cfg(test)]
pub(crate) use facts::version_of;
pub use facts::{Conformance, EndpointGroup, HttpMethod, MessageSigning, RateGroup, RequiredGrant, ResponseMedia};
pub use offered::offered_permissions;
pub use operations::{find_endpoint, list_operations};
pub(crate) use routes::{respond_undefined_path, router};
pub use switched_off::validate_switched_off;
pub use table::ENDPOINTS;
