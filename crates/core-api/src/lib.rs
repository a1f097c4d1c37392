//! The core API: what a bank's core and the server say to each other, as JSON, declared once for both ends of the wire.
//!
//! `form` derives parsing, serialisation and the schema from one declaration; `records` declares the records of accounts, which
//! the sandbox's data file shares. `payments` declares what concerns payments, and `calls` the methods with their messages. This crate has no HTTP and no I/O.
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod calls;
mod errors;
pub mod form;
pub mod openapi;
mod payments;
pub mod records;
#[cfg(test)]
mod tests;
mod yaml;

pub use errors::{ErrorBody, ErrorCode};

/// The version of the API.
pub const API_VERSION: &str = "1.0.0";

/// The path of every method, before its name.
pub const BASE_PATH: &str = "/core/v1";
