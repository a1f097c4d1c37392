#![doc = include_str!("../README.md")]
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

/// The version of the core API.
pub const API_VERSION: &str = "1.0.0";

/// The path of all methods, which precedes the name of the method.
pub const BASE_PATH: &str = "/core/v1";
