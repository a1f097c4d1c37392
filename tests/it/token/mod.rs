//! The token endpoint.

mod authentication;
mod client_credentials;
mod code;
mod form;
mod refresh;
