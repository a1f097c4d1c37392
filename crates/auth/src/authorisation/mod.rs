//! The authorisation endpoint: from a TPP's signed request to the PSU's decision and the code.
//!
//! [`rules`] narrow a request from type to type, and only a request with a verified address may be answered there;
//! [`journey`] walks the PSU from login to decision, everything kept on the server; [`headless`] decides at once for
//! test clients. A client may also [`push`](push()) its request ahead. Nothing here renders a page or knows HTTP.

mod answer;
mod endpoint;
mod headless;
pub mod journey;
mod push;
pub mod rules;
mod settle;

#[cfg(test)]
pub(crate) mod testing;

pub use answer::Redirect;
pub use endpoint::{AuthorisationReply, authorise, authorise_within};
pub use push::{Pushed, push};
