//! The authorisation endpoint: from a TPP's signed request to the PSU's decision and the code.
//!
//! [`rules`] narrow a request from type to type, and only a request with a verified redirect URI may be answered at that address;
//! [`journey`] leads the PSU from login to decision, with all state on the server; [`headless`] decides at once for test clients. A client
//! may also ask a customer without a browser redirect ([`backchannel`]), or push its request first ([`push_request`](push_request()), RFC
//! 9126). This module must not render pages or contain HTTP.

mod approval;
pub mod backchannel;
mod endpoint;
mod headless;
pub mod journey;
mod locked_consent;
mod push;
mod response;
pub mod rules;

#[cfg(test)]
pub(crate) mod testing;

pub use endpoint::{AuthorisationReply, handle_authorisation_request, handle_rate_limited_request};
pub use push::{PushedResponse, push_request};
pub use response::{Redirect, is_unregistered_return};
