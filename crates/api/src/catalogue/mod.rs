//! The catalogue: all endpoints of the standard as data, whether implemented or not. The router and the tests are generated from this
//! table.
//!
//! A row names the versions that serve it, with one handler for all of them; it is implemented if there is at least one. No other list of
//! endpoints exists. A row in one version is an [`Operation`](lombard_edge::endpoint::Operation). Source: tables T1 and T6, and the
//! endpoint tables of the payment and VRP rules.

mod offered;
mod operations;
mod routes;
mod switched_off;
mod table;
#[cfg(test)]
mod tests;

pub use offered::offered_permissions;
pub use operations::{find_creating_post, find_endpoint, is_switched_off, list_operations};
pub use routes::respond_undefined_path;
pub use routes::router;
pub use switched_off::validate_switched_off;
pub use table::ENDPOINTS;
